import type { z } from 'zod'
import type { Call, Route } from '../api/route.ts'
import { getSchemaDefinition, unwrapSchema } from '../lib/schema-parts.ts'
import { isObject, parseJsonBody } from '../lib/plain-json.ts'
import { splitUrl } from '../lib/url.ts'
import type { JsonObject, Variation } from './variation.ts'
import { defineVariation } from './variation.ts'

const movingRows = defineVariation({
  name: 'moving-rows',
  does:
    'In a list that is sorted by time, newest first, and is read by offset, each later page ' +
    'begins with the last row of the page before, as if a row had been added in between. No ' +
    'data changes. If a row is deleted in between, a page skips a row. No client can prevent ' +
    'that, so this variation skips none.',
  breaks: 'A client that adds up or stores the rows of all pages without removing duplicate ids.',
  source:
    'reference §1: offset-paginated routes take offset; it does not promise that the list stays ' +
    'the same between pages',
  isFixed: true,
  keepsValues: true,
  open: ({ preview }) => ({
    varyRequest({ sent, route }) {
      if (route?.pagination === undefined) return undefined
      const [limit, offset] = [getRequestedSize(route, sent), getOffset(sent)]
      const shift = limit === undefined ? 0 : Math.floor(offset / limit)
      const isMoving =
        shift > 0 &&
        !hasMarker(sent) &&
        isNewestFirst(preview(setNumber(sent, route, { offset: 0 })))
      return isMoving ? setNumber(sent, route, { offset: offset - shift }) : undefined
    },
    varyResponse({ body }, { sent, call }) {
      const shift = getOffset(sent) - getOffset(call)
      if (shift === 0) return false
      const data = body['data'] as JsonObject
      if (typeof data['nextOffset'] === 'number') data['nextOffset'] += shift
      const page = body['_pagination'] as { next_page?: unknown } | undefined
      if (page?.next_page != null) page.next_page = shiftOffset(String(page.next_page), shift)
      return true
    },
  }),
})

/** Returns the offset in the query or the body of a request. */
function getOffset({ url, body }: Call): number {
  const inBody = (parseJsonBody(body) as JsonObject | undefined)?.['offset']
  return toSize(new URLSearchParams(splitUrl(url).rawQuery).get('offset') ?? inBody) ?? 0
}

function hasMarker({ url }: Call): boolean {
  return new URLSearchParams(splitUrl(url).rawQuery).has('marker')
}

/** Adds to the offset of a `next_page`, which is a URL or only an offset. */
function shiftOffset(nextPage: string, shift: number): string {
  if (!nextPage.startsWith('/')) return String(Number(nextPage) + shift)
  return nextPage.replace(/([?&]offset=)(\d+)/, (_, name: string, offset: string) => {
    return `${name}${Number(offset) + shift}`
  })
}

/** True if a time in the rows of a page never increases, and decreases at least once. */
function isNewestFirst(body: JsonObject | undefined): boolean {
  const rows = findRows(body).map(listTimes)
  return [...(rows[0]?.keys() ?? [])].some((name) => {
    const times = rows.map((row) => row.get(name))
    return (
      times.every((time) => time !== undefined) &&
      times.every((time, index) => index === 0 || time <= (times[index - 1] ?? Infinity)) &&
      times.at(-1) !== times[0]
    )
  })
}

/** Returns the times in a row and in its objects, epoch ms, by name. */
function listTimes(row: unknown): Map<string, number> {
  const fields = Object.entries(row ?? {}).flatMap(([name, value]: [string, unknown]) => [
    [name, value] as const,
    ...(isObject(value)
      ? Object.entries(value).map(
          ([inner, each]: [string, unknown]) => [`${name}.${inner}`, each] as const,
        )
      : []),
  ])
  return new Map(
    fields.flatMap(([name, value]) =>
      typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:/.test(value)
        ? [[name, Date.parse(value)]]
        : [],
    ),
  )
}

const shortPages = defineVariation({
  name: 'short-pages',
  does:
    'A page has fewer rows than limit, although the list has more. The next_page of a short ' +
    'page continues after its last row, so a list with two rows has a second page.',
  breaks: 'A client that treats a short page as the last one, or computes offset += limit.',
  source: 'reference §1: next_page is omitted on the last page; §8: a page size is a maximum',
  keepsValues: true,
  open: ({ preview }) => ({
    varyRequest({ sent, route, random }) {
      const limit = route?.pagination === undefined ? undefined : getRequestedSize(route, sent)
      if (limit === undefined || limit < 2) return undefined
      const size = Math.min(limit, findRows(preview(sent)).length || limit)
      if (size < 2) return undefined
      return setNumber(sent, route, { limit: random.integer(1, size - 1) })
    },
    varyResponse({ body }, { sent, call }) {
      if (sent === call) return false
      const page = body['_pagination'] as { next_page?: unknown } | undefined
      if (typeof page?.next_page !== 'string') return false
      if (page.next_page.startsWith('/'))
        page.next_page = restoreSentLimit(page.next_page, sent.url)
      return true
    },
  }),
})

/**
 * Returns the requested number of rows. Returns undefined if the route has no limit, or if the
 * value is not a number.
 */
function getRequestedSize({ query, body }: Route, sent: Call): number | undefined {
  const [inQuery, inBody] = [getDefaultLimit(query), getDefaultLimit(body)]
  if (inQuery !== undefined)
    return toSize(new URLSearchParams(splitUrl(sent.url).rawQuery).get('limit') ?? inQuery.standard)
  return (
    inBody &&
    toSize((parseJsonBody(sent.body) as JsonObject | undefined)?.['limit'] ?? inBody.standard)
  )
}

/** Returns the default limit of a schema. Returns undefined if it has no limit. */
function getDefaultLimit(schema: z.ZodType | null): { standard: unknown } | undefined {
  const limit =
    schema === null ? undefined : getSchemaDefinition(unwrapSchema(schema, {})).shape?.['limit']
  return limit && { standard: limit.safeParse(undefined).data }
}

function toSize(value: unknown): number | undefined {
  return /^\d{1,9}$/.test(String(value)) ? Number(value) : undefined
}

/** Sets the limit or the offset of a request, in its query or body. */
function setNumber(
  sent: Call,
  route: Route | undefined,
  values: { limit: number } | { offset: number },
): Call {
  if (route !== undefined && getDefaultLimit(route.query) === undefined)
    return {
      ...sent,
      body: JSON.stringify({ ...(parseJsonBody(sent.body) as JsonObject | undefined), ...values }),
    }
  const { path, rawQuery } = splitUrl(sent.url)
  const query = new URLSearchParams(rawQuery)
  for (const [name, value] of Object.entries(values)) query.set(name, String(value))
  return { ...sent, url: `${path}?${query.toString()}` }
}

/** Returns `next_page` with the limit that the client sent, if any. */
function restoreSentLimit(nextPage: string, url: string): string {
  const { path, rawQuery } = splitUrl(nextPage)
  const query = new URLSearchParams(rawQuery)
  const limit = new URLSearchParams(splitUrl(url).rawQuery).get('limit')
  if (limit === null) query.delete('limit')
  else query.set('limit', limit)
  return `${path}?${query.toString()}`
}

const emptyPage = defineVariation({
  name: 'empty-page',
  does:
    'A list has an empty page before its last page. The next_page of the empty page leads to ' +
    'the last page.',
  breaks:
    'A client that stops at the first empty page, or reads the first row of a page without ' +
    'checking that it exists.',
  source:
    'reference §1: next_page is omitted on the last page; it does not promise that each page ' +
    'has rows',
  isFixed: true,
  keepsValues: true,
  open() {
    const lists = new Set<string>()
    return {
      varyResponse({ status, body }, { sent, route }) {
        const { path } = splitUrl(sent.url)
        const data = body['data'] as JsonObject | undefined
        const list = findRowsField(data)
        if (
          status !== 200 ||
          route?.pagination?.next !== 'address' ||
          data === undefined ||
          list === undefined
        )
          return false
        const isLast =
          (body['_pagination'] as { next_page?: unknown } | undefined)?.next_page == null
        // Empties only the first response with the last page, so that the repeated request gets the
        // rows.
        if (!isLast || lists.has(path) || (data[list] as unknown[]).length === 0) return false
        lists.add(path)
        data[list] = []
        if ('hasMore' in data) data['hasMore'] = true
        if ('headMarker' in data) Object.assign(data, { headMarker: '', tailMarker: '' })
        if ('nextOffset' in data)
          data['nextOffset'] = Number(
            new URLSearchParams(splitUrl(sent.url).rawQuery).get('offset') ?? 0,
          )
        body['_pagination'] = { next_page: sent.url }
        return true
      },
    }
  },
})

/** Returns the rows of a page. Empty if the response has no list of rows. */
function findRows(body: JsonObject | undefined): readonly unknown[] {
  const data = body?.['data']
  if (Array.isArray(data)) return data
  const list = findRowsField(data as JsonObject | undefined)
  return list === undefined ? [] : ((data as JsonObject)[list] as unknown[])
}

/** Returns the name of the field that contains the rows of a page. */
function findRowsField(data: JsonObject | undefined): string | undefined {
  const lists = Object.keys(data ?? {}).filter((name) => Array.isArray(data?.[name]))
  return (
    lists.find((name) => name === 'list' || name === 'items') ??
    (lists.length === 1 ? lists[0] : undefined)
  )
}

const nullNextPage = defineVariation({
  name: 'null-next-page',
  does:
    'The last page has a _pagination with next_page null. Usually, the last page has ' +
    'no _pagination.',
  breaks: "A client that checks whether _pagination is present: '_pagination' in response.",
  source: 'reference §1: omitted on the last page (some responses show null)',
  isFixed: true,
  keepsValues: true,
  open: () => ({
    varyResponse({ status, body }, { route }) {
      if (status !== 200 || route?.pagination === undefined || body['_pagination'] !== undefined)
        return false
      body['_pagination'] = { next_page: null }
      return true
    },
  }),
})

const movingCounts = defineVariation({
  name: 'moving-counts',
  does: 'The counters of the post feed change between pages, as if posts were added.',
  breaks: 'A client that reads pages until it has as many rows as the counters of the first page.',
  source:
    'reference §2 Post: counters are those of the account; it does not promise that they stay ' +
    'the same across pages',
  open: () => ({
    varyResponse({ body }, { sent, random }) {
      const { counters } = (body['data'] ?? {}) as { counters?: Record<string, number> }
      if (counters === undefined || !/[?&](?:before|after)_publish_time=/.test(sent.url))
        return false
      const more = random.integer(1, 3)
      for (const name of ['postsCount', 'photosCount', 'mediasCount'])
        counters[name] = (counters[name] ?? 0) + more
      return true
    },
  }),
})

/** All variations of list pages. */
export const pageVariations: readonly Variation[] = [
  // Comes first, because it counts pages by the limit that the client sent.
  movingRows,
  shortPages,
  emptyPage,
  nullNextPage,
  movingCounts,
]

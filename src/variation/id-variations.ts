import { parseQuery, splitUrl } from '../lib/url.ts'
import { visitObjects, defineVariation } from './variation.ts'
import type { JsonObject, Variation } from './variation.ts'

/**
 * Number to add to an id. The result is a safe integer, cannot be a current time in ms, and differs
 * from the id in the low 32 bits.
 */
const distance = 1_100_000_000_000
/** Only ids below this limit are changed. */
const maxId = 2 ** 33
/** Matches the names of fields with an id or a list of ids. */
const idName = /^ids?$|(?:Ids?|_ids?)$|^(?:previews|userLists)$/

const largeIds = defineVariation({
  name: 'large-ids',
  does:
    'Ids are larger than 2^31, except ids of accounts and ids that the client sent. The API ' +
    'accepts both kinds of ids.',
  breaks: 'A client that stores ids as 32-bit integers or floats, for example in its database.',
  source: 'reference §2: ids are integers without a maximum',
  isFixed: true,
  open: ({ isAccount }) => ({
    varyRequest({ sent }) {
      const { path, rawQuery } = splitUrl(sent.url)
      const url = restoreSmallIds(path) + (rawQuery === '' ? '' : `?${restoreSmallIds(rawQuery)}`)
      const body =
        sent.body === null || !hasLargeId(sent.body) ? sent.body : restoreSmallBody(sent.body)
      return url === sent.url && body === sent.body ? undefined : { ...sent, url, body }
    },
    varyResponse({ status, shape, body }, { sent, call }) {
      const back = restoreLargeIds(body, sent.url, call.url)
      if (status >= 400) return back
      const known = listIds(call)
      const asked = listIds(sent)
      const isLarge = (id: number) =>
        Number.isInteger(id) &&
        id >= 0 &&
        id < maxId &&
        !isAccount(id) &&
        !(known.has(id) && asked.has(id))
      let isChanged = back
      visitObjects(shape, body['data'], (object, { properties }) => {
        const changed =
          properties === undefined ? renameKeys(object, isLarge) : enlargeIds(object, isLarge)
        isChanged ||= changed
      })
      return isChanged
    },
  }),
})

/** Enlarges the ids in an object. Returns true if an id was changed. */
function enlargeIds(object: JsonObject, isLarge: (id: number) => boolean): boolean {
  let isChanged = false
  const toLarge = (value: unknown): unknown => {
    if (
      typeof value === 'number'
        ? !isLarge(value)
        : typeof value !== 'string' || !/^\d+$/.test(value) || !isLarge(Number(value))
    )
      return value
    isChanged = true
    return typeof value === 'number' ? value + distance : String(Number(value) + distance)
  }
  for (const [name, value] of Object.entries(object))
    if (idName.test(name)) object[name] = Array.isArray(value) ? value.map(toLarge) : toLarge(value)
  return isChanged
}

/** Enlarges the ids that are keys of a map. Returns true if an id was changed. */
function renameKeys(map: JsonObject, isLarge: (id: number) => boolean): boolean {
  const ids = Object.keys(map).filter((key) => /^\d+$/.test(key) && isLarge(Number(key)))
  for (const id of ids) {
    map[String(Number(id) + distance)] = map[id]
    delete map[id]
  }
  return ids.length > 0
}

/**
 * Restores the large ids of the request in `next_page` and in error messages, because both repeat
 * ids of the request.
 */
function restoreLargeIds(body: JsonObject, sentUrl: string, url: string): boolean {
  if (sentUrl === url) return false
  const { error } = body
  const page = body['_pagination'] as { next_page?: unknown } | undefined
  const ids = [...sentUrl.matchAll(number)].map(([id]) => id).filter((id) => isLargeId(Number(id)))
  const repeat = (text: string) =>
    ids.reduce(
      (found, id) => found.replaceAll(createWholeNumberPattern(Number(id) - distance), id),
      text,
    )
  if (typeof error === 'string') body['error'] = repeat(error)
  if (typeof page?.next_page === 'string' && page.next_page.startsWith('/'))
    page.next_page = repeat(page.next_page)
  return true
}

/** Returns the ids in a call. */
function listIds({ url, body }: { url: string; body: string | null }): Set<number> {
  const { path, rawQuery } = splitUrl(url)
  const texts = [path, ...Object.values(parseQuery(rawQuery)).flat().map(String), body ?? '']
  return new Set(texts.flatMap((text) => [...text.matchAll(number)].map(([id]) => Number(id))))
}

const number = /(?<![\w.])\d{1,16}(?![\w.])/g

function createWholeNumberPattern(id: number): RegExp {
  return new RegExp(`(?<![\\w.])${id}(?![\\w.])`, 'g')
}

function restoreSmallIds(text: string): string {
  return text.replaceAll(/\d{13,}/g, (id) =>
    isLargeId(Number(id)) ? String(Number(id) - distance) : id,
  )
}

function isLargeId(id: number): boolean {
  return id >= distance && id < distance + maxId
}

function hasLargeId(body: string): boolean {
  return [...body.matchAll(/\d{13,}/g)].some(([id]) => isLargeId(Number(id)))
}

/**
 * Replaces large ids in a body with the original small ids, including numeric strings in id fields.
 */
function restoreSmallBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body, toSmall))
  } catch {
    return body // not JSON: the route refuses it
  }
}

function toSmall(name: string, value: unknown): unknown {
  if (typeof value === 'number') return isLargeId(value) ? value - distance : value
  if (typeof value === 'string' && idName.test(name)) return restoreSmallIds(value)
  return value
}

/** All variations of ids. */
export const idVariations: readonly Variation[] = [largeIds]

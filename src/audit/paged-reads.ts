import { chosenNames } from '../lib/paging-parameters.ts'
import { splitUrl } from '../lib/url.ts'
import { groupBy } from '../lib/iterables.ts'
import type { AuditedRequest } from './audited-request.ts'

/** A list that a client read page by page. */
export interface PagedRead {
  pages: AuditedRequest[]
  /** The last request for the page after the last one, if it was rejected. */
  refusal: AuditedRequest | undefined
  /** True if the page after the last one was read earlier or in another series of pages. */
  isReadOn: boolean
}

/** The lists that clients read page by page. */
export interface PagedReads {
  pagedReads: readonly PagedRead[]
  /** Pages of known lists that clients requested with a cursor that no response contained. */
  guesses: readonly {
    request: AuditedRequest
    names: readonly string[]
    values: readonly string[]
  }[]
}

/** The parameters of a page request: query parameters and body fields. */
type Fields = ReadonlyMap<string, string>

/** Finds the lists that clients read page by page. */
export function findPagedReads(requests: readonly AuditedRequest[]): PagedReads {
  const pagedReads: PagedRead[] = []
  /** Unfinished series of pages, by the key of the next page. */
  const open = new Map<string, PagedRead>()
  const cursors = new Map<string, Set<string>>()
  const given = new Set<string>()
  /** Key of the last page of each series, because a page can link to itself as its next page. */
  const lastKeys = new Map<PagedRead, string>()
  /** The pages that the client has read so far. */
  const read = new Set<string>()
  /** Differences between a page's offset and the offset in its next_page, by list. */
  const steps = new Map<string, Set<number>>()
  const starts: { page: AuditedRequest; fields: Fields }[] = []
  for (const page of selectPageRequests(requests)) {
    const fields = getRequestFields(page)
    const key = toKey(page, fields)
    const pagedRead = open.get(key)
    if (pagedRead === undefined) starts.push({ page, fields })
    if (!page.isGood) {
      if (pagedRead !== undefined) pagedRead.refusal = page
      continue
    }
    const current = pagedRead ?? { pages: [], refusal: undefined, isReadOn: false }
    read.add(key)
    lastKeys.set(current, key)
    if (pagedRead === undefined) pagedReads.push(current)
    open.delete(key)
    current.pages.push(page)
    current.refusal = undefined
    const next = getNextPageFields(page, fields)
    if (next === undefined) continue
    open.set(toKey(page, next), current)
    const names = [...next.keys()].filter(
      (name) => !chosenNames.has(name) && next.get(name) !== fields.get(name),
    )
    if (names.length === 0) continue
    const step = Number(next.get('offset')) - Number(fields.get('offset') ?? 0)
    // The next page may contain defaults that this page did not, so its list has another key.
    for (const sent of [fields, next]) {
      const list = toListKey(page, sent, names)
      cursors.set(list, new Set([...(cursors.get(list) ?? []), ...names]))
      given.add(`${list} ${getCursor(next, names)}`)
      if (step > 0) steps.set(list, new Set([...(steps.get(list) ?? []), step]))
    }
  }
  for (const [key, pagedRead] of open)
    pagedRead.isReadOn = read.has(key) && key !== lastKeys.get(pagedRead)
  const cursorNames = [...new Set([...cursors.values()].map((names) => [...names].join(' ')))].map(
    (names) => names.split(' '),
  )
  return {
    pagedReads,
    guesses: starts.flatMap(({ page, fields }) =>
      toGuess(page, fields, { cursors, given, steps, cursorNames }),
    ),
  }
}

/**
 * Returns the lists with a next page that the client did not request. Each list is identified by
 * its request without the cursor.
 */
export function findUnreadLists(requests: readonly AuditedRequest[]): Set<string> {
  const pages = requests
    .filter(({ route }) => route?.pagination !== undefined)
    .map((page) => ({ page, fields: getRequestFields(page) }))
  const requested = new Set(pages.map(({ page, fields }) => toKey(page, fields)))
  const unread = new Set<string>()
  for (const { page, fields } of pages) {
    const next = getNextPageFields(page, fields)
    if (next === undefined || requested.has(toKey(page, next))) continue
    const filters = [...fields].filter(
      ([name, value]) => name !== 'offset' && (chosenNames.has(name) || next.get(name) === value),
    )
    unread.add(toKey(page, new Map(filters)))
  }
  return unread
}

/**
 * Returns the requests for lists that were requested with different parameters. A list with only
 * one page is not included.
 */
function selectPageRequests(requests: readonly AuditedRequest[]): AuditedRequest[] {
  const paged = requests.filter(({ route }) => route?.pagination !== undefined)
  const isSeveral = (pages: readonly AuditedRequest[]) =>
    pages.some((page) => !isSame(page, pages[0] as AuditedRequest))
  // Groups requests by path first, because most paths have only one kind of request.
  const paths = [...groupBy(paged, ({ path }) => path).values()].filter(isSeveral).flat()
  const several = [
    ...groupBy(paths, ({ caller, method, path }) => `${caller} ${method} ${path}`).values(),
  ].filter(isSeveral)
  return several.flat().toSorted((a, b) => a.id - b.id)
}

/** True if two requests by one caller to the same path are identical. */
function isSame(one: AuditedRequest, other: AuditedRequest): boolean {
  return one.exchange.path === other.exchange.path && one.bodyKey === other.bodyKey
}

function toGuess(
  page: AuditedRequest,
  fields: Fields,
  {
    cursors,
    given,
    steps,
    cursorNames,
  }: {
    cursors: ReadonlyMap<string, unknown>
    given: ReadonlySet<string>
    steps: ReadonlyMap<string, ReadonlySet<number>>
    cursorNames: readonly (readonly string[])[]
  },
): PagedReads['guesses'] {
  for (const names of cursorNames) {
    const sent = names.filter((name) => (fields.get(name) ?? '0') !== '0')
    if (sent.length === 0) continue
    const list = toListKey(page, fields, names)
    // Allows offsets computed from the page size, because clients may request pages in parallel.
    const isOnStep = [...(steps.get(list) ?? [])].some(
      (step) => Number(fields.get('offset')) % step === 0,
    )
    if (cursors.has(list) && !isOnStep && !given.has(`${list} ${getCursor(fields, names)}`))
      return [{ request: page, names: sent, values: sent.map((name) => fields.get(name) ?? '') }]
  }
  return []
}

/** Returns the key of a list: the caller, the path and the filters, without the page size. */
function toListKey(
  { caller, method, path }: AuditedRequest,
  fields: Fields,
  cursorNames: readonly string[],
): string {
  const filters = [...fields].filter(([name]) => name !== 'limit' && !cursorNames.includes(name))
  return `${caller} ${method} ${path} ${filters
    .map((filter) => filter.join('='))
    .toSorted()
    .join('&')}`
}

function getCursor(fields: Fields, names: readonly string[]): string {
  return JSON.stringify(names.map((name) => fields.get(name)))
}

function toKey({ caller, method, path }: AuditedRequest, fields: Fields): string {
  return `${caller} ${method} ${path} ${[...fields]
    .map((field) => field.join('='))
    .toSorted()
    .join('&')}`
}

/** Returns the query parameters and body fields of a page. */
function getRequestFields({ query, facts: { fields } }: AuditedRequest): Fields {
  return new Map([...query, ...[...fields].map(([name, value]) => [name, String(value)] as const)])
}

/** Returns the parameters of the next page. Undefined on the last page. */
function getNextPageFields(
  { nextPage, route }: AuditedRequest,
  fields: Fields,
): Fields | undefined {
  if (nextPage === null) return undefined
  if (route?.pagination?.next === 'bare') return new Map([...fields, ['offset', nextPage]])
  return new Map(new URLSearchParams(splitUrl(nextPage).rawQuery))
}

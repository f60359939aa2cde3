import { splitUrl } from '../lib/url.ts'
import { groupBy } from './group.ts'
import type { Sent } from './sent.ts'

/** A list that a client reads page by page. */
export interface Walk {
  pages: Sent[]
  /** True if the page after the last one was requested and refused. */
  wasRefused: boolean
  /** True if the page after the last one was read otherwise: by another walk, or earlier. */
  isReadOn: boolean
}

/** The lists that clients paged through. */
export interface Walks {
  walks: readonly Walk[]
  /** Pages of known lists with a cursor that no answer gave. */
  guesses: readonly { page: Sent; names: readonly string[]; values: readonly string[] }[]
}

/** The parameters of a page: query or body fields. */
type Fields = ReadonlyMap<string, string>

/** Finds the lists that clients paged through, and follows each from page to page. */
export function toWalks(requests: readonly Sent[]): Walks {
  const walks: Walk[] = []
  /** Unfinished walks by the key of their next page. */
  const open = new Map<string, Walk>()
  const cursors = new Map<string, Set<string>>()
  const given = new Set<string>()
  /** The key of the last page of each walk. A page may name itself as the next one. */
  const lastKeys = new Map<Walk, string>()
  /** Pages read so far. */
  const read = new Set<string>()
  /** The offsets between pages that next_page gave, by list. */
  const steps = new Map<string, Set<number>>()
  const starts: { page: Sent; fields: Fields }[] = []
  for (const page of pagesOf(requests)) {
    const fields = fieldsOf(page)
    const key = toKey(page, fields)
    const walk = open.get(key)
    if (walk === undefined) starts.push({ page, fields })
    if (!page.isGood) {
      if (walk !== undefined) walk.wasRefused = true
      continue
    }
    const current = walk ?? { pages: [], wasRefused: false, isReadOn: false }
    read.add(key)
    lastKeys.set(current, key)
    if (walk === undefined) walks.push(current)
    open.delete(key)
    current.pages.push(page)
    current.wasRefused = false
    const next = nextFields(page, fields)
    if (next === undefined) continue
    open.set(toKey(page, next), current)
    const names = [...next.keys()].filter((name) => next.get(name) !== fields.get(name))
    const list = listOf(page, fields, names)
    cursors.set(list, new Set([...(cursors.get(list) ?? []), ...names]))
    given.add(`${list} ${cursorOf(next, names)}`)
    const step = Number(next.get('offset')) - Number(fields.get('offset') ?? 0)
    if (step > 0) steps.set(list, new Set([...(steps.get(list) ?? []), step]))
  }
  for (const [key, walk] of open) walk.isReadOn = read.has(key) && key !== lastKeys.get(walk)
  const cursorNames = [...new Set([...cursors.values()].map((names) => [...names].join(' ')))].map(
    (names) => names.split(' '),
  )
  return {
    walks,
    guesses: starts.flatMap(({ page, fields }) =>
      toGuess(page, fields, { cursors, given, steps, cursorNames }),
    ),
  }
}

/** Requests of lists that were requested in several ways. Reading a single page is no walk. */
function pagesOf(requests: readonly Sent[]): Sent[] {
  const paged = requests.filter(({ route }) => route?.pagination !== undefined)
  const isSeveral = (pages: readonly Sent[]) =>
    pages.some((page) => !isSame(page, pages[0] as Sent))
  // Most paths have only one list, so their callers need not be distinguished.
  const paths = [...groupBy(paged, ({ path }) => path).values()].filter(isSeveral).flat()
  const several = [
    ...groupBy(paths, ({ caller, method, path }) => `${caller} ${method} ${path}`).values(),
  ].filter(isSeveral)
  return several.flat().toSorted((a, b) => a.id - b.id)
}

/** True if two requests to one path by one caller are the same. */
function isSame({ exchange: one }: Sent, { exchange: other }: Sent): boolean {
  return one.path === other.path && one.request.body === other.request.body
}

function toGuess(
  page: Sent,
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
): Walks['guesses'] {
  for (const names of cursorNames) {
    const sent = names.filter((name) => (fields.get(name) ?? '0') !== '0')
    if (sent.length === 0) continue
    const list = listOf(page, fields, names)
    // A client that requests pages in parallel knows the step, but not the end of the list.
    const isOnStep = [...(steps.get(list) ?? [])].some(
      (step) => Number(fields.get('offset')) % step === 0,
    )
    if (cursors.has(list) && !isOnStep && !given.has(`${list} ${cursorOf(fields, names)}`))
      return [{ page, names: sent, values: sent.map((name) => fields.get(name) ?? '') }]
  }
  return []
}

/** The identity of a list: its caller, path and filters. The page size does not matter. */
function listOf(
  { caller, method, path }: Sent,
  fields: Fields,
  cursorNames: readonly string[],
): string {
  const filters = [...fields].filter(([name]) => name !== 'limit' && !cursorNames.includes(name))
  return `${caller} ${method} ${path} ${filters
    .map((filter) => filter.join('='))
    .toSorted()
    .join('&')}`
}

function cursorOf(fields: Fields, names: readonly string[]): string {
  return JSON.stringify(names.map((name) => fields.get(name)))
}

function toKey({ caller, method, path }: Sent, fields: Fields): string {
  return `${caller} ${method} ${path} ${[...fields]
    .map((field) => field.join('='))
    .toSorted()
    .join('&')}`
}

/** The parameters of a page: those of its query, and the fields of its body. */
function fieldsOf({ query, json }: Sent): Fields {
  if (json === undefined) return new Map(query)
  const body = typeof json === 'object' && json !== null ? Object.entries(json) : []
  return new Map([...query, ...body.map(([name, value]) => [name, toText(value)] as const)])
}

/** The parameters of the next page. Undefined on the last page. */
function nextFields({ nextPage, route }: Sent, fields: Fields): Fields | undefined {
  if (nextPage === null) return undefined
  if (route?.pagination?.next === 'bare') return new Map([...fields, ['offset', nextPage]])
  return new Map(new URLSearchParams(splitUrl(nextPage).rawQuery))
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

import type { Call, Reply } from '../api/route.ts'
import type { Control } from '../control/control.ts'
import type { World } from '../resources/world.ts'
import { getBodyText } from '../world/journal/exchange.ts'
import type { JournalEntry } from '../world/journal/journal-entry.ts'
import { parseJsonBody } from '../lib/parse-json-body.ts'
import { countResponseRows } from '../lib/count-rows.ts'
import { getRangeDirection, pageNames } from '../lib/paging-parameters.ts'
import { splitUrl } from '../lib/url.ts'
import { truncateForMessage } from '../errors.ts'

/** Maximum number of pages to read when counting a list's rows. */
const maxPages = 50
/** Page size for counting rows. */
const largePage = '100'
/** Maximum length of a value in an explanation, characters. */
const maxValueLength = 60

type RequestList = (target: string) => Promise<unknown>

/** Number of rows in a list. `isAll` is false if there may be more. */
interface RowCount {
  rows: number
  isAll: boolean
}

/** A copy of a world. */
interface WorldCopy {
  readonly world: World
  readonly control: Pick<Control, 'act' | 'faults'>
  readonly queue: { handle: (call: Call) => Promise<Reply> }
}

/**
 * Explains why the list in a response is empty or short. Uses a copy of the world without limits
 * and faults.
 */
export async function explainListUsingCopy(
  copy: WorldCopy,
  entry: JournalEntry,
): Promise<string[]> {
  const { control, queue, world } = copy
  control.faults.clear()
  control.act([
    { type: 'limits.set', minute: 1_000_000, day: 1_000_000 },
    { type: 'credits.set', credits: null, isSubscriptionActive: true },
    { type: 'variation.set', seed: null },
  ])
  const { role, organisation } = entry
  const key = world.db.apiKeys
    .all()
    .find((known) => known.role === role && known.organisation === organisation)?.key
  const header = (name: string) => (name === 'x-api-key' ? (key ?? null) : null)
  return explainList(entry, async (url) => {
    const { status, body } = await queue.handle({ method: 'GET', url, header, body: null })
    return status === 200 && !(body instanceof Uint8Array)
      ? parseJsonBody(getBodyText(body))
      : undefined
  })
}

/**
 * Explains why a list is empty or shorter than it would be without its filters. Repeats the request
 * without each filter, so the explanation describes the current data.
 * @param ask sends a GET to a copy of the world, and returns the response, or undefined if the
 * request fails
 */
async function explainList(entry: JournalEntry, ask: RequestList): Promise<string[]> {
  const rows = countResponseRows(parseJsonBody(entry.response.body ?? ''))
  if (entry.method !== 'GET' || entry.status !== 200 || rows === undefined) return []
  const list = new List(splitUrl(entry.path), ask)
  const sent = await list.count([])
  if (sent === undefined) return []
  // Bounds such as `before` are explained only if the list is empty, because clients also use them
  // for paging.
  const filters = list.names.filter(
    (name) => !pageNames.has(name) && (rows === 0 || getRangeDirection(name) === undefined),
  )
  const notes: string[] = []
  for (const name of filters) {
    const without = await list.count([name])
    if (without !== undefined && without.rows > sent.rows)
      notes.push(
        `${describe(name, list, sent)}. Without this parameter, the list now has ` +
          `${describeCount(without)}.`,
      )
  }
  if (notes.length === 0 && filters.length > 1 && sent.rows === 0) {
    const without = await list.count(filters)
    if (without !== undefined && without.rows > 0)
      notes.push(`Without ${filters.join(' and ')}, the list now has ${describeCount(without)}.`)
  }
  const offset = list.query.get('offset')
  if (rows === 0 && offset !== null && sent.rows > 0)
    notes.push(`offset ${offset} is past the end: the list now has ${describeCount(sent)}.`)
  else if (rows === 0 && sent.rows > 0 && notes.length === 0)
    notes.push(`The list was empty at that time. It now has ${describeCount(sent)}.`)
  if (rows === 0 && sent.rows === 0 && notes.length === 0)
    notes.push('The list is now empty, even without filters.')
  return notes
}

class List {
  readonly query: URLSearchParams
  readonly #path: string
  readonly #request: RequestList

  constructor({ path, rawQuery }: { path: string; rawQuery: string }, ask: RequestList) {
    this.#path = path
    this.#request = ask
    this.query = new URLSearchParams(rawQuery)
  }

  get names(): string[] {
    return [...new Set(this.query.keys())]
  }

  /**
   * Counts the rows that the list has without the given filters. Returns undefined if the request
   * fails.
   */
  async count(without: readonly string[]): Promise<RowCount | undefined> {
    // Some lists have a lower maximum of `limit`.
    return (await this.#walk(without, largePage)) ?? this.#walk(without)
  }

  async #walk(without: readonly string[], limit?: string): Promise<RowCount | undefined> {
    const query = new URLSearchParams(this.query)
    for (const name of ['limit', 'offset', 'page', ...without]) query.delete(name)
    if (limit !== undefined) query.set('limit', limit)
    let target: string | undefined = `${this.#path}?${query}`
    let rows = 0
    for (let page = 0; page < maxPages && target !== undefined; page += 1) {
      const answer = await this.#request(target)
      const more = countResponseRows(answer)
      if (more === undefined) return undefined
      rows += more
      target = this.#nextTarget(answer, query)
    }
    return { rows, isAll: target === undefined }
  }

  #nextTarget(answer: unknown, query: URLSearchParams): string | undefined {
    const { _pagination: pagination } = answer as { _pagination?: { next_page?: string | null } }
    const next = pagination?.next_page ?? undefined
    if (next === undefined || next.startsWith('/')) return next
    query.set('offset', next)
    return `${this.#path}?${query}`
  }
}

const sides = { older: 'is before the first row', newer: 'is after the last row' } as const

function describe(name: string, { query, names }: List, { rows }: RowCount): string {
  const value = `${name}=${truncateForMessage(query.get(name) ?? '', maxValueLength)}`
  const kept = getRangeDirection(name)
  // With two bounds, the list may be empty even though each bound alone matches some rows.
  const isOnly = names.filter((each) => getRangeDirection(each) !== undefined).length === 1
  if (rows === 0 && isOnly && kept !== undefined && kept !== 'next')
    return `${value} ${sides[kept]}`
  return `${value} leaves ${rows === 0 ? 'no rows' : describeCount({ rows, isAll: true })}`
}

function describeCount({ rows, isAll }: RowCount): string {
  return `${isAll ? '' : 'at least '}${rows} ${rows === 1 ? 'row' : 'rows'}`
}

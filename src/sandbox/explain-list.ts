import { z } from 'zod'
import type { Call, Reply, Route } from '../api/route.ts'
import { createControl } from '../control/control.ts'
import type { ControlHost } from '../control/control-host.ts'
import { createSlicePause } from '../world/work.ts'
import type { PausePolicy } from '../world/work.ts'
import { getBodyText } from '../world/journal/exchange.ts'
import type { JournalEntry } from '../world/journal/journal-entry.ts'
import { parseJsonBody } from '../lib/plain-json.ts'
import { countResponseRows } from '../lib/iterables.ts'
import { getRangeDirection, pageNames } from '../lib/paging-parameters.ts'
import { splitUrl } from '../lib/url.ts'
import { routes } from '../resources/all-resources.ts'
import { truncateForMessage } from '../errors.ts'
import { isBytes } from '../lib/realms.ts'

/** Maximum number of pages to read when counting a list's rows. */
const maxPages = 50
/** Maximum number of parameters and fields that are tried. */
const maxTried = 20
/** Maximum number of pages to read for an explanation. */
const maxPreviews = 200
/** Maximum processing time of an explanation on a server, ms. */
const maxMs = 2000
/** Page size for counting rows. */
const largePage = 100
/** Maximum length of a value in an explanation, characters. */
const maxValueLength = 60

/** Fields of the request body. Undefined for a GET. */
type Fields = Readonly<Record<string, unknown>> | undefined

/** Number of rows in a list. `isAll` is false if there may be more. */
interface RowCount {
  rows: number
  isAll: boolean
}

/** A copy of a world. */
interface WorldCopy extends ControlHost {
  readonly queue: ControlHost['queue'] & {
    readonly pace: PausePolicy | undefined
    handle: (call: Call) => Promise<Reply>
  }
}

/**
 * Explains why the list in a response is empty or short. Repeats the request in a copy of the world
 * that has no limits or faults.
 */
export function explainListUsingCopy(copy: WorldCopy, entry: JournalEntry): Promise<string[]> {
  const { world } = copy
  const control = createControl(copy)
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
  return explainList(entry, new Previews(copy, entry.method, key))
}

/** Sends requests to a copy of a world, within a budget. Pauses between requests on a server. */
class Previews {
  readonly #queue: WorldCopy['queue']
  readonly #method: string
  readonly #headers: Readonly<Record<string, string | undefined>>
  readonly #pause: () => Promise<void>
  #count = 0
  #ms = 0

  constructor({ queue }: WorldCopy, method: string, key: string | undefined) {
    this.#queue = queue
    this.#method = method
    this.#headers = { 'x-api-key': key, 'content-type': 'application/json' }
    this.#pause = createSlicePause(queue.pace)
  }

  /** True if no more requests may be sent. */
  get isSpent(): boolean {
    return this.#count >= maxPreviews || this.#ms >= maxMs
  }

  /** Returns the response, or undefined if the request fails. */
  async send(url: string, fields: Fields): Promise<unknown> {
    await this.#pause()
    const { pace } = this.#queue
    const start = pace?.now() ?? 0
    const { status, body } = await this.#queue.handle({
      method: this.#method,
      url,
      header: (name) => this.#headers[name] ?? null,
      body: fields === undefined ? null : JSON.stringify(fields),
    })
    const isText = status === 200 && !isBytes(body)
    const answer = isText ? parseJsonBody(getBodyText(body)) : undefined
    this.#count += 1
    this.#ms += (pace?.now() ?? 0) - start
    return answer
  }
}

/**
 * Explains why a list is empty or shorter than it would be without its filters. Repeats the request
 * without each filter, so the explanation describes the current data.
 */
async function explainList(entry: JournalEntry, previews: Previews): Promise<string[]> {
  const rows = countResponseRows(parseJsonBody(entry.response.body ?? ''))
  if (!readsList(entry) || entry.status !== 200 || rows === undefined) return []
  const list = new List(entry, previews)
  const sent = await list.count([])
  if (sent === undefined) return []
  // Explains range bounds such as `before` only if the list is empty, because clients also use them
  // for paging.
  const filters = list.names.filter(
    (name) => !pageNames.has(name) && (rows === 0 || getRangeDirection(name) === undefined),
  )
  const notes: string[] = []
  let tried = 0
  for (const name of filters.slice(0, maxTried)) {
    if (previews.isSpent) break
    tried += 1
    const without = await list.count([name])
    if (without !== undefined && without.rows > sent.rows)
      notes.push(
        `${describe(name, list, sent)}. Without this parameter, the list now has ` +
          `${describeCount(without)}.`,
      )
  }
  const untried = filters.slice(tried)
  if (notes.length === 0 && filters.length > 1 && sent.rows === 0 && untried.length === 0) {
    const without = await list.count(filters)
    if (without !== undefined && without.rows > 0)
      notes.push(`Without ${filters.join(' and ')}, the list now has ${describeCount(without)}.`)
  }
  const offset = list.valueOf('offset')
  if (rows === 0 && offset !== undefined && sent.rows > 0)
    notes.push(`offset ${offset} is past the end: the list now has ${describeCount(sent)}.`)
  else if (rows === 0 && sent.rows > 0 && notes.length === 0)
    notes.push(`The list was empty at that time. It now has ${describeCount(sent)}.`)
  if (rows === 0 && sent.rows === 0 && notes.length === 0 && untried.length === 0)
    notes.push('The list is now empty, even without filters.')
  return [...notes, ...describeUntried(untried)]
}

function describeUntried([first, ...others]: readonly string[]): string[] {
  if (first === undefined) return []
  const name = truncateForMessage(first, maxValueLength)
  const what = others.length === 0 ? name : `${name} and ${others.length} more parameters`
  return [
    `Not tried: ${what}. An explanation tries at most ${maxTried} parameters, reads at most ` +
      `${maxPreviews} pages, and takes at most ${maxMs / 1000} s.`,
  ]
}

/** True for a GET, and for a POST that only reads a list. */
function readsList({ method, route: id }: JournalEntry): boolean {
  const route = routes.find((each) => each.id === id)
  return method === 'GET' || (route?.isRead === true && route.pagination !== undefined)
}

class List {
  /**
   * Names of all query parameters and body fields in the request. Those that the route knows come
   * first.
   */
  readonly names: readonly string[]
  readonly #path: string
  readonly #query: URLSearchParams
  readonly #fields: Fields
  readonly #previews: Previews

  constructor({ method, path: url, request, route: id }: JournalEntry, previews: Previews) {
    const { path, rawQuery } = splitUrl(url)
    this.#path = path
    this.#query = new URLSearchParams(rawQuery)
    this.#fields = method === 'GET' ? undefined : (parseJsonBody(request.body ?? '') as Fields)
    this.#previews = previews
    const sent = [...new Set([...this.#query.keys(), ...Object.keys(this.#fields ?? {})])]
    const route = routes.find((each) => each.id === id)
    const known = new Set([...listFields(route?.query), ...listFields(route?.body)])
    this.names = [
      ...sent.filter((name) => known.has(name)),
      ...sent.filter((name) => !known.has(name)),
    ]
  }

  /**
   * Returns the sent value of a parameter or field. Returns undefined if the client did not send
   * it.
   */
  valueOf(name: string): string | undefined {
    const field = this.#fields?.[name]
    return this.#query.get(name) ?? (typeof field === 'string' ? field : JSON.stringify(field))
  }

  /**
   * Counts the rows that the list has without the given filters. Returns undefined if the request
   * fails.
   */
  async count(without: readonly string[]): Promise<RowCount | undefined> {
    // Retries with a smaller page size, because some lists have a lower maximum `limit`.
    return (await this.#walk(without, largePage)) ?? this.#walk(without)
  }

  async #walk(without: readonly string[], limit?: number): Promise<RowCount | undefined> {
    const removed = ['limit', 'offset', 'page', ...without]
    const query = new URLSearchParams(this.#query)
    for (const name of removed) query.delete(name)
    const fields = this.#fields && { ...this.#fields }
    for (const name of removed) delete fields?.[name]
    if (limit !== undefined && fields !== undefined) fields['limit'] = limit
    if (limit !== undefined && fields === undefined) query.set('limit', String(limit))
    let target: string | undefined = `${this.#path}?${query}`
    let rows = 0
    for (let page = 0; page < maxPages && target !== undefined; page += 1) {
      if (page > 0 && this.#previews.isSpent) break
      const answer = await this.#previews.send(target, fields)
      const more = countResponseRows(answer)
      if (more === undefined) return undefined
      rows += more
      const next = readNextPage(answer)
      if (next === undefined || next.startsWith('/')) target = next
      else if (fields !== undefined) fields['offset'] = Number(next)
      else {
        query.set('offset', next)
        target = `${this.#path}?${query}`
      }
    }
    return { rows, isAll: target === undefined }
  }
}

/** Names of a schema's fields. Empty if the schema is not an object. */
function listFields(schema: Route['body'] | undefined): string[] {
  if (schema instanceof z.ZodLazy) return listFields(schema.unwrap() as z.ZodType)
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

function readNextPage(answer: unknown): string | undefined {
  const { _pagination: pagination } = answer as { _pagination?: { next_page?: string | null } }
  return pagination?.next_page ?? undefined
}

const sides = { older: 'is before the first row', newer: 'is after the last row' } as const

function describe(name: string, list: List, { rows }: RowCount): string {
  const { names } = list
  const value = `${name}=${truncateForMessage(list.valueOf(name) ?? '', maxValueLength)}`
  const kept = getRangeDirection(name)
  // Reports a bound as the cause only if no other bound is set. With two bounds, the list may be
  // empty although each bound matches some rows.
  const isOnly = names.filter((each) => getRangeDirection(each) !== undefined).length === 1
  if (rows === 0 && isOnly && kept !== undefined && kept !== 'next')
    return `${value} ${sides[kept]}`
  return `${value} leaves ${rows === 0 ? 'no rows' : describeCount({ rows, isAll: true })}`
}

function describeCount({ rows, isAll }: RowCount): string {
  return `${isAll ? '' : 'at least '}${rows} ${rows === 1 ? 'row' : 'rows'}`
}

import { createTimeoutError } from '../audit/near-misses.ts'
import { assertSettled, parseRequestFilter, selectRequests } from '../audit/received-requests.ts'
import type { SettledOptions, SettledState } from '../audit/received-requests.ts'
import { createWaitError } from '../audit/request-filter.ts'
import type { ReceivedFilter } from '../audit/request-filter.ts'
import { assertListener } from '../audit/sandbox-events.ts'
import type { SandboxEvents } from '../audit/sandbox-events.ts'
import { toSentRequest } from '../audit/sent-request.ts'
import type { SentRequest } from '../audit/sent-request.ts'
import type { RequestFilter } from '../generated/inputs.ts'
import type { DoneAction } from '../world/action-log.ts'
import type { Fault } from '../world/fault-input.ts'
import type { JournalEntry } from '../world/journal/journal-entry.ts'

/** Access to the control plane of a remote sandbox. */
export interface RequestAccess {
  /** Sends a GET request. Creates the world if needed. */
  get: <Answer>(path: string, query?: object) => Promise<Answer>
  /** Like `get`, but returns undefined if the world was removed or the server stopped. */
  getIfExists: Get
  /** Opens the event stream. It contains all events from now on. */
  openEvents: () => Promise<ReadableStream<Uint8Array>>
  /** Returns the faults that the last reset removed before they hit a request. */
  getRemovedFaults: () => readonly Fault[]
}

type Get = (path: string, query: object) => Promise<unknown>

/** Returns client requests since the checkpoint that match a filter, oldest first. */
export async function listReceivedRequests(
  get: Get,
  filter: ReceivedFilter<string> = {},
): Promise<SentRequest[]> {
  const checked = parseRequestFilter(filter)
  // For the control plane, `null` means no route. In a filter, it is an unknown route.
  const route = checked.route === 'null' ? 'NULL' : checked.route
  const entries = await readRequests(get, { asked_by: 'client', since_checkpoint: true, route })
  return selectRequests(entries, checked).map(toSentRequest)
}

/** Returns requests, oldest first. */
async function readRequests(get: Get, filter: RequestFilter): Promise<JournalEntry[]> {
  const newestFirst = (await get('/requests', filter)) as JournalEntry[] | undefined
  return newestFirst?.toReversed() ?? []
}

/**
 * Waits for a matching request. Resolves with the first one since the checkpoint, or else with the
 * next one.
 *
 * @throws {SandboxError} after `timeoutMs`, or when the world is removed
 */
export async function waitForRequest(
  { openEvents, getIfExists }: RequestAccess,
  filter: ReceivedFilter<string>,
  { timeoutMs = 5000 }: { timeoutMs?: number } = {},
): Promise<SentRequest> {
  parseRequestFilter(filter)
  const { events, close } = readEvents(await openEvents())
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    close()
  }, timeoutMs)
  try {
    const [known] = await listReceivedRequests(getIfExists, filter)
    if (known !== undefined) return known
    for await (const { name } of events) {
      if (name !== 'requests') continue
      const [next] = await listReceivedRequests(getIfExists, filter)
      if (next !== undefined) return next
    }
  } finally {
    clearTimeout(timer)
    close()
  }
  if (!isLate) throw createWaitError(filter)
  const entries = await listReceivedRequests(getIfExists)
  const [last] = selectRequests(entries, filter)
  if (last === undefined) throw createTimeoutError(filter, timeoutMs, entries)
  return last
}

/**
 * Asserts that there have been no problems since the checkpoint.
 *
 * @throws {SandboxError} that lists the problems
 */
export async function assertRemoteSettled(
  { get, getRemovedFaults }: RequestAccess,
  options: SettledOptions = {},
): Promise<void> {
  const unfinished = { mediaId: 'null', limit: 10_000 }
  const { items } = await get<{ items: SettledState['uploads'] }>('/data/uploads', unfinished)
  const state = {
    requests: await listReceivedRequests(get),
    faults: await get<Fault[]>('/faults'),
    removedFaults: getRemovedFaults(),
    uploads: items,
  }
  assertSettled(state, options)
}

/**
 * Calls a function after each request or action, until the returned function is called or the world
 * is removed.
 *
 * @throws {SandboxError} if the event is unknown
 */
export async function listen<Name extends keyof SandboxEvents>(
  access: RequestAccess,
  name: Name,
  listener: (event: SandboxEvents[Name]) => void,
): Promise<() => void> {
  assertListener(name, listener)
  const readNew =
    name === 'request' ? createRequestReader(access) : await createActionReader(access)
  const { events, close } = readEvents(await access.openEvents())
  let isStopped = false
  const forward = async () => {
    for await (const event of events)
      for (const item of await readNew(event))
        // Errors of the listener become uncaught exceptions, as in a sandbox.
        queueMicrotask(() => {
          if (!isStopped) listener(item as SandboxEvents[Name])
        })
  }
  void forward()
  return () => {
    isStopped = true
    close()
  }
}

type NewItemReader = (event: ServerEvent) => Promise<readonly object[]> | readonly object[]

/** Reads the new requests with their bodies, because an event contains only some rows of them. */
function createRequestReader({ getIfExists }: RequestAccess): NewItemReader {
  return async ({ name, data }) => {
    if (name !== 'requests') return []
    const { total, missed, list } = data as { total: number; missed: number; list: unknown[] }
    return readRequests(getIfExists, { before: total + 1, limit: missed + list.length })
  }
}

/** Selects the new actions. After a rewind, an event contains all remaining actions again. */
async function createActionReader({ get }: RequestAccess): Promise<NewItemReader> {
  const known = new Map<number, string>()
  const takeNew = (actions: readonly DoneAction[]) =>
    actions.filter((action) => {
      const text = JSON.stringify(action)
      const isNew = known.get(action.id) !== text
      known.set(action.id, text)
      return isNew
    })
  takeNew(await get('/happenings'))
  return ({ name, data }) => (name === 'actions' ? takeNew(data as DoneAction[]) : [])
}

/** A server-sent event. */
interface ServerEvent {
  name: string
  data: unknown
}

/** Reads an event stream until it ends or is closed. */
function readEvents(stream: ReadableStream<Uint8Array>): {
  events: AsyncIterable<ServerEvent>
  close: () => void
} {
  const reader = stream.getReader()
  // Cancelling fails if the connection is already broken.
  const close = () => void reader.cancel().catch(() => {})
  return { events: parseEvents(reader), close }
}

async function* parseEvents(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder()
  // A broken connection ends the stream, as the removal of the world does.
  const read = () => reader.read().catch(() => ({ done: true, value: undefined }) as const)
  let text = ''
  for (let { value } = await read(); value !== undefined; { value } = await read()) {
    const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, name, data = ''] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? []
      if (name !== undefined) yield { name, data: JSON.parse(data) as unknown }
    }
  }
}

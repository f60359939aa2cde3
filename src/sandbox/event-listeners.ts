import { listReceivedRequests } from '../audit/received-requests.ts'
import { createWaitError, describeRequestDifferences } from '../audit/request-filter.ts'
import type { ReceivedFilter } from '../audit/request-filter.ts'
import { assertListener } from '../audit/sandbox-events.ts'
import type { SandboxEvents } from '../audit/sandbox-events.ts'
import type { JournalEntry } from '../world/journal/journal-entry.ts'
import type { World } from '../resources/world.ts'

type Listeners = { [Name in keyof SandboxEvents]: Set<(event: SandboxEvents[Name]) => void> }

/**
 * Event listeners of a sandbox. They run after the request or action is complete. An error in a
 * listener does not affect requests, but becomes an uncaught exception.
 */
export class EventListeners {
  readonly #listeners: Listeners = { request: new Set(), happening: new Set() }
  /** Functions to call when the sandbox is closed. */
  readonly onClose = new Set<() => void>()
  #world: World | undefined

  /**
   * Calls a function for each event. The returned function removes the listener.
   *
   * @throws {SandboxError} if the event is unknown
   */
  on<Name extends keyof SandboxEvents>(
    name: Name,
    listener: (event: SandboxEvents[Name]) => void,
    world: () => World,
  ): () => void {
    assertListener(name, listener)
    const listeners = this.#listeners[name]
    // Wraps the listener, so that the same function can be added twice and each registration can be
    // removed separately.
    const own = (event: SandboxEvents[Name]) => listener(event)
    listeners.add(own)
    this.attach(world())
    return () => {
      listeners.delete(own)
      if (this.#world !== undefined) this.attach(this.#world)
    }
  }

  /** Notifies the callers that wait for a request. */
  close(): void {
    for (const end of this.onClose) end()
  }

  /** Attaches the listeners to a world, for example after another scenario is loaded. */
  attach(world: World): void {
    if (this.#world !== undefined && this.#world !== world)
      this.#world.journal.onRecord = this.#world.actionLog.onRecord = undefined
    this.#world = world
    const { request, happening } = this.#listeners
    const { journal, actionLog } = world
    journal.onRecord = request.size === 0 ? undefined : (read) => notify(request, read)
    // The listener gets no failed actions, because they are rolled back and missing from the log.
    actionLog.onRecord =
      happening.size === 0
        ? undefined
        : (id) => notify(happening, () => actionLog.after(id - 1).find((done) => done.id === id))
  }
}

function notify<Event>(
  listeners: ReadonlySet<(event: Event) => void>,
  read: () => Event | undefined,
): void {
  queueMicrotask(() => {
    const event = read()
    if (event === undefined) return
    for (const listener of listeners) listener(event)
  })
}

/**
 * Waits for a matching request. Resolves with the first one since the checkpoint, or else with the
 * next one.
 *
 * @throws {SandboxError} after `timeoutMs` real milliseconds, with the three most similar requests
 * and their differences, or when the sandbox is closed
 */
export function waitForRequest(
  {
    world,
    on,
    onClose,
  }: {
    world: () => World
    on: (listener: (entry: JournalEntry) => void) => () => void
    onClose: Set<() => void>
  },
  filter: ReceivedFilter<string>,
  timeoutMs: number,
): Promise<JournalEntry> {
  const [known] = listReceivedRequests(world(), filter)
  if (known !== undefined) return Promise.resolve(known)
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      stop()
      onClose.delete(endOnClose)
    }
    const endOnClose = () => {
      end()
      reject(createWaitError(filter))
    }
    onClose.add(endOnClose)
    const stop = on((entry) => {
      if (entry.asked_by !== 'client' || describeRequestDifferences(entry, filter).length > 0)
        return
      end()
      resolve(entry)
    })
    const giveUp = async () => {
      end()
      const { createTimeoutError } = await import('../audit/near-misses.ts')
      throw createTimeoutError(filter, timeoutMs, listReceivedRequests(world(), {}))
    }
    const timer = setTimeout(() => void giveUp().catch(reject), timeoutMs)
  })
}

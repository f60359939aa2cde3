import { differencesOf } from '../audit/received.ts'
import type { ReceivedFilter } from '../audit/received.ts'
import type { DoneAction } from '../world/action-log.ts'
import type { JournalEntry } from '../world/journal-entry.ts'
import { SandboxError } from '../errors.ts'
import type { World } from '../resources/world.ts'
import { receivedBy } from './verify.ts'

/** What a sandbox tells those who listen, by the name of the event. */
export interface SandboxEvents {
  /** A request was answered. */
  request: JournalEntry
  /** An action was done, or a chapter of the story began. */
  happening: DoneAction
}

type Listeners = { [Name in keyof SandboxEvents]: Set<(event: SandboxEvents[Name]) => void> }

/**
 * Those who listen to a sandbox. They are told once the world is done with what they are told of,
 * so that one that throws harms no request: its error is uncaught.
 */
export class Observers {
  readonly #listeners: Listeners = { request: new Set(), happening: new Set() }
  #world: World | undefined

  /**
   * Calls a function at each event, until the returned function is called. @throws {SandboxError}
   * for an event that there is not.
   */
  on<Name extends keyof SandboxEvents>(
    name: Name,
    listener: (event: SandboxEvents[Name]) => void,
    world: () => World,
  ): () => void {
    const listeners = Object.hasOwn(this.#listeners, name) ? this.#listeners[name] : undefined
    if (listeners === undefined || typeof listener !== 'function')
      throw new SandboxError(
        `Failed to listen to ${JSON.stringify(name)}: give 'request' or 'happening', and a ` +
          `function.`,
      )
    // The same function may listen twice, and then ends twice.
    const own = (event: SandboxEvents[Name]) => listener(event)
    listeners.add(own)
    this.follow(world())
    return () => {
      listeners.delete(own)
      if (this.#world !== undefined) this.follow(this.#world)
    }
  }

  /**
   * Listens to another world from now on: another scenario was loaded. Where nobody listens a
   * request costs nothing.
   */
  follow(world: World): void {
    if (this.#world !== undefined && this.#world !== world)
      this.#world.journal.onRecord = this.#world.actionLog.onRecord = undefined
    this.#world = world
    const { request, happening } = this.#listeners
    const { journal, actionLog } = world
    journal.onRecord =
      request.size === 0 ? undefined : (id) => tell(request, () => journal.entry(id))
    // What failed was taken back.
    actionLog.onRecord =
      happening.size === 0
        ? undefined
        : (id) => tell(happening, () => actionLog.after(id - 1).find((done) => done.id === id))
  }
}

function tell<Event>(
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
 * Waits for a request that matches: the first since the checkpoint, or the next to come.
 * @throws {SandboxError} after `timeoutMs` real milliseconds, with the three nearest requests and
 * how they differ.
 */
export function waitForRequest(
  {
    world,
    on,
  }: { world: () => World; on: (listener: (entry: JournalEntry) => void) => () => void },
  filter: ReceivedFilter,
  timeoutMs: number,
): Promise<JournalEntry> {
  const [known] = receivedBy(world(), filter)
  if (known !== undefined) return Promise.resolve(known)
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      stop()
    }
    const stop = on((entry) => {
      if (entry.asked_by !== 'client' || differencesOf(entry, filter).length > 0) return
      end()
      resolve(entry)
    })
    const giveUp = async () => {
      end()
      const { describeMiss } = await import('../audit/miss.ts')
      const miss = describeMiss(receivedBy(world(), {}), filter)
      throw new SandboxError(
        `Failed to wait for ${JSON.stringify(filter)}: it did not come within ${timeoutMs} ms. ` +
          `${miss}`,
      )
    }
    const timer = setTimeout(() => void giveUp().catch(reject), timeoutMs)
  })
}

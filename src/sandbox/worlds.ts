import type { Log } from '../lib/log.ts'
import { readApiKey } from '../api/admission.ts'
import { createErrorReply } from '../api/envelope.ts'
import type { Call, Reply, RouteMatcher } from '../api/route.ts'
import { splitUrl } from '../lib/url.ts'
import {
  mainId,
  splitWorldKey,
  toWorldId,
  worldNameForm,
  toWorldName,
} from '../world/world-name.ts'
import {
  ApiError,
  createApiError,
  QueueFullError,
  MemoryLimitError,
  quoteText,
  SandboxError,
  UnavailableError,
} from '../errors.ts'
import type { World } from '../resources/world.ts'
import type { CallHead } from './body-limit.ts'
import { canSkipQueue } from './served-routes.ts'
import type { Leases } from './state/leases.ts'
import type { SavedWorld } from './state/saved-entry.ts'
import type { WorldSaver } from './state/world-saver.ts'

/** Idle time after which a world can be dropped from memory, in minutes of real time. */
const idleMinutes = 5
const minuteMs = 60_000
/** Maximum number of names of dropped worlds to remember. */
const maxDropped = 10_000

/** A world with its request queue. */
export interface QueuedWorld extends SavedWorld {
  readonly world: World
  /** Undefined for the main world. */
  readonly worldName: string | undefined
  /** True if the world must not be evicted now. */
  readonly isBusy: boolean
  readonly isClosed: boolean
  readonly queue: {
    handle: (call: Call, sentAfter: number) => Promise<Reply>
    handleNow: (call: Call) => Promise<Reply>
  }
  close: () => void
}

/** The parts of the main world that the `Worlds` class needs. */
export interface WorldsHost<Instance extends QueuedWorld> {
  /** Resolves when the main world is ready. */
  ready: () => Promise<void>
  /**
   * Creates a world in the seeded state.
   *
   * @throws {SandboxError} before `ready`
   */
  make: (name: string) => Instance
  /** True if worlds should be evicted to free memory. */
  isCrowded: () => boolean
  /** Restores a new world from the store before its first request. */
  restore: (runtime: Instance, from: WorldSaver) => void
  match: RouteMatcher['match']
  /** True if a key is valid in the main world. */
  isMainKey: (key: string) => boolean
  /** True if a key exists in the seeded state, so that new worlds accept it. */
  isSeededKey: (key: string) => boolean
  maxWorlds: number
  /** Monotonic real time, ms. */
  realTime: () => number
  log: Log
}

/** A world in memory, with information about its use. */
interface Entry<Instance> {
  runtime: Instance
  /** Real time of the last use, ms. */
  usedAt: number
  /** Number of requests in progress. */
  pendingRequests: number
  /** Called when no requests are in progress. */
  onIdle?: () => void
  /** The state of the world when it was created. Used to detect changes. */
  made: { world: World; lastChange: number }
}

/**
 * The isolated worlds of a sandbox, by name. The API key, media link, upload URL or share in a
 * request determines its world.
 */
export class Worlds<Instance extends QueuedWorld> {
  readonly #host: WorldsHost<Instance>
  readonly #entries = new Map<string, Entry<Instance>>()
  /**
   * Notes about dropped worlds, by name. If a new world gets the same name, its journal shows the
   * note.
   */
  readonly #dropped = new Map<string, string>()
  #lastNumber = 0
  #droppedCount = 0
  #storedCount = 0
  #resetCount = 0
  /** Saves evicted worlds. Without a store, evicted worlds are lost. */
  store: WorldSaver | undefined

  constructor(host: WorldsHost<Instance>) {
    this.#host = host
  }

  /** Number of worlds in memory, its limit, and the number of evicted worlds that were lost. */
  get count(): { open: number; most: number; dropped: number } {
    return { open: this.#entries.size, most: this.#host.maxWorlds, dropped: this.#droppedCount }
  }

  /** Number of times that a world was evicted to the store. */
  get storedCount(): number {
    return this.#storedCount
  }

  /** Counts a reset of a world, and returns its number. */
  countReset(): number {
    this.#resetCount += 1
    return this.#resetCount
  }

  /**
   * Handles a request in the world that the request selects, or else in `own`. The host passes a
   * promise if it must read the body first, so that the request counts as sent now.
   */
  async handle(given: Call | Promise<Call>, own: Instance): Promise<Reply> {
    const sentAfter = this.#resetCount
    const call = 'then' in given ? await given : given
    if (canSkipQueue(call)) return own.queue.handleNow(call)
    if (hasWorldKey(call) || this.store !== undefined) {
      // Waits for `ready`, because the worlds' keys are unknown until then.
      await this.#host.ready()
      // Checks again after each wait, because another request may have created a world with the
      // free capacity.
      while (this.store?.mustWaitForBacklog === true) await this.store.progress()
    }
    const leases = this.store?.leases
    const handle = () => this.#handle(call, own, sentAfter)
    return leases === undefined ? handle() : this.#handleOwned(call, leases, handle)
  }

  /** Handles a request if this server owns the world or can take it over. */
  async #handleOwned(call: Call, leases: Leases, handle: () => Promise<Reply>): Promise<Reply> {
    try {
      const lease = await leases.acquire(this.#toId(call))
      try {
        const reply = await handle()
        lease.check()
        return reply
      } catch (error) {
        // Reports a lost lease instead of this error, because the world may have been closed when
        // another server took over its lease.
        lease.check()
        throw error
      } finally {
        lease.release()
      }
    } catch (error) {
      if (error instanceof UnavailableError) return createErrorReply(503, error.message)
      throw error
    }
  }

  async #handle(call: Call, own: Instance, sentAfter: number): Promise<Reply> {
    let runtime: Instance
    try {
      runtime = this.select(call) ?? own
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof MemoryLimitError)) throw error
      return own.queue.handleNow({ ...call, refusal: error })
    }
    const entry = this.#entries.get(runtime.worldName ?? '')
    // Counts the request, so that the world stays in memory while the request waits.
    if (entry !== undefined) entry.pendingRequests += 1
    try {
      // Without a store, the request does not wait, so that requests keep their order.
      const acknowledge =
        this.store === undefined || readsOnly(call)
          ? undefined
          : await this.store.admit(runtime.world.id)
      // Selects the world again if it has been closed in the meantime, for example because it was
      // deleted.
      if (runtime.isClosed && runtime !== own) return await this.#handle(call, own, sentAfter)
      const reply = await runtime.queue.handle(call, sentAfter)
      await acknowledge?.()
      return reply
    } finally {
      if (entry !== undefined) {
        entry.pendingRequests -= 1
        if (entry.pendingRequests === 0) entry.onIdle?.()
        this.#noteUse(entry)
        if (this.#host.isCrowded()) this.#storeUnused()
      }
    }
  }

  /**
   * Finds the world of a request by its key, media link, upload URL or share. `<key>~<name>`
   * creates the world if needed. Returns undefined if the request selects no world.
   *
   * @throws {ApiError} worlds_full; {MemoryLimitError}
   */
  select(call: CallHead): Instance | undefined {
    const { name, mayBeMade } = this.#getName(call)
    return this.#find(name) ?? (mayBeMade ? this.#addForCall(name) : undefined)
  }

  /** True if this server does not know the request's world, so another server may own it. */
  isElsewhere(call: CallHead): boolean {
    return this.store?.leases?.has(this.#toId(call)) === false
  }

  #toId(call: CallHead): string {
    const { name } = this.#getName(call)
    return name !== undefined && worldNameForm.test(name) ? toWorldId(name) : mainId
  }

  /**
   * Returns the name of the world that a request selects, and whether the request may create it.
   */
  #getName(
    call: CallHead,
  ): { name: string; mayBeMade: boolean } | { name?: string | undefined; mayBeMade: false } {
    const sent = readApiKey(call)
    const named = sent === null ? undefined : splitWorldKey(sent)
    if (named === undefined && this.#entries.size === 0 && this.store === undefined)
      return { mayBeMade: false }
    const { path, rawQuery } = splitUrl(call.url)
    const { route, params } = this.#host.match(call.method, path)
    const id = route?.worldId?.({ params, rawQuery })
    if (id !== undefined) return { name: toWorldName(id), mayBeMade: false }
    if (route?.isOfWorld !== undefined) {
      const isIt = ({ world }: Instance) => route.isOfWorld?.(world, { params, rawQuery })
      return { name: this.#list().find(isIt)?.worldName, mayBeMade: false }
    }
    if (
      route?.worldId !== undefined ||
      sent === null ||
      named === undefined ||
      this.#host.isMainKey(sent)
    )
      return { mayBeMade: false }
    const mayBeMade = route?.accessChecks !== 'none' && this.#host.isSeededKey(named.key)
    return { name: named.name, mayBeMade }
  }

  /**
   * Creates a world. Its default name is the next free name in the sequence `w1`, `w2`, …. With
   * `copy`, it is a copy of another world.
   *
   * @throws {SandboxError} if the name is taken
   * @throws {QueueFullError} if the limit is reached
   */
  create(given?: string, copy?: (name: string) => Instance): Instance {
    if (given === undefined && this.store?.leases !== undefined)
      throw new SandboxError(
        'Failed to create a world: its name is missing. A name is required if servers share ' +
          '--state. Add one, such as worker-3.',
      )
    const name = given ?? this.#nextName()
    if (this.has(name))
      throw new SandboxError(
        `Failed to create the world ${quoteText(name)}: a world with this name exists. Reset or ` +
          'remove it, or use another name.',
      )
    return this.#make(name, copy)
  }

  /**
   * Returns a world, creating it if needed.
   *
   * @throws {QueueFullError} if the limit is reached
   */
  open(name: string): Instance {
    return this.#entries.get(name)?.runtime ?? this.#make(name)
  }

  /** True if a world is in memory or stored. */
  has(name: string): boolean {
    return this.#entries.has(name) || this.#isStored(name)
  }

  /** Returns all worlds in memory, oldest first. */
  list(): { name: string; runtime: Instance }[] {
    return [...this.#entries].map(([name, { runtime }]) => ({ name, runtime }))
  }

  /** Removes a world from the list without closing it. */
  detach(name: string): void {
    this.#entries.delete(name)
  }

  /** Closes a world that is in memory. */
  close(name: string): void {
    this.#entries.get(name)?.runtime.close()
  }

  /** Closes a world and deletes it from the store. Returns false if the world does not exist. */
  delete(name: string): boolean {
    const runtime = this.#entries.get(name)?.runtime
    this.close(name)
    return this.store?.delete(toWorldId(name)) === true || runtime !== undefined
  }

  /** Resolves when a world has no requests in progress or is not in memory. */
  async idle(name: string): Promise<void> {
    const entry = this.#entries.get(name)
    if (entry === undefined || entry.pendingRequests === 0) return
    await new Promise<void>((resolve) => {
      entry.onIdle = resolve
    })
  }

  /** Marks a world as used at the current time. */
  markUsed(name: string): void {
    const entry = this.#entries.get(name)
    if (entry !== undefined) this.#noteUse(entry)
  }

  #noteUse(entry: Entry<Instance>): void {
    entry.usedAt = this.#host.realTime()
    const { worldName } = entry.runtime
    if (worldName !== undefined) this.store?.markUsed(toWorldId(worldName))
  }

  #list(): Instance[] {
    return [...this.#entries.values()].map(({ runtime }) => runtime)
  }

  /** Finds an existing world in memory or loads it from the store. */
  #find(name: string | undefined): Instance | undefined {
    if (name === undefined) return undefined
    const known = this.#entries.get(name)?.runtime
    return known ?? (this.#isStored(name) ? this.#addForCall(name) : undefined)
  }

  #isStored(name: string): boolean {
    return this.store?.has(toWorldId(name)) === true
  }

  #addForCall(name: string): Instance {
    if (!this.#hasRoom()) throw createApiError('worlds_full', { limit: this.#host.maxWorlds })
    return this.#add(name)
  }

  #make(name: string, copy?: (name: string) => Instance): Instance {
    if (!this.#hasRoom())
      throw new QueueFullError(
        `Failed to create the world ${quoteText(name)}: ` +
          `${createApiError('worlds_full', { limit: this.#host.maxWorlds }).message}`,
      )
    return this.#add(name, copy)
  }

  #add(name: string, copy?: (name: string) => Instance): Instance {
    const { make, restore, realTime } = this.#host
    const runtime = (copy ?? make)(name)
    // Counts a copy of another world as changed, because it cannot be recreated.
    const lastChange = copy === undefined ? runtime.world.changeLog.last : -1
    const made = { world: runtime.world, lastChange }
    this.#entries.set(name, { runtime, usedAt: realTime(), pendingRequests: 0, made })
    const { store } = this
    if (store?.has(runtime.world.id) === true) {
      restore(runtime, store)
      runtime.world.journal.noteNext(
        `The world ${name} was restored from --state. Its journal is empty.`,
      )
    } else store?.track(runtime.world.id, runtime)
    const note = this.#dropped.get(name)
    if (note !== undefined) runtime.world.journal.noteNext(note)
    this.#dropped.delete(name)
    return runtime
  }

  /** True if another world can be created, after dropping an unused world if necessary. */
  #hasRoom(): boolean {
    const { maxWorlds, isCrowded, realTime } = this.#host
    if (this.store !== undefined) {
      if (isCrowded()) this.#storeUnused()
      return this.#entries.size < maxWorlds || this.#storeUnused()
    }
    if (this.#entries.size < maxWorlds) return true
    const now = realTime()
    const first = this.#firstUnused(({ usedAt }) => now - usedAt >= idleMinutes * minuteMs)
    if (first === undefined) return false
    this.#drop(first.name, first.entry, Math.floor((now - first.entry.usedAt) / minuteMs))
    return true
  }

  /** Evicts an unused world to the store. Returns false if no world can be evicted. */
  #storeUnused(): boolean {
    if (this.store === undefined || this.store.hasBacklog) return false
    const first = this.#firstUnused(({ runtime }) => !runtime.isBusy)
    if (first === undefined) return false
    this.store.release(first.entry.runtime.world.id)
    this.#entries.delete(first.name)
    this.#storedCount += 1
    first.entry.runtime.close()
    return true
  }

  /**
   * Finds the first unused world that passes a test. Worlds are tested in the order of
   * `compareEvictionLoss`.
   */
  #firstUnused(
    passes: (entry: Entry<Instance>) => boolean,
  ): { name: string; entry: Entry<Instance> } | undefined {
    let first: { name: string; entry: Entry<Instance> } | undefined
    for (const [name, entry] of this.#entries) {
      if (entry.pendingRequests > 0 || !passes(entry)) continue
      if (first === undefined || compareEvictionLoss(entry, first.entry) < 0)
        first = { name, entry }
    }
    return first
  }

  #drop(name: string, entry: Entry<Instance>, minutes: number): void {
    const why =
      `The world ${name} was removed to make room for another one, because it had not been ` +
      `used for ${minutes} minutes`
    const loss = isUnchanged(entry)
      ? ''
      : ' Its changes are lost. To keep them, use --state FOLDER.'
    this.#host.log(`Warning: ${why}. The limit is ${this.#host.maxWorlds} worlds.${loss}`, 'note')
    if (this.#dropped.size >= maxDropped)
      this.#dropped.delete(this.#dropped.keys().next().value ?? '')
    this.#dropped.set(name, `${why}. This is a new world with the same name, in the seeded state.`)
    this.#droppedCount += 1
    entry.runtime.close()
    this.detach(name)
  }

  #nextName(): string {
    do this.#lastNumber += 1
    while (this.has(`w${this.#lastNumber}`))
    return `w${this.#lastNumber}`
  }
}

/** True if a world has not changed since its creation. */
function isUnchanged({ runtime: { world }, made }: Entry<QueuedWorld>): boolean {
  return world === made.world && world.changeLog.last === made.lastChange && world.faults.isEmpty
}

/** Sorts worlds for eviction: unchanged worlds first, then by time of last use, oldest first. */
function compareEvictionLoss(a: Entry<QueuedWorld>, b: Entry<QueuedWorld>): number {
  return Number(isUnchanged(b)) - Number(isUnchanged(a)) || a.usedAt - b.usedAt
}

/** True if a request does not write data. */
function readsOnly({ method }: Call): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

/** True if a request's key names an isolated world. */
function hasWorldKey(call: CallHead): boolean {
  const sent = readApiKey(call)
  return sent !== null && splitWorldKey(sent) !== undefined
}

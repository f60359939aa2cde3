import { SandboxError, UnavailableError } from '../../errors.ts'
import { toIsoTime } from '../../lib/time.ts'
import { mainId, toWorldName } from '../../world/world-name.ts'
import { createLeaseHost } from './lease-host.ts'
import type { LeaseOptions } from './lease-host.ts'
import { Leases, LeaseTakenError } from './leases.ts'
import {
  hasOverdueWrite,
  exceedsUnsavedLimit,
  isRemovalBlocked,
  listDueEntries,
  listUnsaved,
  createVersionTag,
  maxWriting,
} from './saved-entry.ts'
import type { Entry, SavedWorld } from './saved-entry.ts'
import { restoreSavedWorld, WorldWriter } from './saved-world.ts'
import { toBaseKey } from './stored-bases.ts'
import type { StoredBases } from './stored-bases.ts'
import { StoredWorlds } from './stored-worlds.ts'
import { createCorruptItemError } from './world-store.ts'
import type { WorldStore } from './world-store.ts'
import { isError } from '../../lib/realms.ts'

/** A failure to save. */
export interface SaveFailure {
  /** Real time when saving started to fail, RFC 3339. */
  since: string
  /** Message of the last error. */
  why: string
}

/** Options for the saver. */
export interface SaverOptions extends LeaseOptions {
  bases: StoredBases
  /** Called when saving fails, and with undefined when it works again. */
  onHealthChange: (failure: SaveFailure | undefined) => void
  /** Stores the main world's base rows again. */
  saveBase: () => Promise<void>
  /**
   * Time after which unused worlds expire, ms.
   * @default never
   */
  worldTtlMs?: number | undefined
}

/** Interval between checks for changes, ms. */
const lookMs = 50
/** Delay before retrying after a failure, ms. */
const retryMs = 1_000
/** Maximum time for which a write waits while a shared store fails, ms. */
const maxFailingMs = 7_000
const minuteMs = 60_000

/**
 * Saves a server's worlds to a store soon after they change. Compares only rows written after
 * seeding with the base rows, so the cost of a save depends on the number of changes.
 */
export class WorldSaver {
  /** The leases, or undefined if the store cannot be shared. */
  readonly leases: Leases | undefined
  readonly #store: WorldStore
  readonly #options: SaverOptions
  readonly #entries = new Map<string, Entry>()
  readonly #stored: StoredWorlds
  #timer: ReturnType<typeof setInterval> | undefined
  #failure: Error | undefined
  /** Time when saving started to fail, epoch ms. */
  #failingSince = 0
  #retryAt = 0
  #expireAt = 0
  #waiters: (() => void)[] = []
  /** Resolves when no base rows are being stored or removed. */
  #basesWork = Promise.resolve()
  /** Ids of deleted worlds that the store may still contain. */
  readonly #deleted = new Set<string>()
  /** Resolves when no world is being removed from the store. */
  #removals = Promise.resolve()

  constructor(store: WorldStore, options: SaverOptions) {
    this.#store = store
    this.#options = options
    this.#stored = new StoredWorlds(store, options.worldTtlMs)
    this.leases =
      store.leases &&
      new Leases(store.leases, {
        now: options.now,
        host: createLeaseHost(this, {
          entries: this.#entries,
          deleted: this.#deleted,
          stored: this.#stored,
          options,
          failure: () => this.#failure,
          wake: () => this.#wake(),
          save: (id, entry) => this.#save(id, entry),
          fail: (error) => this.#fail(error),
          recover: () => this.#recover(),
        }),
      })
  }

  /** Reads the list of stored worlds and removes unused base rows. */
  async open(): Promise<void> {
    // Does nothing if the store is shared, because this server knows only its own worlds.
    if (this.leases !== undefined) return
    for (const { name, usedAt } of await this.#store.list())
      if (name === mainId || toWorldName(name) !== undefined) this.#stored.add(name, usedAt)
    this.#expire()
    await this.#removeUnusedBases()
  }

  /** Starts the checks for changes. */
  start(): void {
    this.#timer = setInterval(() => this.#look(), lookMs)
    this.#timer.unref?.()
  }

  /** True if a world is or will be stored. */
  has(id: string): boolean {
    return this.#stored.has(id) || this.#entries.get(id)?.leaving !== undefined
  }

  /** Starts saving changes to a world. */
  track(id: string, runtime: SavedWorld): void {
    const known = this.#entries.get(id)
    if (known !== undefined) {
      if (known.leaving !== undefined) known.since ??= this.#options.now()
      known.runtime = runtime
      known.leaving = undefined
      known.versionTag = createVersionTag(runtime, known.touches)
      return
    }
    const writer = new WorldWriter()
    // Keys that the options set may differ from the saved keys.
    const isSaved = this.#stored.has(id) && !runtime.options.keys.isOwn
    this.#entries.set(id, {
      runtime,
      writer,
      versionTag: createVersionTag(runtime, 0),
      touches: 0,
      since: isSaved ? undefined : this.#options.now(),
      writingSince: undefined,
      writing: undefined,
      savedKey: isSaved ? writer.write(runtime).key : undefined,
      leaving: undefined,
    })
  }

  /**
   * Restores a new world from the store and starts tracking its changes.
   *
   * @throws {SandboxError}
   */
  async restore(id: string, runtime: SavedWorld): Promise<void> {
    const leaving = this.#entries.get(id)?.leaving?.text
    const bytes =
      leaving === undefined ? await this.#store.load(id) : new TextEncoder().encode(leaving)
    if (bytes === undefined)
      throw createCorruptItemError(this.#store, { item: id, why: 'it is gone' })
    try {
      await restoreSavedWorld(runtime, bytes, this.#options.bases)
    } catch (error) {
      const why = isError(error) ? error.message : String(error)
      throw createCorruptItemError(this.#store, { item: id, why, cause: error })
    }
    this.track(id, runtime)
  }

  /**
   * Delays a write to a world while saving lags behind, so that a crash loses at most the last 500
   * ms. While the store fails, waits only if the store is shared, because another server could
   * otherwise continue without the write. Before sending the response, call and await the returned
   * function, because saving may lag behind by then.
   *
   * @throws {UnavailableError} if a shared store fails for too long
   */
  async admit(id: string): Promise<() => Promise<void>> {
    await this.#waitWhile(
      (now) => hasOverdueWrite(this.#entries, now) || exceedsUnsavedLimit(this.#entries, id),
    )
    this.#noteWrite(id)
    return async () => {
      this.#noteWrite(id)
      await this.#waitWhile((now) => hasOverdueWrite(this.#entries, now))
    }
  }

  /** Marks a world as used, which delays its expiry. */
  markUsed(id: string): void {
    this.#stored.markUsed(id, this.#options.now())
  }

  /** Saves a world that is being removed from memory. */
  release(id: string): void {
    const entry = this.#entries.get(id)
    if (entry?.runtime === undefined) return
    const written = entry.writer.write(entry.runtime)
    this.#stored.setBase(id, toBaseKey(entry.runtime.active.baseName))
    entry.runtime = undefined
    if (written.key !== entry.savedKey) entry.leaving = written
    if (entry.leaving === undefined && entry.writing === undefined) this.#entries.delete(id)
    else entry.since ??= this.#options.now()
  }

  /**
   * True if no more worlds can be removed from memory, because too many removed worlds are unsaved.
   */
  get hasBacklog(): boolean {
    return isRemovalBlocked(this.#entries)
  }

  /** True if requests that may load a world must wait until removed worlds are saved. */
  get mustWaitForBacklog(): boolean {
    return this.hasBacklog && this.#isWaitedFor && this.#failure === undefined
  }

  /** Resolves after the next save, even if that save fails or is no longer needed. */
  progress(): Promise<void> {
    return new Promise((resolve) => void this.#waiters.push(resolve))
  }

  /** Deletes a world. Returns false if the world was not stored. */
  delete(id: string): boolean {
    const isStored = this.has(id)
    const writing = this.#entries.get(id)?.writing
    this.#entries.delete(id)
    this.#stored.delete(id)
    this.#deleted.add(id)
    this.#wake()
    this.#removals = Promise.all([this.#removals, writing])
      .then(() => this.#removeDeleted())
      .catch((error: unknown) => this.#fail(error))
    return isStored
  }

  /**
   * Removes deleted worlds from the store. Does nothing to a world that exists again, or that
   * another server has taken over.
   */
  async #removeDeleted(): Promise<void> {
    for (const id of this.#deleted) {
      try {
        if (!this.has(id)) await this.#store.remove(id)
      } catch (error) {
        if (!(error instanceof LeaseTakenError)) throw error
      }
      this.#deleted.delete(id)
    }
  }

  /** Saves a world immediately. */
  async saveNow(id: string): Promise<void> {
    const entry = this.#entries.get(id)
    if (entry === undefined || this.#timer === undefined) return
    await entry.writing
    await this.#save(id, entry)
  }

  /**
   * Saves a world and its base rows. Used before responding to a request that replaced the world's
   * data.
   */
  async saveReplaced(id: string): Promise<void> {
    this.#basesWork = this.#basesWork.then(async () => {
      const active = this.#entries.get(id)?.runtime?.active
      if (active === undefined) return
      try {
        await this.#options.bases.ensure(active)
        await this.saveNow(id)
        await this.#removeUnusedBases()
      } catch (error) {
        this.#fail(error)
      }
    })
    await this.#basesWork
  }

  /**
   * Saves all unsaved worlds.
   *
   * @throws {SandboxError} naming what is not saved
   */
  async saveAll(): Promise<void> {
    const wasFailing = this.#failure !== undefined
    await this.#saveEach()
    // The first save after a failure may find that the store lost further worlds.
    if (wasFailing && this.#failure === undefined) await this.#saveEach()
    const unsaved = listUnsaved(this.#entries)
    if (this.#failure === undefined || unsaved === undefined) return
    const { message } = this.#failure
    throw new SandboxError(
      `Failed to save the state (${this.#store.place}): ${message.replace(/\.$/, '')}. Lost: ` +
        `changes since ${toIsoTime(unsaved.since)} to ${unsaved.names}.`,
      { cause: this.#failure },
    )
  }

  async #saveEach(): Promise<void> {
    const unsaved = [...this.#entries]
    const saveNext = async () => {
      for (let next = unsaved.pop(); next !== undefined; next = unsaved.pop()) {
        await next[1].writing
        await this.#save(...next)
      }
    }
    await Promise.all(Array.from({ length: maxWriting }, saveNext))
  }

  /**
   * Saves all unsaved changes and closes the store.
   *
   * @throws {SandboxError} naming what is not saved
   */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    for (const entry of this.#entries.values()) {
      entry.runtime?.finishWork()
      // Makes sure that the current time is saved. Normally, a change of time alone does not cause
      // a save.
      if (entry.runtime?.active.world.clock.mode === 'running') entry.savedKey = undefined
    }
    try {
      await this.#removals
      await this.saveAll()
      await this.#stored.touchUsed()
    } finally {
      this.leases?.close()
      await this.#store.close()
    }
  }

  /** Removes base rows that no world uses. */
  async #removeUnusedBases(): Promise<void> {
    const { bases } = this.#options
    // Keeps all base rows in a shared store, because other servers may use them.
    if (this.leases !== undefined || (await bases.keys()).length < 2) return
    const stored = await this.#stored.baseKeys()
    // A world that cannot be read may need any of the base rows.
    if (stored === undefined) return
    const inMemory = this.#runtimes().map(([, , { active }]) => toBaseKey(active.baseName))
    await bases.removeOthers(new Set([...stored, ...inMemory]))
  }

  /** Returns the worlds in memory. */
  #runtimes(): [string, Entry, SavedWorld][] {
    return [...this.#entries].flatMap(([id, entry]) =>
      entry.runtime === undefined ? [] : [[id, entry, entry.runtime]],
    )
  }

  #look(): void {
    const now = this.#options.now()
    for (const [, entry, runtime] of this.#runtimes()) {
      const versionTag = createVersionTag(runtime, entry.touches)
      if (versionTag !== entry.versionTag) entry.since ??= now
      entry.versionTag = versionTag
    }
    this.#saveDue()
    if (this.#expireAt > now) return
    this.#expireAt = now + minuteMs
    void this.#stored.touchUsed().catch((error: unknown) => this.#fail(error))
    this.#expire()
  }

  #saveDue(): void {
    const now = this.#options.now()
    if (this.#timer === undefined || now < this.#retryAt) return
    for (const [id, entry] of listDueEntries(this.#entries, now)) void this.#save(id, entry)
  }

  /** Wakes all waiting callers, so that they check their conditions again. */
  #wake(): void {
    for (const resolve of this.#waiters.splice(0)) resolve()
  }

  #noteWrite(id: string): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    // Counts the write, because not all changes are visible in the tables and logs.
    entry.touches += 1
    entry.since ??= this.#options.now()
  }

  /**
   * True if writes must wait for the store. While the store fails, writes wait only if the store is
   * shared.
   */
  get #isWaitedFor(): boolean {
    const isFailing = this.#failure !== undefined && this.leases === undefined
    return !isFailing && this.#timer !== undefined
  }

  /** Waits while a condition is true, without relying on the periodic checks. */
  async #waitWhile(mustWait: (now: number) => boolean): Promise<void> {
    const start = this.#options.now()
    while (this.#isWaitedFor && mustWait(this.#options.now())) {
      await this.progress()
      if (this.#failure !== undefined && this.#options.now() - start > maxFailingMs)
        throw new UnavailableError(
          `Failed to save the state (${this.#store.place}): ${this.#failure.message}. Writes ` +
            'are rejected until saving works again. Send the request again later.',
        )
    }
  }

  async #save(id: string, entry: Entry): Promise<void> {
    entry.writing = this.#write(id, entry)
    try {
      await entry.writing
    } finally {
      entry.writing = undefined
      entry.writingSince = undefined
      const hasLeft = entry.runtime === undefined && entry.leaving === undefined
      if (hasLeft && this.#entries.get(id) === entry) this.#entries.delete(id)
      this.#wake()
      // Saves further worlds immediately instead of at the next check.
      this.#saveDue()
    }
  }

  async #write(id: string, entry: Entry): Promise<void> {
    const { since, runtime, leaving } = entry
    entry.writingSince = since
    entry.since = undefined
    if (runtime !== undefined) entry.versionTag = createVersionTag(runtime, entry.touches)
    // Reads the key now, because the world may be removed from memory during the save.
    const savedBaseKey = runtime && toBaseKey(runtime.active.baseName)
    try {
      const written = leaving ?? (runtime && entry.writer.write(runtime))
      if (written === undefined) return
      // After a failure, saves even unchanged content: only a successful save proves that the store
      // works again.
      if (written.key !== entry.savedKey || this.#failure !== undefined)
        await this.#store.save(id, new TextEncoder().encode(written.text))
      entry.savedKey = written.key
      if (entry.leaving === written) entry.leaving = undefined
      // Skips a world that has been deleted in the meantime.
      if (this.#entries.get(id) === entry) {
        this.#stored.add(id, this.#options.now())
        if (savedBaseKey !== undefined) this.#stored.setBase(id, savedBaseKey)
      }
      await this.#recover()
    } catch (error) {
      entry.since = since ?? this.#options.now()
      if (error instanceof LeaseTakenError) this.leases?.giveUp(id)
      else this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    const isFirst = this.#failure === undefined
    this.#failure = isError(error) ? error : new Error(String(error))
    const now = this.#options.now()
    // Keeps an earlier retry time, because further failures, such as lease renewals, must not delay
    // the next save.
    if (this.#retryAt <= now) this.#retryAt = now + retryMs
    // Schedules a save: only a successful save proves that the store works again.
    const main = this.#entries.get(mainId)
    if (main !== undefined) main.since ??= now
    if (isFirst) this.#failingSince = now
    const { message: why } = this.#failure
    this.#options.onHealthChange({ since: toIsoTime(this.#failingSince), why })
    if (!isFirst) return
    this.#options.log(
      `Failed to save the state (${this.#store.place}): ${this.#failure.message}. ` +
        (this.leases === undefined
          ? 'Writes are still accepted, and will be saved when saving works again. Until ' +
            'then, they are lost if the process is killed.'
          : 'Writes are rejected until saving works again.'),
      'error',
    )
  }

  /**
   * Saves all worlds again after a failure, because stored data may have been lost. Removes the
   * worlds that could not be removed.
   */
  async #recover(): Promise<void> {
    if (this.#failure === undefined) return
    const { bases, saveBase, onHealthChange, log } = this.#options
    if ((await bases.mainKey()) === undefined) await saveBase()
    await this.#removeDeleted()
    const names = new Set((await this.#store.list()).map(({ name }) => name))
    const kept = new Set(await bases.keys())
    for (const [id, entry, { active }] of this.#runtimes()) {
      const key = toBaseKey(active.baseName)
      if (!kept.has(key)) await bases.ensure(active)
      kept.add(key)
      // Skips worlds that are still stored, except in a shared store, which may have lost the most
      // recent saves.
      if (this.leases === undefined && names.has(id)) continue
      entry.savedKey = undefined
      entry.since ??= this.#options.now()
    }
    if (this.#failure === (undefined as Error | undefined)) return
    this.#failure = undefined
    this.#retryAt = 0
    onHealthChange(undefined)
    log(`Saving the state (${this.#store.place}) works again.`, 'note')
  }

  #expire(): void {
    for (const id of this.#stored.expired(this.#options.now())) {
      this.#options.closeWorld(id)
      this.delete(id)
    }
  }
}

import { checkInput } from '../api/check-input.ts'
import { z } from 'zod'
import type {
  ControlHost,
  ResetResult,
  ScenarioStart,
  StoryClientState,
} from '../control/control-host.ts'
import type { WorldChoice } from '../control/inputs.ts'
import { NamedSnapshots } from '../control/named-snapshots.ts'
import { findAcceptedKey } from '../api/admission.ts'
import { getRealTime } from '../world/real-time.ts'
import { handleRequest } from '../api/handle-request.ts'
import type { Call, Reply, RouteNames } from '../api/route.ts'
import { splitUrl } from '../lib/url.ts'
import { runToEnd } from '../world/work.ts'
import type { PausePolicy } from '../world/work.ts'
import type { JournalEntry } from '../world/journal/journal-entry.ts'
import { toWorldId, toWorldName } from '../world/world-name.ts'
import { toChangesJson, toSnapshotJson } from '../world/snapshot/snapshot.ts'
import type { WorldChangesJson, WorldJson } from '../world/snapshot/snapshot.ts'
import {
  ApiError,
  createNotReadyError,
  createStoryError,
  MemoryLimitError,
  SandboxError,
} from '../errors.ts'
import type { PlayOptions as PlayInput } from '../generated/inputs.ts'
import { parseAtOnce } from '../scenario/parse.ts'
import type { ScenarioParser } from '../scenario/parse.ts'
import { Player, PlayOptions } from '../scenario/player.ts'
import type { ReplayState } from '../scenario/player.ts'
import type { Scenario } from '../scenario/schema.ts'
import { hasRequests } from '../scenario/watched-figure.ts'
import type { World } from '../resources/world.ts'
import { getBodyLimit } from './body-limit.ts'
import type { CallHead } from './body-limit.ts'
import { computeDigest } from './data-digest.ts'
import { EventListeners } from './event-listeners.ts'
import { forkScenario, hasSeededKey, loadScenario, refreshKeys } from './active-scenario.ts'
import type { BaseAdopter, ActiveScenario } from './active-scenario.ts'
import { listServedNames, matchRoute } from './served-routes.ts'
import type { ResolvedOptions } from './options.ts'
import { rejectSlowScenario } from '../control/row-limit.ts'
import { Recordings } from './recordings.ts'
import type { StageClient } from './stage-client.ts'
import { restoreSnapshot } from './restore.ts'
import type { SeedCache } from './seed-cache.ts'
import { WorldQueue } from './world-queue.ts'
import { WorldTemplate } from './world-template.ts'
import type { WorldSaver } from './state/world-saver.ts'
import { Worlds } from './worlds.ts'
import { isError } from '../lib/realms.ts'

/** Name of the operation that restores a world from the store. Shown in `/health` and errors. */
export const restoringFromStore = 'restoring from the store'

/** Settings of a runtime. */
export interface RuntimeContext {
  active: ActiveScenario
  seeds: SeedCache
  pace?: PausePolicy | undefined
  /**
   * Provides the stored base rows.
   * @default worlds are not saved
   */
  bases?: BaseAdopter | undefined
  /** @default `parseAtOnce` */
  parseScenario?: ScenarioParser | undefined
  /**
   * The list of isolated worlds that contains this world.
   * @default none, for a main world
   */
  worlds?: Worlds<Runtime> | undefined
}

/**
 * State of a sandbox or an isolated world: the active scenario, the queue, the story player and the
 * recordings. `Sandbox`, `Control` and `ServedSandbox` operate on it.
 */
export class Runtime implements ControlHost {
  readonly options: ResolvedOptions
  readonly routeNames: RouteNames
  readonly queue: WorldQueue
  readonly player: Player
  readonly recordings: Recordings
  readonly listeners = new EventListeners()
  readonly snapshots = new NamedSnapshots()
  readonly worlds: Worlds<Runtime>
  /** Undefined for a main world. */
  readonly worldName: string | undefined
  parseScenario: ScenarioParser
  /** Number of resets. */
  resets = 0
  /** Number of the last reset of this world, counted over all worlds of the sandbox. */
  lastReset = 0
  readonly #seeds: SeedCache
  readonly #bases: BaseAdopter | undefined
  readonly #template: WorldTemplate
  #stageClient: StageClient | undefined
  /** Undefined after `close`. */
  #active: ActiveScenario | undefined
  #failure: SandboxError | undefined
  /** The story's state when `close` was called, for callers that await the end of the story. */
  #lastReplay: ReplayState | undefined

  constructor(options: ResolvedOptions, context: RuntimeContext) {
    const { active, seeds, pace, bases, worlds, parseScenario: parse = parseAtOnce } = context
    this.options = options
    this.parseScenario = parse
    this.routeNames = listServedNames(options)
    this.#active = active
    this.#seeds = seeds
    this.#bases = bases
    this.#template = new WorldTemplate(options)
    this.queue = new WorldQueue(this, pace)
    this.recordings = new Recordings({ active: () => this.active, at: () => this.player.at() })
    this.worlds = worlds ?? this.#createWorlds()
    this.worldName = worlds && toWorldName(active.world.id)
    this.player = new Player({
      world: () => this.world,
      timeline: () => this.active.timeline,
      header: () => this.active.storyHeader,
      onRewind: (atMs) => this.recordings.dropFrom(atMs),
      run: (work) =>
        void (this.queue.pace === undefined
          ? runToEnd(work())
          : this.queue.runUnlessClosed('playing', work)),
    })
    if (options.warn)
      this.listeners.on(
        'request',
        () => void this.#warn(),
        () => this.world,
      )
  }

  async #warn(): Promise<void> {
    if (this.isClosed) return
    for (const line of await this.options.warnings.look(this.world.journal))
      // oxlint-disable-next-line no-console -- The option enables console warnings.
      console.warn(line)
  }

  /** @throws {SandboxError} if the sandbox is closed */
  get active(): ActiveScenario {
    if (this.#active === undefined)
      throw new SandboxError(
        'Failed to use the sandbox: it is closed. Create another one with createSandbox.',
      )
    return this.#active
  }

  get world(): World {
    return this.active.world
  }

  get isClosed(): boolean {
    return this.#active === undefined
  }

  /** The error that occurred while the world was being prepared, if any. */
  get failure(): SandboxError | undefined {
    return this.#failure
  }

  /** True if the world must not be evicted from memory now. */
  get isBusy(): boolean {
    return !this.queue.isFree || this.player.state().status === 'playing'
  }

  /** True if a long operation is changing the world. */
  get isChanging(): boolean {
    return this.queue.operation !== null
  }

  finishWork(): void {
    this.queue.finishWork()
  }

  /** Returns the world and marks it as used, which protects it from eviction. */
  use(): World {
    if (this.worldName !== undefined) this.worlds.markUsed(this.worldName)
    return this.world
  }

  /**
   * Like `use`, but first finishes a long operation in progress.
   *
   * @throws {SandboxError} if the scenario has not been read yet, or if a method that replaces the
   * state has not settled
   */
  useIdle(verb = 'use the sandbox'): World {
    if (this.active.isUnread) throw createNotReadyError(verb)
    const { methodToAwait } = this.queue
    if (methodToAwait !== undefined)
      throw new SandboxError(
        `Failed to ${verb}: ${methodToAwait} has not finished. Await ${methodToAwait} first.`,
      )
    this.queue.finishWork()
    return this.use()
  }

  /**
   * Like `useIdle`, but also runs all due effects.
   *
   * @throws {SandboxError} before `ready`
   */
  useCurrent(verb: string): World {
    this.use().requireSeeded(verb)
    const world = this.useIdle(verb)
    world.runDueEffects()
    return world
  }

  /** Maximum size of a request body, bytes, or 0 if the key or URL is invalid. */
  getBodyLimit(head: CallHead): number {
    const { bodyLimit } = this.options
    if (!this.active.isReady) return bodyLimit
    // Assumes the default limit, because the keys are unknown while the world is being restored or
    // another server owns it.
    const unknown = () =>
      matchRoute(head.method, splitUrl(head.url).path).route?.fileLimit ?? bodyLimit
    try {
      if (this.worlds.isElsewhere(head)) return unknown()
      const { world, queue } = this.worlds.select(head) ?? this
      return queue.operation === restoringFromStore
        ? unknown()
        : getBodyLimit(head, world, { match: matchRoute, bodyLimit })
    } catch (error) {
      if (error instanceof ApiError || error instanceof MemoryLimitError) return 0
      throw error
    }
  }

  /** Calls a function for this runtime and for the runtimes of all isolated worlds. */
  forEachWorld(change: (runtime: Runtime) => void): void {
    change(this)
    for (const { runtime } of this.worlds.list()) change(runtime)
  }

  /**
   * Restores the seeded state before it returns, if the world is ready and no other operation
   * replaces its state.
   */
  async reset(): Promise<ResetResult> {
    const number = this.worlds.countReset()
    if (!this.active.isReady) await this.active.ready
    return this.queue.isReplacing ? this.resetInTurn(number) : this.#reset(number)
  }

  /** Restores the seeded state after the requests and operations that are waiting. */
  resetInTurn(number: number = this.worlds.countReset()): Promise<ResetResult> {
    return this.queue.replace('resetting', async () => {
      await this.active.ready
      return this.#reset(number)
    })
  }

  #reset(number: number): ResetResult {
    this.queue.finishWork()
    const { active } = this
    active.world.reset()
    this.resets += 1
    this.lastReset = Math.max(this.lastReset, number)
    this.player.clear()
    refreshKeys(active)
    this.recordings.restart()
    return { unfiredFaults: [...active.world.faults.removedUnfired] }
  }

  /** Handles a request that was sent before a reset, in a copy of the seeded state. */
  async handleInCopy(call: Call): Promise<Reply> {
    const { pipeline, world } = forkScenario(this.active, this.options, { from: 'origin' })
    try {
      return await handleRequest(pipeline, call)
    } finally {
      world.release()
    }
  }

  /** Loads another scenario. */
  async load(scenario: string | Scenario, start: ScenarioStart): Promise<void> {
    await this.queue.replace('loading', async () => {
      await rejectSlowScenario(this.worlds, scenario, this.options.library)
      await this.worlds.store?.saveNow(this.world.id)
      await this.replaceScenario(scenario, start)
      this.player.clear()
      const { cue = this.options.cuesStories } = start
      if (cue === true && this.active.timeline.steps.length > 0) this.player.stop()
      this.recordings.restart()
    })
    await this.worlds.store?.saveReplaced(this.world.id)
  }

  /**
   * Returns the whole world as JSON.
   *
   * @throws {SandboxError} before `ready`
   */
  takeSnapshot(): WorldJson {
    return toSnapshotJson(this.useCurrent('take a snapshot'), this.active.scenario)
  }

  /** Returns the changes to the world since its base rows as JSON. */
  takeChanges(): WorldChangesJson {
    const world = this.useCurrent('take a snapshot')
    const { scenario, baseName } = this.active
    return toChangesJson(world, { scenario, base: baseName })
  }

  /** Restores a snapshot. An invalid snapshot leaves the world unchanged. */
  async restore(snapshot: unknown): Promise<void> {
    await this.queue.replace('restoring', async () => {
      await this.worlds.store?.saveNow(this.world.id)
      await this.#restore(() => restoreSnapshot(this, snapshot))
    })
    await this.worlds.store?.saveReplaced(this.world.id)
  }

  /** Plays the story, either without delays or in real time. */
  async play(options: PlayInput = {}): Promise<ReplayState> {
    const { until, speed, loop } = checkInput(PlayOptions, options, { verb: 'play' })
    this.useIdle('play')
    if (speed === undefined) runToEnd(this.player.playAtOnce(until))
    else await this.player.play({ until, speed, loop })
    return this.#lastReplay ?? this.#requirePlayed()
  }

  /** Moves the story to a position. */
  seek(to: string): ReplayState {
    const place = checkInput(z.string(), to, { verb: 'seek', place: 'to' })
    this.useIdle('seek')
    runToEnd(this.player.seek(place))
    return this.#requirePlayed()
  }

  /** Creates another runtime with a copy of the data. */
  fork(): Runtime {
    this.useIdle('fork')
    const active = forkScenario(this.active, this.options)
    // Copies `conditions`, because the fork may load another scenario and then has its own digest
    // in `/health`.
    const { conditions = {} } = active.world.options
    return this.#toRuntime(active, { options: { ...this.options, conditions } })
  }

  /** Creates an isolated world, in the seeded state or as a copy of this one. */
  createWorld({ name, fork: isFork = false }: WorldChoice): Runtime {
    this.use().requireSeeded('create a world')
    if (!isFork) return this.worlds.create(name)
    this.useIdle('create a world')
    return this.worlds.create(name, (chosen) =>
      this.#toRuntime(forkScenario(this.active, this.options, { id: toWorldId(chosen) }), {
        worlds: this.worlds,
      }),
    )
  }

  /** Explains why the list in a response is empty or short. Uses a copy of the world. */
  async explain(entry: JournalEntry): Promise<string[]> {
    const { explainListUsingCopy } = await import('./explain-list.ts')
    const copy = await this.queue.run(null, () => this.fork())
    try {
      return await explainListUsingCopy(copy, entry)
    } finally {
      copy.close()
    }
  }

  /** Lets the client of the story live until the current position. */
  async storyClient(): Promise<StoryClientState | null> {
    const { StageClient } = await import('./stage-client.ts')
    const { client } = this.active.storyHeader
    const atMs = Math.min(this.player.at(), this.active.timeline.durationMs)
    const isSilent = client === undefined || hasRequests(this.world)
    const isOutdated =
      isSilent || this.#stageClient?.origin !== this.world || this.#stageClient.isAfter(atMs)
    if (isOutdated) this.#endStageClient()
    if (isSilent) return null
    this.#stageClient ??= new StageClient(this.world, this.fork(), client)
    return this.#stageClient.advance(atMs)
  }

  #endStageClient(): void {
    this.#stageClient?.close()
    this.#stageClient = undefined
  }

  /** Ends stories, closes the isolated worlds and releases all data. */
  close(): void {
    if (this.#active === undefined) return
    if (this.player.hasWaiters) this.#lastReplay = this.player.state()
    if (this.worldName === undefined) for (const { runtime } of this.worlds.list()) runtime.close()
    else this.worlds.detach(this.worldName)
    this.#endStageClient()
    this.player.close()
    this.listeners.close()
    this.recordings.clear()
    this.#active.world.faults.close()
    this.#active.world.release()
    this.#template.clear()
    this.#active = undefined
  }

  /** Replaces the active scenario, for `load` and `restore`. */
  async replaceScenario(
    scenario: string | Scenario,
    { seed, now }: Pick<ScenarioStart, 'seed' | 'now'>,
    accept: (next: ActiveScenario) => void = () => {},
  ): Promise<void> {
    const { id, options } = this.world
    const active = loadScenario(
      { ...this.options, scenario, seed, now },
      { memory: options.memory, id, pace: this.queue.pace, seeds: this.#seeds, bases: this.#bases },
    )
    try {
      await active.ready
      accept(active)
      if (this.queue.pace !== undefined) await this.queue.slice(active.world.preparing())
      // Throws if the sandbox has been closed in the meantime.
      const { baseUrl, servesPictures } = this.world
      Object.assign(active.world, { baseUrl, servesPictures })
    } catch (error) {
      active.world.release()
      throw error
    }
    this.world.release()
    this.#template.clear()
    this.#active = active
    if (this.worldName === undefined && this.options.conditions.digest !== undefined)
      this.showDigest()
    this.listeners.attach(active.world)
  }

  /** Adds to `/health` the digest of everything that determines data and responses. */
  showDigest(): void {
    this.options.conditions.digest = computeDigest(this.options, this.active)
  }

  async #restore(restore: () => Promise<void>): Promise<void> {
    await this.active.ready
    await restore()
    if (this.queue.pace !== undefined) await this.queue.work(this.world.preparing())
    this.player.clear()
  }

  /**
   * Returns the state of the story.
   *
   * @throws {SandboxError} if a step failed
   */
  #requirePlayed(): ReplayState {
    const state = this.player.state()
    const [problem] = state.problems
    if (problem !== undefined) throw createStoryError(problem)
    return state
  }

  #createWorlds(): Worlds<Runtime> {
    return new Worlds<Runtime>({
      ready: () => this.active.ready,
      make: (name) => this.#createWorld(name),
      match: matchRoute,
      isMainKey: (key) => findAcceptedKey(this.world, key) !== undefined,
      isSeededKey: (key) => hasSeededKey(this.active, key),
      isCrowded: () => !this.isClosed && this.world.options.memory?.isCrowded === true,
      restore: (runtime, from) => runtime.#restoreFromStore(from),
      maxWorlds: this.options.maxWorlds,
      realTime: this.options.realTime ?? getRealTime,
      log: this.options.log ?? (() => {}),
    })
  }

  /** Creates an isolated world in the seeded state, at the current time. */
  #createWorld(name: string): Runtime {
    const id = toWorldId(name)
    const { active, options, worlds } = this
    if (this.queue.pace === undefined || this.#template.isAtStart(active))
      return this.#toRuntime(this.#template.fork(active, id), { worlds })
    const made = this.#toRuntime(forkScenario(active, options, { id, from: 'origin' }), { worlds })
    made.#prepare(`bring the world ${name} up to date`, 'catching up', () =>
      made.queue.work(this.#template.becoming(made.active, active)),
    )
    return made
  }

  #restoreFromStore(saver: WorldSaver): void {
    this.#prepare(`restore the world ${this.worldName} from --state`, restoringFromStore, () =>
      this.restoreSaved(saver),
    )
  }

  /**
   * Restores this new world from the store.
   *
   * @throws {SandboxError}
   */
  async restoreSaved(saver: WorldSaver): Promise<void> {
    await this.#restore(() => saver.restore(this.world.id, this))
    refreshKeys(this.active)
  }

  /**
   * Prepares this new world before its first request. If this fails, requests to the world get the
   * error.
   */
  #prepare(verb: string, operation: string, job: () => Promise<void>): void {
    void this.queue.replace(operation, async () => {
      if (this.#failure !== undefined) return
      try {
        await job()
      } catch (error) {
        const why = isError(error) ? error.message : String(error)
        this.#failure = new SandboxError(`Failed to ${verb}: ${why}`, { cause: error })
        this.options.log?.(this.#failure.message, 'error')
        this.close()
      }
    })
  }

  #toRuntime(
    active: ActiveScenario,
    {
      worlds,
      options = this.options,
    }: { worlds?: Worlds<Runtime>; options?: ResolvedOptions } = {},
  ): Runtime {
    const { queue, parseScenario: parse } = this
    return new Runtime(options, {
      active,
      seeds: this.#seeds,
      pace: queue.pace,
      bases: this.#bases,
      parseScenario: parse,
      worlds,
    })
  }
}

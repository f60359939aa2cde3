import { z } from 'zod'
import { check, UnknownError } from '../control/check.ts'
import { createControl } from '../control/control.ts'
import type { Control, ScenarioStart } from '../control/control.ts'
import type { TextAnswer } from '../control/text-answer.ts'
import { findOpeningKey } from '../api/admit.ts'
import { realTime } from '../world/real-time.ts'
import type { Call, Reply } from '../api/route.ts'
import { splitUrl } from '../lib/url.ts'
import { finish } from '../world/work.ts'
import type { Pace } from '../world/work.ts'
import { toWorldId, worldNameOf } from '../world/world-name.ts'
import type { WorldJson } from '../world/snapshot/written-snapshot.ts'
import { ApiError, brokenStory, MemoryLimitError, SandboxError } from '../errors.ts'
import type { PlayOptions as PlayInput } from '../generated/inputs.ts'
import { Player, PlayOptions } from '../scenario/player.ts'
import type { ReplayState } from '../scenario/player.ts'
import type { Scenario } from '../scenario/schema.ts'
import type { World } from '../resources/world.ts'
import { bodyLimitOf } from './body-limit.ts'
import type { CallHead } from './body-limit.ts'
import { digestOf } from './digest.ts'
import { WorldTemplate } from './fresh-start.ts'
import {
  forkScenario,
  hasSeededKey,
  loadScenario,
  matchRoute,
  readKeys,
  servedNames,
} from './loaded-scenario.ts'
import type { LoadedScenario } from './loaded-scenario.ts'
import { Observers } from './observers.ts'
import type { ResolvedOptions } from './options.ts'
import { Recordings } from './recordings.ts'
import { restoreSnapshot, restoreText } from './restore.ts'
import type { SeededStates } from './seeded-states.ts'
import { WorldQueue } from './world-queue.ts'
import { namesWorld, Worlds } from './worlds.ts'

/** The long operation of a world that comes back from its file. */
const returning = 'coming back'

/** How a runtime is set up. */
export interface RuntimeContext {
  loaded: LoadedScenario
  states: SeededStates
  pace?: Pace | undefined
  /** The worlds that it belongs to. @default it is a main world */
  worlds?: Worlds<Runtime> | undefined
}

/**
 * The parts of a sandbox, or of one of its isolated worlds: the loaded scenario, the queue, the
 * player of its story, the recordings and the control. The public class `Sandbox` is its facade.
 */
export class Runtime {
  readonly options: ResolvedOptions
  readonly control: Control
  readonly queue: WorldQueue
  readonly player: Player
  readonly recordings: Recordings
  readonly observers = new Observers()
  readonly worlds: Worlds<Runtime>
  /** Undefined for a main world. */
  readonly worldName: string | undefined
  /** Writes the metrics of a server. */
  writeMetrics: () => Promise<TextAnswer> = refuseMetrics
  readonly #states: SeededStates
  readonly #template: WorldTemplate
  /** Undefined once it is closed. */
  #loaded: LoadedScenario | undefined
  /** The error that kept the world from being prepared. */
  #failure: Error | undefined
  /** The state of the story when it was closed, for a caller that awaits its end. */
  #lastReplay: ReplayState | undefined

  constructor(options: ResolvedOptions, { loaded, states, pace, worlds }: RuntimeContext) {
    this.options = options
    this.#loaded = loaded
    this.#states = states
    this.#template = new WorldTemplate(options)
    this.queue = new WorldQueue({ loaded: () => this.#loaded, failure: () => this.#failure }, pace)
    this.recordings = new Recordings({ loaded: () => this.loaded, at: () => this.player.at() })
    this.worlds = worlds ?? this.#createWorlds()
    this.worldName = worlds && worldNameOf(loaded.world.id)
    this.player = new Player({
      world: () => this.world,
      timeline: () => this.loaded.timeline,
      about: () => this.loaded.about,
      onBack: (atMs) => this.recordings.dropFrom(atMs),
      run: (work) =>
        void (this.queue.pace === undefined
          ? finish(work())
          : this.queue.runUnlessClosed('playing', work)),
    })
    this.control = this.#createControl()
  }

  /** @throws {SandboxError} once the sandbox is closed. */
  get loaded(): LoadedScenario {
    if (this.#loaded === undefined)
      throw new SandboxError(
        'Failed to use the sandbox: it is closed. Create another one with createSandbox.',
      )
    return this.#loaded
  }

  get world(): World {
    return this.loaded.world
  }

  get isClosed(): boolean {
    return this.#loaded === undefined
  }

  /** Answers a call: finds its world, waits for its turn there, and runs the pipeline. */
  async handle(call: Call): Promise<Reply> {
    // A refused request makes no world.
    if (isPrompt(call) || call.refusal !== undefined) return this.loaded.answer(call)
    const { shelf } = this.worlds
    if (shelf?.isBehind === true) await shelf.caughtUp()
    // The keys are known once the data are there.
    if (!this.loaded.isReady && namesWorld(call)) await this.loaded.ready
    const { runtime, refusal } = this.#select(call)
    if (refusal !== undefined) return this.loaded.answer({ ...call, refusal })
    return runtime === this ? this.answer(call) : this.worlds.answer(runtime, call)
  }

  /** Answers a call to this world when its turn comes. */
  answer(call: Call): Promise<Reply> {
    return this.queue.answer(call, this.loaded)
  }

  /**
   * Maximum size of the body of a request, bytes: 0 if its key or its address opens nothing.
   */
  bodyLimitOf(head: CallHead): number {
    const { runtime, refusal } = this.#select(head)
    if (refusal !== undefined) return 0
    const { isReady, world } = runtime.loaded
    const { bodyLimit } = this.options
    // The keys of a world that comes back are not known yet.
    if (runtime.queue.doing === returning)
      return matchRoute(head.method, splitUrl(head.url).path).route?.fileLimit ?? bodyLimit
    return isReady ? bodyLimitOf(head, world, { match: matchRoute, bodyLimit }) : bodyLimit
  }

  /** Runs something on the world of this sandbox and of all isolated ones. */
  forEachWorld(change: (runtime: Runtime) => void): void {
    change(this)
    for (const { member } of this.worlds.list()) change(member)
  }

  /** Goes back to the seeded state. */
  reset(): Promise<void> {
    return this.queue.runAlone(async () => {
      const { loaded } = this
      await loaded.ready
      loaded.world.reset()
      this.player.forget()
      readKeys(loaded)
      this.recordings.beginAnew()
    }, 'resetting')
  }

  /** Loads another scenario. */
  load(scenario: string | Scenario, start: ScenarioStart): Promise<void> {
    return this.queue.runAlone(() => this.#load(scenario, start), 'loading')
  }

  /** Goes back to a snapshot, or to the one that a text stands for. */
  restore(snapshot: unknown): Promise<void> {
    return this.queue.runAlone(
      () => this.#restore(() => restoreSnapshot(this, snapshot)),
      'restoring',
    )
  }

  restoreText(text: Parameters<typeof restoreText>[1]): Promise<void> {
    return this.queue.runAlone(() => this.#restore(() => restoreText(this, text)), 'restoring')
  }

  /** Plays the story, at once or in real time. */
  async play(options: PlayInput = {}): Promise<ReplayState> {
    const { until, speed, loop } = check(PlayOptions, options, { verb: 'play' })
    this.queue.finishNow()
    if (speed === undefined) this.player.playAtOnce(until)
    else await this.player.play({ until, speed, loop })
    return this.#lastReplay ?? this.#arrive()
  }

  /** Goes to a place of the story. */
  seek(to: string): ReplayState {
    const place = check(z.string(), to, { verb: 'seek', place: 'to' })
    this.queue.finishNow()
    this.player.seek(place)
    return this.#arrive()
  }

  /** Makes a sandbox of its own with the same data. */
  fork(): Runtime {
    this.queue.finishNow()
    return this.#toRuntime(forkScenario(this.loaded, this.options))
  }

  /** Ends stories, closes the isolated worlds and releases the data. */
  close(): void {
    if (this.#loaded === undefined) return
    if (this.player.isAwaited) this.#lastReplay = this.player.state()
    if (this.worldName === undefined) for (const { member } of this.worlds.list()) member.close()
    else this.worlds.remove(this.worldName)
    this.player.close()
    this.recordings.forget()
    this.#loaded.world.release()
    this.#template.forget()
    this.#loaded = undefined
  }

  /** Replaces the loaded scenario, for `load` and `restore`. */
  async replaceScenario(
    scenario: string | Scenario,
    { seed, now }: Pick<ScenarioStart, 'seed' | 'now'>,
  ): Promise<void> {
    const { id, options } = this.world
    const loaded = loadScenario(
      { ...this.options, scenario, seed, now },
      { memory: options.memory, id, pace: this.queue.pace, states: this.#states },
    )
    try {
      await loaded.ready
      if (this.queue.pace !== undefined) await this.queue.slice(loaded.world.preparing())
      // This throws if the sandbox was closed in the meantime.
      const { baseUrl, servesPictures } = this.world
      Object.assign(loaded.world, { baseUrl, servesPictures })
    } catch (error) {
      loaded.world.release()
      throw error
    }
    this.world.release()
    this.#template.forget()
    this.#loaded = loaded
    if (this.worldName === undefined && this.options.conditions.digest !== undefined)
      this.showDigest()
    this.observers.follow(loaded.world)
  }

  /** Shows in `/health` the digest of all that the data and the answers follow from. */
  showDigest(): void {
    this.options.conditions.digest = digestOf(this.options, this.loaded)
  }

  async #load(scenario: string | Scenario, start: ScenarioStart): Promise<void> {
    await this.replaceScenario(scenario, start)
    this.player.forget()
    if (start.cue === true && this.loaded.timeline.moments.length > 0) this.player.stop()
    this.recordings.beginAnew()
  }

  async #restore(restore: () => Promise<void>): Promise<void> {
    await this.loaded.ready
    await restore()
    if (this.queue.pace !== undefined) await this.queue.do(this.world.preparing(), 'restoring')
    this.player.forget()
  }

  #arrive(): ReplayState {
    const state = this.player.state()
    const [problem] = state.problems
    if (problem !== undefined) throw brokenStory(problem)
    return state
  }

  /** Finds the world of a request, or the reason why there is none. */
  #select(head: CallHead): { runtime: Runtime; refusal?: ApiError | MemoryLimitError } {
    if (!this.loaded.isReady) return { runtime: this }
    try {
      return { runtime: this.worlds.select(head) ?? this }
    } catch (error) {
      if (error instanceof ApiError || error instanceof MemoryLimitError)
        return { runtime: this, refusal: error }
      throw error
    }
  }

  #createWorlds(): Worlds<Runtime> {
    return new Worlds<Runtime>({
      make: (name) => this.#makeWorld(name),
      match: matchRoute,
      isMainKey: (key) => findOpeningKey(this.world, key) !== undefined,
      isSeededKey: (key) => hasSeededKey(this.loaded, key),
      isCrowded: () => this.world.options.memory?.isCrowded === true,
      bringBack: (member, from) => member.#bringBack(from),
      most: this.options.maxWorlds,
      realTime: this.options.realTime ?? realTime,
      log: this.options.log ?? (() => {}),
    })
  }

  /** True if the world must not leave memory now. */
  get isBusy(): boolean {
    return !this.queue.isFree || this.player.state().status === 'playing'
  }

  /** Makes an isolated world from the seeded state, at the present time. */
  #makeWorld(name: string): Runtime {
    const id = toWorldId(name)
    const { loaded } = this
    if (this.queue.pace === undefined || this.#template.isAtStart(loaded))
      return this.#toRuntime(this.#template.fork(loaded, id), this.worlds)
    const made = this.#toRuntime(
      forkScenario(loaded, this.options, { id, from: 'origin' }),
      this.worlds,
    )
    made.#prepare(`move the world ${name} on`, 'moving on', () =>
      made.queue.do(this.#template.joining(made.loaded, loaded), 'moving on'),
    )
    return made
  }

  /** Restores this new world from where it was kept. */
  #bringBack({
    fetch,
    onBack,
  }: {
    fetch: () => Promise<string | WorldJson>
    onBack: () => void
  }): void {
    this.#prepare(`bring the world ${this.worldName} back`, returning, async () => {
      const found = await fetch()
      await this.#restore(() =>
        typeof found === 'string' ? restoreText(this, found) : restoreSnapshot(this, found),
      )
      onBack()
    })
  }

  /** Prepares this new world before its first request. If that fails, its requests get the error. */
  #prepare(verb: string, doing: string, job: () => Promise<void>): void {
    const prepare = async () => {
      if (this.#failure !== undefined) return
      try {
        await job()
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        this.#failure = new SandboxError(`Failed to ${verb}: ${why}`, { cause: error })
        this.options.log?.(this.#failure.message, 'error')
        this.close()
      }
    }
    void this.queue.runAlone(prepare, doing)
  }

  #toRuntime(loaded: LoadedScenario, worlds?: Worlds<Runtime>): Runtime {
    return new Runtime(this.options, {
      loaded,
      states: this.#states,
      pace: this.queue.pace,
      worlds,
    })
  }

  #createControl(): Control {
    return createControl({
      world: () => {
        // Using a world keeps it in memory.
        if (this.worldName !== undefined) this.worlds.touch(this.worldName)
        return this.world
      },
      scenario: () => this.loaded.scenario,
      routes: servedNames(this.options),
      overlay: () => this.options.overlaid.routes?.changed ?? null,
      personas: () => this.loaded.seeded?.scenario.personas ?? {},
      recording: this.recordings,
      player: this.player,
      play: (options) => this.play(options),
      seek: (to) => this.seek(to),
      library: this.options.library ?? [],
      reset: () => this.reset(),
      load: (scenario, start) => this.load(scenario, start),
      restore: (snapshot) => this.restore(snapshot),
      worlds: {
        create: (name) => summaryOf(this.worlds.create(name)),
        list: () => this.worlds.list().map(({ member }) => summaryOf(member)),
        open: (name) => this.worlds.open(name),
        has: (name) => this.worlds.has(name),
        remove: (name) => {
          const member = this.worlds.remove(name)
          member?.close()
          return this.worlds.forget(name) || member !== undefined
        },
        count: () => this.worlds.count,
      },
      isClosed: () => this.isClosed,
      finishNow: () => this.queue.finishNow(),
      served: {
        busy: () => this.queue.doing,
        isBehind: () => this.queue.isBehind,
        aside: (work) => this.queue.slice(work),
        metrics: () => this.writeMetrics(),
        inTurn: async (doing, job) => this.queue.run(doing, job),
      },
    })
  }
}

/** Tells of a world without using it. */
function summaryOf({ worldName, loaded: { keys, world } }: Runtime) {
  return { id: worldName ?? world.id, keys, world }
}

async function refuseMetrics(): Promise<TextAnswer> {
  throw new UnknownError(
    'Failed to read the metrics: this server counts none. Start it with --metrics (startServer: ' +
      'metrics), and ask without ?world.',
  )
}

/** True if a route answers at once, whatever its world is busy with. */
function isPrompt({ method, url }: Call): boolean {
  return matchRoute(method, splitUrl(url).path).route?.isPrompt === true
}

import { createFetch } from './adapters/fetch.ts'
import type { ActionInput } from './control/actions/index.ts'
import { createControl } from './control/control.ts'
import type { Control } from './control/control.ts'
import type { FaultControl } from './control/faults.ts'
import type { Clock } from './engine/clock.ts'
import type { WorldCheck } from './engine/invariant.ts'
import type { JournalEntry } from './engine/journal.ts'
import type { Call, Reply } from './engine/route.ts'
import type { WorldJson } from './engine/snapshot.ts'
import { SandboxError } from './errors.ts'
import { parseBaseUrl, parseOptions } from './sandbox/options.ts'
import type { ResolvedOptions, SandboxOptions } from './sandbox/options.ts'
import { createSite } from './sandbox/site.ts'
import type { Site, SiteOptions } from './sandbox/site.ts'
import { adoptSnapshot, createStage, forkStage, matchRoute, readKeys, routeNames } from './sandbox/stage.ts'
import type { Stage } from './sandbox/stage.ts'
import { Worlds } from './sandbox/worlds.ts'
import { Player } from './scenario/player.ts'
import type { PlayOptions, ReplayState } from './scenario/player.ts'
import { dropFrom, startRecording, toScenario } from './scenario/recorder.ts'
import type { Recording } from './scenario/recorder.ts'
import type { Scenario } from './scenario/schema.ts'
import type { Tables } from './world/tables.ts'

/**
 * Makes a sandbox: the whole API on seeded data, in memory. It is there at once; its data follow (`await sandbox.ready`), and
 * requests wait for them by themselves.
 *
 * @throws {SandboxError} when an option is unknown or out of range.
 * @example
 * const sandbox = createSandbox({ baseUrl: 'https://api.example.test', scenario: 'agency', seed: 7 })
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const resolved = parseOptions(options)
  return new Sandbox(resolved, createStage(resolved))
}

/** A running sandbox: the API, and every hold on it that a test needs. */
export class Sandbox {
  /** Asks the sandbox as `fetch` asks the network. */
  readonly fetch: (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>
  /** Everything that a person can do to the sandbox; the routes under `/_sandbox/` are its other face. */
  readonly control: Control
  readonly #options: ResolvedOptions
  readonly #worlds: Worlds<Sandbox>
  readonly #player: Player
  #recording: Recording | undefined
  #isClosed = false
  #stage: Stage

  /** @internal Use `createSandbox`. */
  constructor(options: ResolvedOptions, stage: Stage, worlds = new Worlds<Sandbox>((member) => member.#stage.world, matchRoute)) {
    this.#options = options
    this.#stage = stage
    this.#worlds = worlds
    this.fetch = createFetch(this)
    this.#player = new Player({
      world: () => this.#stage.world,
      timeline: () => this.#stage.timeline,
      onBack: (atMs) => this.#recording && dropFrom(this.#recording, atMs),
    })
    this.control = createControl({
      world: () => this.#stage.world,
      scenario: () => this.#stage.scenario,
      routes: routeNames,
      player: this.#player,
      library: options.library ?? [],
      reset: () => this.reset(),
      load: (scenario, start) => this.#load(scenario, start),
      restore: (snapshot) => this.#restore(snapshot),
      worlds: {
        create: () => toControlled(this.#worlds.add((id) => this.#fork(id, this.#worlds))),
        list: () => this.#worlds.list().map(toControlled),
        get: (id) => this.#worlds.get(id),
        remove: (id) => this.#remove(id),
      },
      isClosed: () => this.#isClosed,
    })
  }

  /** Resolves when the data are there. Requests wait for it; direct use of `db` does not. */
  get ready(): Promise<void> {
    return this.#stage.ready
  }

  /** API keys by role name, known at once. */
  get keys(): Readonly<Record<string, string>> {
    return this.#stage.keys
  }

  /** The address that clients use, without a slash at the end. */
  get baseUrl(): string {
    return this.#stage.world.baseUrl
  }

  /** @throws {SandboxError} when it is no http or https address. */
  set baseUrl(address: string) {
    const baseUrl = parseBaseUrl(address)
    this.#stage.world.baseUrl = baseUrl
    for (const { member } of this.#worlds.list()) member.#stage.world.baseUrl = baseUrl
  }

  /** The largest request body taken, bytes. */
  get bodyLimit(): number {
    return this.#options.bodyLimit
  }

  /** The sandbox's time. */
  get clock(): Clock {
    return this.#stage.world.clock
  }

  /** Failures to inject. */
  get faults(): FaultControl {
    return this.control.faults
  }

  /** The last requests, newest first: what was sent, what was answered, and why. */
  get requests(): JournalEntry[] {
    return this.#stage.world.journal.entries()
  }

  /** The tables. Await `ready` before using them. */
  get db(): Tables {
    return this.#stage.world.db
  }

  /**
   * Does an action, or several in order: all of them or, when one fails, none. Returns how many. Await `ready` before: until then
   * only faults, captions and the clock can be acted on.
   *
   * @throws {SandboxError} that names the field, the value and what is allowed, or says that the data are still to come.
   * @example
   * sandbox.act({ type: 'session.lapse', account_id: 101 })
   */
  act(actions: ActionInput | readonly ActionInput[]): number {
    return this.control.act(actions).applied
  }

  /**
   * Checks that the records agree with one another: everything that always holds, by name, each with the first ten records that break it.
   * It reads all records and changes none. Await `ready` before.
   *
   * @example
   * expect(sandbox.check()).toMatchObject({ holds: true })
   */
  check(): WorldCheck {
    return this.control.check()
  }

  /**
   * Plays the story of the scenario: at once, or with `speed` in real time. Resolves where it stops. At once it only goes forwards: at
   * the end, or beyond it, it stays. With `speed` a story that had ended plays again from its start. Await `ready` before.
   *
   * @throws {SandboxError} when there is no story, no such place, one that has passed, or a step that could not be done.
   * @example
   * await sandbox.play({ until: 'First sale' })
   */
  async play({ until, speed, loop }: PlayOptions = {}): Promise<ReplayState> {
    if (speed === undefined) this.#player.playAtOnce(until)
    else await this.#player.play({ until, speed, loop })
    return this.#arrive()
  }

  /**
   * Goes to a place of the story, forwards or back: a chapter, `'2m'` from its start, `'+30s'` from here, or an instant. Back drops
   * what was written since. Await `ready` before.
   *
   * @throws {SandboxError} when there is no story, no such place, or a step on the way that could not be done.
   */
  seek(to: string): ReplayState {
    this.#player.seek(to)
    return this.#arrive()
  }

  /** Answers one call: what every host is an adapter to. */
  async handle(call: Call): Promise<Reply> {
    const sandbox = this.#worlds.size === 0 ? this : (this.#worlds.select(call) ?? this)
    const stage = sandbox.#stage
    if (!stage.isReady) await stage.ready
    return stage.answer(call)
  }

  /** Goes back to the seeded state: data, clock, windows, faults, sessions, journal. */
  async reset(): Promise<void> {
    const stage = this.#stage
    await stage.ready
    stage.world.reset()
    this.#player.forget()
    readKeys(stage)
    if (this.#recording !== undefined) this.record()
  }

  /** The whole sandbox as JSON, but for the journal. Await `ready` before. */
  snapshot(): WorldJson {
    return this.control.snapshot()
  }

  /** Goes back to a snapshot, of any scenario and seed. @throws {SandboxError} that names the table, the id and the field; then nothing has changed. */
  restore(snapshot: unknown): Promise<void> {
    return this.control.restore(snapshot)
  }

  /** An isolated sandbox with the same data, for tests that run side by side. @throws {SandboxError} before `ready`. */
  fork(): Sandbox {
    return this.#fork()
  }

  /** Begins to write down what is done from now on; the function that it returns makes a scenario of it. @internal */
  record(): (name: string) => { scenario: Record<string, unknown>; steps: number; gap: string | null } {
    this.#recording = startRecording(this.#stage.world, () => this.#player.at())
    return (name) => {
      const recording = this.#recording as Recording
      const { world, source, steps } = this.#stage
      return { scenario: toScenario(recording, world, { source, told: steps, name }), steps: recording.steps.length, gap: recording.gap }
    }
  }

  /** What a server answers: the API, the control plane and the documents. @internal */
  openSite(options: SiteOptions): Site {
    return createSite(this, { ...options, log: this.#options.log })
  }

  #arrive(): ReplayState {
    const state = this.#player.state()
    const [problem] = state.problems
    if (problem !== undefined) throw new SandboxError(`Failed to play the story as it is written: ${problem}`)
    return state
  }

  #fork(id?: string, worlds?: Worlds<Sandbox>): Sandbox {
    return new Sandbox(this.#options, forkStage(this.#stage, this.#options, id), worlds)
  }

  async #load(scenario: string | Scenario, { seed, now }: { seed?: number; now?: string }): Promise<void> {
    const stage = createStage({ ...this.#options, scenario, seed, now }, this.#stage.world.id)
    await stage.ready
    stage.world.baseUrl = this.baseUrl
    this.#stage = stage
    this.#player.forget()
    if (this.#recording !== undefined) this.record()
  }

  async #restore(snapshot: WorldJson): Promise<void> {
    await this.ready
    const { scenario, source, world } = this.#stage
    // `reset` goes back to the scenario that the snapshot is of: another one has to be set up first.
    if (snapshot.scenario !== scenario) await this.#load(snapshot.scenario, { seed: snapshot.seed })
    else if (snapshot.seed !== world.options.seed) await this.#load(source, { seed: snapshot.seed })
    if (this.#recording !== undefined) this.#recording.gap ??= 'a snapshot was restored while it ran'
    adoptSnapshot(this.#stage, snapshot)
    this.#player.forget()
  }

  /** Forgets an isolated world: its story plays no more, and whoever follows it is hung up on. */
  #remove(id: string): boolean {
    const member = this.#worlds.remove(id)
    if (member === undefined) return false
    member.#player.forget()
    member.#isClosed = true
    return true
  }
}

function toControlled({ id, member }: { id: string; member: Sandbox }): { id: string; control: Control } {
  return { id, control: member.control }
}

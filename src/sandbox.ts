/// <reference lib="esnext.disposable" preserve="true" />
import { z } from 'zod'
import type { Audit } from './audit/audit.ts'
import type { Cost } from './audit/cost.ts'
import type { ReceivedFilter } from './audit/received.ts'
import { createFetch } from './adapters/fetch.ts'
import type { Fetch } from './adapters/fetch.ts'
import type { ActionResults } from './control/act.ts'
import { check, show, UnknownError } from './control/check.ts'
import { createControl, WorldChoice, WorldName } from './control/control.ts'
import type { AuditQuery, Control, Recorded, ScenarioStart, Since } from './control/control.ts'
import type { FaultControl } from './control/faults.ts'
import type { WorldCount } from './control/state.ts'
import type { TextAnswer } from './control/text-answer.ts'
import type { Clock } from './engine/clock.ts'
import type { WorldCheck } from './engine/invariant.ts'
import { findKey } from './engine/pipeline/admit.ts'
import type { LogLevel } from './engine/log.ts'
import { mebibyte, MemoryLimit } from './engine/memory-limit.ts'
import { realTime } from './engine/moment.ts'
import type { Answer, Call, Reply, Route } from './engine/route.ts'
import type { KeptRows } from './engine/kept-rows.ts'
import type { JsonText } from './engine/json-in-units.ts'
import { requireObject } from './engine/store/require.ts'
import { fromIso, toIso } from './engine/time.ts'
import { splitUrl } from './engine/url.ts'
import { finish } from './engine/work.ts'
import type { Pace, Work } from './engine/work.ts'
import { toWorldId, worldNameOf } from './engine/world-name.ts'
import type { WorldJson } from './engine/written-snapshot.ts'
import {
  ApiError,
  atCaller,
  brokenStory,
  BudgetError,
  forCaller,
  forCallerLater,
  notReady,
  SandboxError,
  throwingAtCaller,
} from './errors.ts'
import type {
  ActionInput,
  Chapter,
  PlayOptions as PlayInput,
  Role,
  SandboxOptions,
  Scenario as ScenarioInput,
} from './generated/inputs.ts'
import { version } from './generated/version.ts'
import { bodyLimitOf } from './sandbox/body-limit.ts'
import type { CallHead } from './sandbox/body-limit.ts'
import { digestOf } from './sandbox/digest.ts'
import { FreshStart } from './sandbox/fresh-start.ts'
import { Gate } from './sandbox/gate.ts'
import { Observers, waitForRequest } from './sandbox/observers.ts'
import type { SandboxEvents } from './sandbox/observers.ts'
import { parseOptions } from './sandbox/options.ts'
import type { ResolvedOptions } from './sandbox/options.ts'
import { SeededStates } from './sandbox/seeded-states.ts'
import { toSentRequest } from './sandbox/sent-request.ts'
import { Recordings } from './sandbox/recordings.ts'
import type { SentRequest } from './sandbox/sent-request.ts'
import { answerMedia, answerPicture } from './sandbox/pictures.ts'
import { parseBaseUrl } from './sandbox/settings.ts'
import type { Shelf } from './sandbox/shelf.ts'
import type { SiteHost } from './site/site.ts'
import {
  adoptingSnapshot,
  createStage,
  forkStage,
  hasSeededKey,
  matchRoute,
  readKeys,
  servedNames,
  servedRoutes,
} from './sandbox/stage.ts'
import type { Stage } from './sandbox/stage.ts'
import { Turns } from './sandbox/turns.ts'
import { assertSettled, parseFilter, receivedBy } from './sandbox/verify.ts'
import type { SettledOptions } from './sandbox/verify.ts'
import { namesWorld, Worlds } from './sandbox/worlds.ts'
import type { AccountName } from './scenario/prepare.ts'
import { Player, PlayOptions } from './scenario/player.ts'
import type { ReplayState } from './scenario/player.ts'
import type { Scenario } from './scenario/schema.ts'
import { createMake } from './world/make.ts'
import type { Make, OpenTables } from './world/make.ts'
import type { TableName } from './world/tables.ts'
import type { World } from './world/world.ts'
import type { Survival, SurviveOptions } from './variation/survive.ts'

/**
 * Of all sandboxes of the process. It decides how long a seeding takes, and never what comes of it.
 */
const states = new SeededStates()

/**
 * Creates a sandbox: the whole API on seeded data, in memory. It exists at once, and its data
 * follow (`await sandbox.ready`). Requests wait for the data by themselves.
 *
 * @throws {SandboxError} when an option is unknown or out of range.
 * @example
 * const sandbox = createSandbox({
 *   baseUrl: 'https://api.example.test',
 *   scenario: 'agency',
 *   seed: 7,
 * })
 */
export function createSandbox<const Library extends readonly ScenarioInput[] = readonly []>(
  options: SandboxOptions<Library> = {},
): Sandbox {
  try {
    return open(parseOptions(options))
  } catch (error) {
    throw atCaller(error, createSandbox)
  }
}

/**
 * Creates the sandbox of a server, which has others to answer while it is seeded. With `beginsNow`
 * its clock starts now, to the UTC minute, where neither `now` nor its scenario says when; so do
 * scenarios that are loaded later. @internal
 */
export function createServedSandbox(
  options: SandboxOptions<readonly ScenarioInput[]>,
  { beginsNow, ...host }: { beginsNow: boolean; pace: Pace; processMemory?: () => number },
): Sandbox {
  return open({ ...parseOptions(options), beginsNow }, host)
}

function open(
  options: ResolvedOptions,
  { pace, processMemory }: { pace?: Pace; processMemory?: () => number } = {},
): Sandbox {
  const gate = new Gate(pace)
  const { maxMemory } = options
  const memory =
    maxMemory === undefined ? undefined : new MemoryLimit(maxMemory * mebibyte, processMemory)
  const stage = createStage(options, { memory, states, run: (work) => gate.aside(work) })
  return new Sandbox(options, { stage, gate })
}

/** API keys by role. A role of a shipped scenario that this one lacks has none. */
export type Keys = Readonly<Record<string, string>> & { readonly owner: string } & {
  readonly [Name in Exclude<Role, 'owner'>]?: string
}

/** A running sandbox: the API, and everything that a test needs to control it. */
export class Sandbox {
  /** Sends a request to the sandbox, with the signature of the global `fetch`. */
  readonly fetch: Fetch
  /**
   * Everything that a person can do to the sandbox. The routes under `/_sandbox/` offer the same
   * over HTTP.
   */
  readonly control: Control
  /**
   * The name of this isolated world, which stands behind its keys and in `?world=`; undefined for a
   * sandbox of its own.
   */
  readonly worldName: string | undefined
  readonly #options: ResolvedOptions
  readonly #worlds: Worlds<Sandbox>
  readonly #freshStart: FreshStart
  readonly #player: Player
  readonly #gate: Gate
  #make: Make | undefined
  #writeMetrics = refuseMetrics
  /** What kept the world from coming back from where it had been put. */
  #damage: Error | undefined
  readonly #observers = new Observers()
  readonly #turns: Turns
  readonly #recordings: Recordings
  #isSurviving = false
  /** Undefined once the sandbox is closed. */
  #open: Stage | undefined
  /** How far the story was when the sandbox was closed, for who waited for it. */
  #lastReplay: ReplayState | undefined

  /** @internal Use `createSandbox`. */
  constructor(
    options: ResolvedOptions,
    { stage, gate, worlds }: { stage: Stage; gate: Gate; worlds?: Worlds<Sandbox> | undefined },
  ) {
    this.#options = options
    this.#gate = gate
    this.#open = stage
    this.#turns = new Turns({
      gate,
      stage: () => this.#stage,
      open: () => this.#open,
      damage: () => this.#damage,
    })
    this.#recordings = new Recordings({ stage: () => this.#stage, at: () => this.#player.at() })
    this.#freshStart = new FreshStart(options)
    this.#worlds = worlds ?? this.#createWorlds()
    this.worldName = worlds && worldNameOf(stage.world.id)
    this.fetch = createFetch(this)
    this.#player = new Player({
      world: () => this.#stage.world,
      timeline: () => this.#stage.timeline,
      about: () => this.#stage.about,
      onBack: (atMs) => this.#recordings.dropFrom(atMs),
      run: (work) =>
        void (this.#gate.pace === undefined
          ? finish(work())
          : this.#turns.untilClosed('playing', work)),
    })
    this.control = createControl({
      world: () => this.#inUse.world,
      scenario: () => this.#stage.scenario,
      routes: servedNames(options),
      overlay: () => options.overlaid.routes?.changed ?? null,
      personas: () => this.#stage.seeded?.scenario.personas ?? {},
      recording: this.#recordings,
      player: this.#player,
      play: (playOptions) => this.play(playOptions),
      seek: (to) => this.seek(to),
      library: options.library ?? [],
      reset: () => this.reset(),
      load: (scenario, start) => this.#gate.run(() => this.#load(scenario, start), 'loading'),
      restore: (snapshot) => this.#gate.run(() => this.#restore(snapshot), 'restoring'),
      worlds: {
        create: (name) => this.#worlds.create(name).#summary(),
        list: () => this.#worlds.list().map(({ member }) => member.#summary()),
        open: (name) => this.#worlds.open(name),
        remove: (name) => this.#remove(name),
        count: () => this.#worlds.count,
      },
      isClosed: () => this.#open === undefined,
      finishNow: () => this.#gate.finishNow(),
      served: {
        busy: () => (this.#turns.isSeeding ? 'seeding' : this.#gate.doing),
        isBehind: () => this.#gate.pace !== undefined && this.#stage.world.isBehind,
        aside: (work) => this.#gate.aside(work),
        metrics: () => this.#writeMetrics(),
        inTurn: async (doing, job) => {
          this.#gate.requireRoom()
          return this.#turns.inTurn(doing, job)
        },
      },
    })
  }

  /** Resolves when the data are there. Requests wait for it; direct use of `db` does not. */
  get ready(): Promise<void> {
    return this.#stage.ready
  }

  /**
   * The accounts, by their ids. They are known before the data are there.
   *
   * @example
   * const [account] = sandbox.accounts
   */
  get accounts(): readonly AccountName[] {
    const { isReady, accounts, world } = this.#stage
    const known = isReady ? world.db.accounts.all() : accounts.toSorted((a, b) => a.id - b.id)
    return known.map(({ id, username }) => ({ id, username }))
  }

  /** The API keys by role. They are known before the data are there. */
  get keys(): Keys {
    return this.#stage.keys as Keys
  }

  /** The address that clients use, without a trailing slash. */
  get baseUrl(): string {
    return this.#stage.world.baseUrl
  }

  /** @throws {SandboxError} when it is no http or https address. */
  set baseUrl(address: string) {
    const baseUrl = parseBaseUrl(address)
    this.#stage.world.baseUrl = baseUrl
    for (const { member } of this.#worlds.list()) member.#stage.world.baseUrl = baseUrl
  }

  /** Whether the pictures of users are served under the base address. @internal */
  get servesPictures(): boolean {
    return this.#stage.world.servesPictures
  }

  /**
   * Lets addresses of pictures of users begin with the base address: its host serves them.
   * @internal
   */
  servePictures(): void {
    this.#stage.world.servesPictures = true
    for (const { member } of this.#worlds.list()) member.#stage.world.servesPictures = true
  }

  /**
   * Answers with a small picture of a media file of this package: `/media/NAME/thumb`. It is none
   * of the API. @internal
   */
  handlePicture(call: Call): Promise<Reply> {
    return answerMedia(call)
  }

  /** Answers a call to the platform's public host, which serves the pictures of users. @internal */
  handlePublic(call: Call): Promise<Reply> {
    return answerPicture(call)
  }

  /** The largest request body that the API accepts, bytes. */
  get bodyLimit(): number {
    return this.#options.bodyLimit
  }

  /**
   * What the data were made of. `control.state()` says so too, and counts all records for it.
   * @internal
   */
  get madeFrom(): { scenario: string; seed: number; start: string } {
    const { scenario, world } = this.#stage
    return { scenario, seed: world.options.seed, start: toIso(world.options.start) }
  }

  /** What stands for the scenario: another object once another one was loaded. @internal */
  get loaded(): object {
    return this.#stage
  }

  /**
   * The memory that the sandbox and its worlds may use; undefined without `maxMemory`. @internal
   */
  get memory(): MemoryLimit | undefined {
    return this.#stage.world.options.memory
  }

  /** The clock of the sandbox. */
  get clock(): Clock {
    this.#gate.finishNow()
    return this.#stage.world.clock
  }

  /** The control of the failures that the sandbox injects. */
  get faults(): FaultControl {
    return this.control.faults
  }

  /** The last requests and their answers, newest first. */
  get requests(): SentRequest[] {
    return this.#stage.world.journal.entries().map(toSentRequest)
  }

  /**
   * The tables. Await `ready` before using them. A record to insert needs only the fields that
   * matter: see `make`.
   */
  get db(): OpenTables {
    this.#gate.finishNow()
    const { world } = this.#stage
    return (world.isSeeded ? world.db : guardTables(world)) as OpenTables
  }

  /**
   * Makes records, a function for each kind: what is left out gets a believable default, always the
   * same for the same seed. What it names is filled in where there is only one that it could be.
   * Await `ready` before.
   *
   * @throws {SandboxError} before the data are there, on an unknown field, one that does not fit,
   * and a missing one that only the caller can know.
   * @example
   * const post = sandbox.make.post({ text: '<p>Hello</p>', at: '-2d' })
   */
  get make(): Make {
    const { isSeeded, maker } = this.#stage.world
    if (!isSeeded || maker === undefined) throw notReady('make a record')
    return (this.#make ??= throwingAtCaller(
      createMake(maker, (name, table, fields) => this.#makeRecord(name, table, fields)),
    ))
  }

  /**
   * Applies an action, or several in order. When one fails, none is applied. Returns what it made
   * or changed; of an array, in an array. Await `ready` before: until then only actions on faults,
   * captions and the clock work.
   *
   * @throws {SandboxError} that names the field, the value and what is allowed, or says that the
   * data are still to come.
   * @example
   * const { ids, happened } = sandbox.act({ type: 'tip', account_id: 101, amount: 20 })
   * sandbox.db.transactions.get(ids.transaction) // the payment of the tip
   */
  act<const Input extends ActionInput | readonly ActionInput[]>(
    actions: Input,
  ): ActionResults<Input> {
    return forCaller(this.act, () => this.control.act(actions))
  }

  /**
   * Checks that the records agree with one another: everything that always holds, by name, each
   * with the first ten records that break it. It reads all records and changes none. Await `ready`
   * before.
   *
   * @example
   * expect(sandbox.check()).toMatchObject({ holds: true })
   */
  check(): WorldCheck {
    return this.control.check()
  }

  /**
   * Audits what clients sent since the last `checkpoint`: what they do wrong, what it cost, and
   * what they never met. A correct client gets no findings.
   *
   * @example
   * expect((await sandbox.audit()).findings).toEqual([])
   */
  audit(query: AuditQuery = {}): Promise<Audit> {
    return forCallerLater(this.audit, () => this.control.audit(query))
  }

  /**
   * What clients spent since the last `checkpoint`: credits, requests, bytes and pages, in all and
   * by route.
   *
   * @example
   * expect(sandbox.cost()).toMatchSnapshot()
   */
  cost(query: Since = {}): Cost {
    return forCaller(this.cost, () => this.control.cost(query))
  }

  /**
   * Lets `audit`, `cost`, `received` and `assertSettled` begin here. Returns the id of the last
   * request before. A reset forgets it.
   */
  checkpoint(): number {
    return this.control.checkpoint()
  }

  /**
   * The requests since the last `checkpoint` that match a filter, oldest first.
   *
   * @throws {SandboxError} for a field or a route that there is not.
   * @example
   * const posted = sandbox.received({ route: 'POST /v1/:account_id/posts', body: { text: 'Hello' } })
   * expect(posted).toHaveLength(1)
   */
  received(filter: ReceivedFilter = {}): SentRequest[] {
    return forCaller(this.received, () =>
      receivedBy(this.#stage.world, parseFilter(filter, servedNames(this.#options))).map(
        toSentRequest,
      ),
    )
  }

  /**
   * Waits for a request that matches: the first since the last `checkpoint`, or the next to come.
   * `timeoutMs` is real time.
   *
   * @throws {SandboxError} when none came in time, with the three nearest and how they differ.
   * @default 5000
   */
  waitForRequest(
    filter: ReceivedFilter,
    { timeoutMs = 5000 }: { timeoutMs?: number } = {},
  ): Promise<SentRequest> {
    const from = {
      world: () => this.#stage.world,
      on: (listener: (entry: SandboxEvents['request']) => void) => this.on('request', listener),
    }
    return forCallerLater(this.waitForRequest, async () =>
      toSentRequest(
        await waitForRequest(from, parseFilter(filter, servedNames(this.#options)), timeoutMs),
      ),
    )
  }

  /**
   * Calls a function at each request that was answered, or at each action that was done, until the
   * returned function is called.
   *
   * @example
   * const stop = sandbox.on('request', ({ method, path, status }) => {
   *   console.log(method, path, status)
   * })
   */
  on<Name extends keyof SandboxEvents>(
    name: Name,
    listener: (event: SandboxEvents[Name]) => void,
  ): () => void {
    return forCaller(this.on, () => this.#observers.on(name, listener, () => this.#stage.world))
  }

  /**
   * Requires, at the end of a test, that nothing is left since the last `checkpoint`: no request
   * without a route, no refusal (4xx) but those of faults and `expected`, no fault that never
   * fired, no upload that was begun and not finished.
   *
   * @throws {SandboxError} that lists what is left.
   */
  assertSettled(options: SettledOptions = {}): void {
    forCaller(this.assertSettled, () => assertSettled(this.#stage.world, options))
  }

  /**
   * Runs a function under each variation of the contract alone (docs/variation.md), `seeds` times
   * each, and prints what it survives. It varies this sandbox, so that handlers and servers that
   * are attached to it answer: before each run it goes back to where it was, and so it does in the
   * end. The function may not reset it.
   *
   * @throws {SandboxError} for an option that is not allowed, and when the function fails without a
   * variation.
   * @example
   * const { survived } = await sandbox.survive(() => report(), { seeds: 5 })
   */
  async survive(
    run: (sandbox: Sandbox) => unknown,
    options: SurviveOptions = {},
  ): Promise<Survival> {
    await this.ready
    this.#gate.finishNow()
    if (this.#isSurviving)
      throw new SandboxError(
        'Failed to vary the answers: they vary already. Await the first survive.',
      )
    this.#isSurviving = true
    try {
      const { surviveIn } = await import('./sandbox/trial.ts')
      return await surviveIn(
        () => this.#stage.world,
        typeof run === 'function' ? () => run(this) : run,
        options,
      )
    } finally {
      this.#isSurviving = false
    }
  }

  /**
   * Plays the story of the scenario: at once, or with `speed` in real time. Resolves when it stops.
   * Without `speed` the story only goes forwards, and a story that has ended stays where it is.
   * With `speed` a story that has ended plays again from its start. Await `ready` before. A story
   * in real time does not keep a process alive by itself: a server or a test runner does, a script
   * alone does not.
   *
   * @throws {SandboxError} when an option is not allowed, there is no story, no such place, one
   * that has passed, or a step that could not be done.
   * @example
   * await sandbox.play({ until: 'First sale' })
   */
  play(options: PlayInput = {}): Promise<ReplayState> {
    return forCallerLater(this.play, async () => {
      const { until, speed, loop } = check(PlayOptions, options, { verb: 'play' })
      this.#gate.finishNow()
      if (speed === undefined) this.#player.playAtOnce(until)
      else await this.#player.play({ until, speed, loop })
      return this.#lastReplay ?? this.#arrive()
    })
  }

  /**
   * Goes to a place of the story, forwards or back: a chapter, `'2m'` from its start, `'+30s'` from
   * here, or an instant. A seek back drops what was written since. Await `ready` before.
   *
   * @throws {SandboxError} when there is no story, no such place, or a step on the way that could
   * not be done.
   */
  seek(to: Chapter | (string & {})): ReplayState {
    return forCaller(this.seek, () => {
      const place = check(z.string(), to, { verb: 'seek', place: 'to' })
      this.#gate.finishNow()
      this.#player.seek(place)
      return this.#arrive()
    })
  }

  /** Answers one call. Every host adapts its requests to this method. */
  async handle(call: Call): Promise<Reply> {
    return this.answer(call, true)
  }

  /** The same, at once where nothing has to be waited for. @internal */
  answer(call: Call, isInProcess = false): Answer {
    if (
      typeof call?.method !== 'string' ||
      typeof call.url !== 'string' ||
      typeof call.header !== 'function'
    )
      throw new SandboxError(
        `Failed to answer ${show(call)}: it must be a call with method, url, header and body. ` +
          `For a Request there is fetch.`,
      )
    if (this.#worlds.shelf?.isBehind === true && !isPrompt(call))
      return this.#worlds.shelf.caughtUp().then(() => this.#answerReady(call, isInProcess))
    return this.#answerReady(call, isInProcess)
  }

  #answerReady(call: Call, isInProcess: boolean): Answer {
    const { isReady, ready } = this.#stage
    // Which keys there are is known once the data are there.
    if (!isReady && namesWorld(call) && !isPrompt(call))
      return ready.then(() => this.#answerReady(call, isInProcess))
    return this.#answerInWorld(call, isInProcess)
  }

  #answerInWorld(call: Call, isInProcess: boolean): Answer {
    const { sandbox, refusal } = this.#admitted(call)
    if (refusal !== undefined) return sandbox.#stage.answer({ ...call, refusal }, { isInProcess })
    const { worldName } = sandbox
    return worldName === undefined
      ? sandbox.#turns.answer(call, { isPrompt, isInProcess })
      : this.#worlds.during(worldName, () => sandbox.#turns.answer(call, { isPrompt, isInProcess }))
  }

  /**
   * The largest body to keep of a request to the API, bytes: 0 where its key or its address opens
   * nothing. @internal
   */
  bodyLimitOf(head: CallHead): number {
    const { sandbox, refusal } = this.#admitted(head)
    if (refusal !== undefined) return 0
    const { isReady, world } = sandbox.#stage
    // What a world on its way back knows is not known yet.
    if (sandbox.#gate.doing === returning)
      return matchRoute(head.method, splitUrl(head.url).path).route?.fileLimit ?? this.bodyLimit
    return isReady
      ? bodyLimitOf(head, world, { match: matchRoute, bodyLimit: this.bodyLimit })
      : this.bodyLimit
  }

  /**
   * Makes an isolated world beside this sandbox, in the seeded state, behind the same address. It
   * is a sandbox, whose keys are `<key>~<name>`, and it is gone when it is closed. A request with
   * such a key makes the world by itself, too. Await `ready` before.
   *
   * @throws {SandboxError} when the name is taken or is none, or there are as many worlds as there
   * may be.
   * @example
   * using world = sandbox.createWorld({ name: 'worker-3' })
   */
  createWorld(choice: WorldChoice = {}): Sandbox {
    return forCaller(this.createWorld, () =>
      this.#worlds.create(check(WorldChoice, choice, { verb: 'make a world' }).name),
    )
  }

  /**
   * The isolated world of that name. It is made in the seeded state when it is not there. @throws
   * {SandboxError} when it is no name.
   */
  world(name: string): Sandbox {
    return forCaller(this.world, () =>
      this.#worlds.open(check(WorldName, name, { verb: 'open a world', place: 'name' })),
    )
  }

  /** Goes back to the seeded state: data, clock, rate windows, faults, sessions and journal. */
  reset(): Promise<void> {
    const reset = async () => {
      const stage = this.#stage
      await stage.ready
      stage.world.reset()
      this.#player.forget()
      readKeys(stage)
      this.#recordings.beginAnew()
    }
    return this.#gate.run(reset, 'resetting')
  }

  /** The whole sandbox as JSON, without the journal. @throws {SandboxError} before `ready`. */
  snapshot(): WorldJson {
    return forCaller(this.snapshot, () => this.control.snapshot())
  }

  /**
   * Goes back to a snapshot of any scenario and seed. A refused snapshot changes nothing.
   * @throws {SandboxError} that names the table, the id and the field.
   */
  restore(snapshot: unknown): Promise<void> {
    return forCallerLater(this.restore, () => this.control.restore(snapshot))
  }

  /**
   * Goes back to the snapshot that a text stands for. @throws {SandboxError} @throws {SyntaxError}
   * @internal
   */
  restoreText(text: JsonText): Promise<void> {
    return this.#gate.run(() => this.#restoreText(text), 'restoring')
  }

  /**
   * Makes an isolated sandbox with the same data, for tests that run side by side. @throws
   * {SandboxError} before `ready`.
   */
  fork(): Sandbox {
    return forCaller(this.fork, () => {
      this.#gate.finishNow()
      return this.#toSandbox(forkStage(this.#stage, this.#options))
    })
  }

  /**
   * Ends stories and event streams, closes the isolated worlds, and lets go of all data. Requests
   * under way still get their answers. Whatever is asked of the sandbox afterwards throws. Closing
   * it again does nothing.
   */
  close(): void {
    if (this.#open === undefined) return
    if (this.#player.isAwaited) this.#lastReplay = this.#player.state()
    if (this.worldName === undefined) for (const { member } of this.#worlds.list()) member.close()
    else this.#worlds.remove(this.worldName)
    this.#player.close()
    this.#recordings.forget()
    this.#open.world.release()
    this.#freshStart.forget()
    this.#open = undefined
  }

  /** Closes the sandbox at the end of a block: `using sandbox = createSandbox()`. */
  [Symbol.dispose](): void {
    this.close()
  }

  /**
   * Starts to record what changes the sandbox. The returned function converts the recording to a
   * scenario. @internal
   */
  record(): (name: string) => Recorded {
    return this.#recordings.keep()
  }

  /**
   * Says of the file that keeps the sandbox since when it cannot be written, RFC 3339; undefined
   * when it can. @internal
   */
  reportState(failingSince: string | undefined): void {
    this.#options.conditions.state = failingSince && `failing since ${failingSince}`
  }

  /** Puts worlds there that have to leave memory, in place of dropping them. @internal */
  keepWorlds(shelf: Shelf<Sandbox>): void {
    this.#worlds.shelf = shelf
  }

  /** Lets the control plane tell what the server counts. @internal */
  showMetrics(write: () => Promise<TextAnswer>): void {
    this.#writeMetrics = write
  }

  /** What the sandbox with all its worlds holds now. @internal */
  usage(): Usage {
    const journals = [this.#stage, ...this.#worlds.list().map(({ member }) => member.#stage)].map(
      ({ world }) => world.journal.size,
    )
    return {
      worlds: { ...this.#worlds.count, shelved: this.#worlds.shelvedCount },
      journal: journals.reduce((sum, size) => sum + size, 0),
      memory: this.memory,
    }
  }

  /** Says in `/health` what the data and the answers of a server follow from. @internal */
  showDigest(): void {
    this.#options.conditions.digest = digestOf(this.#options, this.#stage)
  }

  /** What a site of this sandbox needs, for `openSite`. @internal */
  get host(): SiteHost {
    return this
  }

  /** The routes that it answers. @internal */
  get routes(): readonly Route[] {
    return servedRoutes(this.#options)
  }

  /** Tells whoever runs the sandbox. @internal */
  tell(message: string, level: LogLevel): void {
    this.#options.log?.(message, level)
  }

  /** @throws {SandboxError} once the sandbox is closed. */
  get #stage(): Stage {
    if (this.#open === undefined)
      throw new SandboxError(
        'Failed to use the sandbox: it is closed. Create another one with createSandbox.',
      )
    return this.#open
  }

  /** The same, as what a person uses now: a world that nobody uses may be dropped. */
  get #inUse(): Stage {
    if (this.worldName !== undefined) this.#worlds.touch(this.worldName)
    return this.#stage
  }

  /** The world that a request is for, or why there is none: then this one refuses the request. */
  #admitted(head: CallHead): { sandbox: Sandbox; refusal?: ApiError | BudgetError } {
    if (!this.#stage.isReady) return { sandbox: this }
    try {
      return { sandbox: this.#worlds.select(head) ?? this }
    } catch (error) {
      if (error instanceof ApiError || error instanceof BudgetError)
        return { sandbox: this, refusal: error }
      throw error
    }
  }

  #createWorlds(): Worlds<Sandbox> {
    return new Worlds<Sandbox>({
      make: (name) => this.#makeWorld(name),
      worldOf: (member) => member.#stage.world,
      close: (member) => member.close(),
      isBusy: (member) => member.#isBusy,
      isCrowded: () => this.memory?.isCrowded === true,
      bringBack: (member, from) => member.#bringBack(from),
      match: matchRoute,
      isMainKey: (key) => findKey(this.#stage.world.db, key) !== undefined,
      isSeededKey: (key) => hasSeededKey(this.#stage, key),
      most: this.#options.maxWorlds,
      realTime: this.#options.realTime ?? realTime,
      log: this.#options.log ?? (() => {}),
    })
  }

  /**
   * Makes the isolated world of a name from the seeded state, whatever has happened since, at the
   * present time.
   */
  #makeWorld(name: string): Sandbox {
    const id = toWorldId(name)
    const stage = this.#stage
    if (this.#gate.begin(this.#freshStart.movingOn(stage)))
      return this.#toSandbox(this.#freshStart.fork(stage, id), this.#worlds)
    const made = this.#toSandbox(
      forkStage(stage, this.#options, { id, from: 'origin' }),
      this.#worlds,
    )
    made.#makeReady(`move the world ${name} on`, 'moving on', () =>
      made.#gate.do(this.#freshStart.joining(made.#stage, stage), 'moving on'),
    )
    return made
  }

  /** What others are told of this world. Nobody uses it by that. */
  #summary(): { id: string; keys: Stage['keys']; world: World } {
    const { keys, world } = this.#stage
    return { id: this.worldName ?? world.id, keys, world }
  }

  /**
   * From now on does long work in slices, as a server must that has others to answer. Requests to a
   * busy world wait in order.
   * @internal
   */
  follow(pace: Pace): void {
    this.#gate.follow(pace)
    for (const { member } of this.#worlds.list()) member.#gate.follow(pace)
  }

  /** Builds the indexes of large tables, before the first request needs them. @internal */
  warm(): Promise<void> {
    return this.#turns.untilClosed('seeding', () => this.#stage.world.preparing())
  }

  #makeRecord(name: string, table: TableName, fields: object): object {
    this.#gate.finishNow()
    const { world } = this.#stage
    requireObject(fields, `make ${name}`)
    world.settle()
    world.requireRoom(`make ${name}`)
    return world.attempt(() => world.make(table, fields))
  }

  #arrive(): ReplayState {
    const state = this.#player.state()
    const [problem] = state.problems
    if (problem !== undefined) throw brokenStory(problem)
    return state
  }

  #toSandbox(stage: Stage, worlds?: Worlds<Sandbox>): Sandbox {
    return new Sandbox(this.#options, { stage, gate: new Gate(this.#gate.pace), worlds })
  }

  async #load(
    scenario: string | Scenario,
    { seed, now, cue = false }: ScenarioStart,
  ): Promise<void> {
    const run = <Result>(work: Work<Result>) => this.#gate.aside(work)
    const { id, options } = this.#stage.world
    const stage = createStage(
      { ...this.#options, scenario, seed, now },
      { memory: options.memory, id, run, states },
    )
    try {
      await stage.ready
      if (this.#gate.pace !== undefined) await run(stage.world.preparing())
      // It throws where the sandbox was closed meanwhile.
      stage.world.baseUrl = this.baseUrl
      stage.world.servesPictures = this.servesPictures
    } catch (error) {
      stage.world.release()
      throw error
    }
    this.#stage.world.release()
    this.#freshStart.forget()
    this.#open = stage
    if (this.worldName === undefined && this.#options.conditions.digest !== undefined)
      this.showDigest()
    this.#observers.follow(stage.world)
    this.#player.forget()
    if (cue && stage.timeline.moments.length > 0) this.#player.stop()
    this.#recordings.beginAnew()
  }

  /**
   * Restores the text of a snapshot. A large one is never in memory as a whole besides the records
   * that are there anyway.
   */
  async #restoreText(text: JsonText): Promise<void> {
    const { parseHead, parsingJson } = await import('./engine/json-in-units.ts')
    await this.ready
    const kept = await this.#keptFor(parseHead(text, 'tables'))
    const json = await this.#gate.aside(
      parsingJson(text, ([part, table], value) =>
        part === 'tables' ? (kept.find(table, value) ?? value) : value,
      ),
    )
    await this.#restore(json)
  }

  /** The records that a snapshot may have from the scenario that this sandbox has, too. */
  async #keptFor(snapshot: unknown): Promise<KeptRows> {
    const { KeptRows } = await import('./engine/kept-rows.ts')
    const { scenario, seed } = (snapshot ?? {}) as Partial<Record<string, unknown>>
    const isAlike = scenario === this.madeFrom.scenario && seed === this.madeFrom.seed
    return isAlike ? this.#gate.aside(KeptRows.of(this.#stage.world)) : KeptRows.none
  }

  async #restore(json: unknown): Promise<void> {
    await this.ready
    const { parsingSnapshot, loadingJson: loading } = await import('./engine/checked-snapshot.ts')
    const kept = await this.#keptFor(json)
    const snapshot = await this.#gate.aside(
      parsingSnapshot(json, { rules: this.#stage.world.rules, release: version, kept }),
    )
    const { scenario, source, world } = this.#stage
    // `reset` must go back to the scenario, seed and start of the snapshot. If these differ from
    // the present ones, they are loaded first.
    const { seed, start } = snapshot
    const now = start === undefined ? undefined : fromIso(start)
    if (snapshot.scenario !== scenario) await this.#load(snapshot.scenario, { seed, now })
    else if (seed !== world.options.seed || (now !== undefined && now !== world.options.start))
      await this.#load(source, { seed, now })
    this.#recordings.noteGap('a snapshot was restored while it ran')
    await this.#gate.aside(
      adoptingSnapshot(this.#stage, snapshot, { options: this.#options, loading }),
    )
    if (this.#gate.pace !== undefined)
      await this.#turns.do(this.#stage.world.preparing(), 'restoring')
    this.#player.forget()
  }

  /** Removes an isolated world. Its story stops, and its event streams end. */
  #remove(name: string): boolean {
    const member = this.#worlds.remove(name)
    member?.close()
    return this.#worlds.forget(name) || member !== undefined
  }

  /** Whether the world is in the middle of something that would not go on when it leaves memory. */
  get #isBusy(): boolean {
    return !this.#gate.isFree || this.#player.state().status === 'playing'
  }

  /** Puts a snapshot into this new world. */
  #bringBack({
    fetch,
    onBack,
  }: {
    fetch: () => Promise<string | WorldJson>
    onBack: () => void
  }): void {
    this.#makeReady(`bring the world ${this.worldName} back`, returning, async () => {
      const found = await fetch()
      await (typeof found === 'string' ? this.#restoreText(found) : this.#restore(found))
      onBack()
    })
  }

  /**
   * Does what this new world needs before it answers anybody. Where that fails all who ask are
   * told; who asks later tries again.
   */
  #makeReady(verb: string, doing: string, job: () => Promise<void>): void {
    const prepare = async () => {
      if (this.#damage !== undefined) return
      try {
        await job()
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        this.#damage = new SandboxError(`Failed to ${verb}: ${why}`, { cause: error })
        this.#options.log?.(this.#damage.message, 'error')
        if (this.#open !== undefined) this.close()
      }
    }
    void this.#gate.run(prepare, doing)
  }
}

/** What a sandbox with all its worlds holds. */
interface Usage {
  worlds: WorldCount & { shelved: number }
  /** How many requests the journals hold. */
  journal: number
  memory: Pick<MemoryLimit, 'used' | 'limit'> | undefined
}

/** Tables that may be taken before the data are there, and used only afterwards. */
function guardTables(world: World): World['db'] {
  return new Proxy(world.db, {
    get(tables, name) {
      world.requireSeeded('read the tables')
      return Reflect.get(tables, name)
    },
  })
}

/** What a world is busy with that comes back from where it had been put. */
const returning = 'coming back'

async function refuseMetrics(): Promise<TextAnswer> {
  throw new UnknownError(
    'Failed to read the metrics: this server counts none. Start it with --metrics (startServer: ' +
      'metrics), and ask without ?world.',
  )
}

function isPrompt({ method, url }: Call): boolean {
  return matchRoute(method, splitUrl(url).path).route?.isPrompt === true
}

/// <reference lib="esnext.disposable" preserve="true" />
import { createFetch } from '../hosts/fetch.ts'
import type { Fetch } from '../hosts/fetch.ts'
import type { Audit } from '../audit/audit.ts'
import type { Cost } from '../audit/cost.ts'
import type { ReceivedFilter } from '../audit/received.ts'
import type { ActionResults } from '../control/act.ts'
import { check, show } from '../control/check.ts'
import { WorldChoice, WorldName } from '../control/control.ts'
import type { AuditQuery, Control, Since } from '../control/control.ts'
import type { FaultControl } from '../control/faults.ts'
import type { Clock } from '../world/clock.ts'
import type { WorldCheck } from '../world/invariant.ts'
import type { Call, Reply } from '../api/route.ts'
import { requireObject } from '../data/require.ts'
import type { WorldJson } from '../world/snapshot/written-snapshot.ts'
import { forCaller, forCallerLater, notReady, SandboxError, throwingAtCaller } from '../errors.ts'
import type { ActionInput, Chapter, PlayOptions as PlayInput, Role } from '../generated/inputs.ts'
import { servedNames } from './loaded-scenario.ts'
import { waitForRequest } from './observers.ts'
import type { SandboxEvents } from './observers.ts'
import type { Runtime } from './runtime.ts'
import { toSentRequest } from './sent-request.ts'
import type { SentRequest } from './sent-request.ts'
import { parseBaseUrl } from './settings.ts'
import { assertSettled, parseFilter, receivedBy } from './verify.ts'
import type { SettledOptions } from './verify.ts'
import type { AccountName } from '../scenario/prepare.ts'
import type { ReplayState } from '../scenario/player.ts'
import type { Survival, SurviveOptions } from '../variation/survive.ts'
import { createMake } from '../resources/make.ts'
import type { Make, OpenTables } from '../resources/make.ts'
import type { TableName } from '../resources/all-tables.ts'
import type { World } from '../resources/world.ts'

/** API keys by role. A role of a shipped scenario that this one lacks has none. */
export type Keys = Readonly<Record<string, string>> & { readonly owner: string } & {
  readonly [Name in Exclude<Role, 'owner'>]?: string
}

/** The sandbox of a runtime. */
export let sandboxOf: (runtime: Runtime) => Sandbox
/** The parts of a sandbox, for the hosts of this package. */
export let runtimeOf: (sandbox: Sandbox) => Runtime

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
  static {
    const known = new WeakMap<Runtime, Sandbox>()
    sandboxOf = (runtime) => {
      const sandbox = known.get(runtime) ?? new Sandbox(runtime)
      known.set(runtime, sandbox)
      return sandbox
    }
    runtimeOf = (sandbox) => sandbox.#runtime
  }

  readonly #runtime: Runtime
  #make: Make | undefined
  #isSurviving = false

  private constructor(runtime: Runtime) {
    this.#runtime = runtime
    this.control = runtime.control
    this.worldName = runtime.worldName
    this.fetch = createFetch(this)
  }

  /** Resolves when the data are there. Requests wait for it; direct use of `db` does not. */
  get ready(): Promise<void> {
    return this.#runtime.loaded.ready
  }

  /**
   * The accounts, by their ids. They are known before the data are there.
   *
   * @example
   * const [account] = sandbox.accounts
   */
  get accounts(): readonly AccountName[] {
    const { isReady, accounts, world } = this.#runtime.loaded
    const known = isReady ? world.db.accounts.all() : accounts.toSorted((a, b) => a.id - b.id)
    return known.map(({ id, username }) => ({ id, username }))
  }

  /** The API keys by role. They are known before the data are there. */
  get keys(): Keys {
    return this.#runtime.loaded.keys as Keys
  }

  /** The address that clients use, without a trailing slash. */
  get baseUrl(): string {
    return this.#runtime.world.baseUrl
  }

  /** @throws {SandboxError} when it is no http or https address. */
  set baseUrl(address: string) {
    const baseUrl = parseBaseUrl(address)
    this.#runtime.forEachWorld(({ world }) => {
      world.baseUrl = baseUrl
    })
  }

  /** The largest request body that the API accepts, bytes. */
  get bodyLimit(): number {
    return this.#runtime.options.bodyLimit
  }

  /** The clock of the sandbox. */
  get clock(): Clock {
    this.#runtime.queue.finishNow()
    return this.#runtime.world.clock
  }

  /** The control of the failures that the sandbox injects. */
  get faults(): FaultControl {
    return this.control.faults
  }

  /** The last requests and their answers, newest first. */
  get requests(): SentRequest[] {
    return this.#runtime.world.journal.entries().map(toSentRequest)
  }

  /**
   * The tables. Await `ready` before using them. A record to insert needs only the fields that
   * matter: see `make`.
   */
  get db(): OpenTables {
    this.#runtime.queue.finishNow()
    const { world } = this.#runtime.loaded
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
    const { isSeeded, factories } = this.#runtime.world
    if (!isSeeded || factories === undefined) throw notReady('make a record')
    return (this.#make ??= throwingAtCaller(
      createMake(factories, (name, table, fields) => this.#makeRecord(name, table, fields)),
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
      receivedBy(this.#runtime.world, parseFilter(filter, servedNames(this.#runtime.options))).map(
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
      world: () => this.#runtime.world,
      on: (listener: (entry: SandboxEvents['request']) => void) => this.on('request', listener),
    }
    return forCallerLater(this.waitForRequest, async () =>
      toSentRequest(
        await waitForRequest(
          from,
          parseFilter(filter, servedNames(this.#runtime.options)),
          timeoutMs,
        ),
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
    return forCaller(this.on, () =>
      this.#runtime.observers.on(name, listener, () => this.#runtime.world),
    )
  }

  /**
   * Requires, at the end of a test, that nothing is left since the last `checkpoint`: no request
   * without a route, no refusal (4xx) but those of faults and `expected`, no fault that never
   * fired, no upload that was begun and not finished.
   *
   * @throws {SandboxError} that lists what is left.
   */
  assertSettled(options: SettledOptions = {}): void {
    forCaller(this.assertSettled, () => assertSettled(this.#runtime.world, options))
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
    this.#runtime.queue.finishNow()
    if (this.#isSurviving)
      throw new SandboxError(
        'Failed to vary the answers: they vary already. Await the first survive.',
      )
    this.#isSurviving = true
    try {
      const { surviveIn } = await import('./trial.ts')
      return await surviveIn(
        () => this.#runtime.world,
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
    return forCallerLater(this.play, () => this.#runtime.play(options))
  }

  /**
   * Goes to a place of the story, forwards or back: a chapter, `'2m'` from its start, `'+30s'` from
   * here, or an instant. A seek back drops what was written since. Await `ready` before.
   *
   * @throws {SandboxError} when there is no story, no such place, or a step on the way that could
   * not be done.
   */
  seek(to: Chapter | (string & {})): ReplayState {
    return forCaller(this.seek, () => this.#runtime.seek(to))
  }

  /** Answers one call. Every host adapts its requests to this method. */
  handle(call: Call): Promise<Reply> {
    return forCallerLater(this.handle, async () => {
      requireCall(call)
      return this.#runtime.handle(call)
    })
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
      sandboxOf(
        this.#runtime.worlds.create(check(WorldChoice, choice, { verb: 'make a world' }).name),
      ),
    )
  }

  /**
   * The isolated world of that name. It is made in the seeded state when it is not there. @throws
   * {SandboxError} when it is no name.
   */
  world(name: string): Sandbox {
    return forCaller(this.world, () =>
      sandboxOf(
        this.#runtime.worlds.open(check(WorldName, name, { verb: 'open a world', place: 'name' })),
      ),
    )
  }

  /** Goes back to the seeded state: data, clock, rate windows, faults, sessions and journal. */
  reset(): Promise<void> {
    return this.#runtime.reset()
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
   * Makes an isolated sandbox with the same data, for tests that run side by side. @throws
   * {SandboxError} before `ready`.
   */
  fork(): Sandbox {
    return forCaller(this.fork, () => sandboxOf(this.#runtime.fork()))
  }

  /**
   * Ends stories and event streams, closes the isolated worlds, and lets go of all data. Requests
   * under way still get their answers. Whatever is asked of the sandbox afterwards throws. Closing
   * it again does nothing.
   */
  close(): void {
    this.#runtime.close()
  }

  /** Closes the sandbox at the end of a block: `using sandbox = createSandbox()`. */
  [Symbol.dispose](): void {
    this.close()
  }

  #makeRecord(name: string, table: TableName, fields: object): object {
    this.#runtime.queue.finishNow()
    const { world } = this.#runtime.loaded
    requireObject(fields, `make ${name}`)
    world.runDueEffects()
    world.requireRoom(`make ${name}`)
    return world.attempt(() => world.make(table, fields))
  }
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

function requireCall(call: Call): void {
  if (
    typeof call?.method !== 'string' ||
    typeof call.url !== 'string' ||
    typeof call.header !== 'function'
  )
    throw new SandboxError(
      `Failed to answer ${show(call)}: it must be a call with method, url, header and body. ` +
        `For a Request there is fetch.`,
    )
}

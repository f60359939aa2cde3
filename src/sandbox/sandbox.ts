/// <reference lib="esnext.disposable" preserve="true" />
import { createFetch } from './fetch.ts'
import type { Fetch } from './fetch.ts'
import type { VariableRoute } from '../api/route-id.ts'
import type { ReceivedFilter } from '../audit/request-filter.ts'
import { checkInput } from '../api/check-input.ts'
import { createControl } from '../control/control.ts'
import type { Control } from '../control/control.ts'
import { WorldChoice, WorldName } from '../control/inputs.ts'
import { Operations } from '../control/operations.ts'
import type { Accounts, Keys } from '../control/sandbox-state.ts'
import type { Clock } from '../world/clock.ts'
import type { Call, Reply } from '../api/route.ts'
import { requireObject } from '../data/row-schema.ts'
import {
  describeValue,
  trimStackToCaller,
  runWithTrimmedStack,
  runWithTrimmedStackAsync,
  createNotReadyError,
  SandboxError,
} from '../errors.ts'
import type { ScenarioName, ScenarioRoles } from '../generated/inputs.ts'
import type { AccountName } from '../scenario/prepare.ts'
import type { Survival, SurviveOptions } from '../variation/survival.ts'
import { createRecordMakers } from '../resources/make.ts'
import type { Make, OpenTables } from '../resources/make.ts'
import type { TableName } from '../resources/all-tables.ts'
import type { World } from '../resources/world.ts'
import { waitForRequest } from './event-listeners.ts'
import type { SandboxEvents } from '../audit/sandbox-events.ts'
import { parseBaseUrl } from './option-fields.ts'
import {
  assertSettled,
  readSettledState,
  parseRequestFilter,
  listReceivedRequests,
} from '../audit/received-requests.ts'
import type { SettledOptions } from '../audit/received-requests.ts'
import type { Runtime } from './runtime.ts'
import { toSentRequest } from '../audit/sent-request.ts'
import type { SentRequest } from '../audit/sent-request.ts'

/** A sandbox with a shipped scenario. The type of `keys` lists the scenario's roles. */
export type SandboxOf<Name extends ScenarioName> = Name extends ScenarioName
  ? Sandbox & { readonly keys: { readonly [Role in ScenarioRoles[Name]]: string } }
  : never

/** A running sandbox: the API, and everything that a test needs to control it. */
export class Sandbox extends Operations {
  /** Sends a request to the sandbox. Has the signature of the global `fetch`. */
  readonly fetch: Fetch
  /** All control operations that are available under `/_sandbox/`. */
  readonly control: Control
  /**
   * Name of this isolated world, used in its keys and in `?world=`. Undefined for other sandboxes.
   */
  readonly worldName: string | undefined
  /**
   * Returns the sandbox of a runtime. A runtime has only one.
   *
   * @internal
   */
  static of(runtime: Runtime): Sandbox {
    const sandbox = Sandbox.#sandboxes.get(runtime) ?? new Sandbox(runtime)
    Sandbox.#sandboxes.set(runtime, sandbox)
    return sandbox
  }

  /**
   * Returns the runtime of a sandbox.
   *
   * @internal
   */
  static runtimeOf(sandbox: Sandbox): Runtime {
    return sandbox.#runtime
  }

  static readonly #sandboxes = new WeakMap<Runtime, Sandbox>()
  readonly #runtime: Runtime
  #make: Make | undefined
  #isSurviving = false

  private constructor(runtime: Runtime) {
    super(runtime)
    this.#runtime = runtime
    this.control = createControl(runtime)
    this.worldName = runtime.worldName
    const handle = (call: Call | Promise<Call>) => runtime.worlds.handle(call, runtime)
    this.fetch = createFetch({
      handle,
      get baseUrl() {
        return runtime.world.baseUrl
      },
    })
  }

  /** Resolves after the data is loaded. Requests wait until then, but using `db` earlier throws. */
  get ready(): Promise<void> {
    return this.#runtime.active.ready
  }

  /**
   * The accounts, sorted by id. Available before `ready`, except if the scenario is a file or
   * extends another one.
   *
   * @throws {SandboxError} if the scenario has not been read yet
   * @example
   * const [account] = sandbox.accounts
   */
  get accounts(): Accounts<AccountName> {
    const { isReady, accounts, world } = this.#runtime.active
    const known = isReady ? world.db.accounts.all() : accounts.toSorted((a, b) => a.id - b.id)
    return known.map(({ id, username }) => ({ id, username })) as unknown as Accounts<AccountName>
  }

  /**
   * The API keys by role. Available before `ready`, except if the scenario is a file or extends
   * another one.
   *
   * @throws {SandboxError} if the scenario has not been read yet
   */
  get keys(): Keys {
    return this.#runtime.active.keys as Keys
  }

  /** URL that clients use, without a trailing slash. */
  get baseUrl(): string {
    return this.#runtime.world.baseUrl
  }

  /** @throws {SandboxError} if the URL is not an http or https URL */
  set baseUrl(address: string) {
    const baseUrl = parseBaseUrl(address)
    this.#runtime.forEachWorld(({ world }) => {
      world.baseUrl = baseUrl
    })
  }

  /** Maximum size of an API request body, bytes. */
  get bodyLimit(): number {
    return this.#runtime.options.bodyLimit
  }

  /** The clock of the sandbox. */
  get clock(): Clock {
    return this.#runtime.useIdle().clock
  }

  /** The latest requests and their responses, newest first. */
  get requests(): SentRequest[] {
    return this.#runtime.world.journal.entries().map(toSentRequest)
  }

  /**
   * The tables. Await `ready` before using them. Inserted records can omit fields, as in `make`.
   */
  get db(): OpenTables {
    const world = this.#runtime.useIdle('read the tables')
    return (world.isSeeded ? world.db : guardTables(world)) as OpenTables
  }

  /**
   * Functions that create records, one for each kind of record. Missing fields get plausible
   * defaults, which depend on the seed. A missing reference is filled in if there is only one
   * possible record. Await `ready` first.
   *
   * @throws {SandboxError} before `ready`, or if a field is unknown, invalid, or missing without a
   * default
   * @example
   * const post = sandbox.make.post({ text: '<p>Hello</p>', at: '-2d' })
   * const whales = sandbox.make.fan.many(3, { trait: 'whale' }) // with subscriptions and payments
   */
  get make(): Make {
    const { isSeeded, factories } = this.#runtime.world
    if (!isSeeded || factories === undefined) throw createNotReadyError('make a record')
    return (this.#make ??= createRecordMakers(factories, (name, table, records) =>
      this.#makeRecords(name, table, records),
    ))
  }

  /**
   * Returns the requests since the last `checkpoint` that match a filter, oldest first.
   * @throws {SandboxError} if a field or route is unknown
   * @example const posted = sandbox.received({ route: 'POST /v1/:account_id/posts', body: { text:
   *   'Hello' } }) expect(posted).toHaveLength(1)
   */
  received<Route extends string>(filter?: ReceivedFilter<VariableRoute<Route>>): SentRequest[]
  received(filter?: ReceivedFilter): SentRequest[]
  received(filter: ReceivedFilter<string> = {}): SentRequest[] {
    return runWithTrimmedStack(this.received, () =>
      listReceivedRequests(this.#runtime.world, this.#parseFilter(filter)).map(toSentRequest),
    )
  }

  /**
   * Waits for a matching request: the first since the last `checkpoint`, or else the next one.
   * `timeoutMs` is real time.
   *
   * @throws {SandboxError} after `timeoutMs`, with the three most similar requests and their
   * differences, or when the sandbox is closed
   * @default 5000
   */
  waitForRequest<Route extends string>(
    filter: ReceivedFilter<VariableRoute<Route>>,
    options?: { timeoutMs?: number },
  ): Promise<SentRequest>
  waitForRequest(filter: ReceivedFilter, options?: { timeoutMs?: number }): Promise<SentRequest>
  waitForRequest(
    filter: ReceivedFilter<string>,
    { timeoutMs = 5000 }: { timeoutMs?: number } = {},
  ): Promise<SentRequest> {
    const from = {
      world: () => this.#runtime.world,
      on: (listener: (entry: SandboxEvents['request']) => void) => this.on('request', listener),
      onClose: this.#runtime.listeners.onClose,
    }
    return runWithTrimmedStackAsync(this.waitForRequest, async () =>
      toSentRequest(await waitForRequest(from, this.#parseFilter(filter), timeoutMs)),
    )
  }

  /**
   * Calls a function after each completed request or each action. The returned function removes the
   * listener.
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
    return runWithTrimmedStack(this.on, () =>
      this.#runtime.listeners.on(name, listener, () => this.#runtime.world),
    )
  }

  /**
   * Asserts that there have been no problems since the last `checkpoint`. Call it at the end of a
   * test. Problems are requests that match no route, 4xx errors that are neither caused by faults
   * nor listed in `expected`, faults that no request triggered, and unfinished uploads.
   *
   * @throws {SandboxError} that lists the problems.
   */
  assertSettled(options: SettledOptions = {}): void {
    runWithTrimmedStack(this.assertSettled, () =>
      assertSettled(readSettledState(this.#runtime.world), options),
    )
  }

  /**
   * Runs a function with each variation of the responses and each simulated bad day of the service
   * (docs/variation.md), and prints a table of the results. Also varies the responses of attached
   * handlers and servers. State is restored before each run and at the end, so do not reset the
   * sandbox in the function.
   *
   * @throws {SandboxError} if an option is invalid, or the function fails without a variation.
   * @example
   * const { survived } = await sandbox.survive(() => report(), { seeds: 5 })
   */
  async survive(
    run: (sandbox: Sandbox) => unknown,
    options: SurviveOptions = {},
  ): Promise<Survival> {
    await this.ready
    this.#runtime.useIdle('vary the responses')
    if (this.#isSurviving)
      throw new SandboxError(
        'Failed to vary the responses: another call of survive is running. Await it first.',
      )
    this.#isSurviving = true
    try {
      const { runSurvivalTest } = await import('./survive.ts')
      return await runSurvivalTest(
        () => this.#runtime.world,
        typeof run === 'function' ? () => run(this) : run,
        options,
      )
    } finally {
      this.#isSurviving = false
    }
  }

  /**
   * Handles a request. Hosts convert their requests to calls of this method, and pass a promise
   * while they read the body.
   */
  async handle(call: Call | Promise<Call>): Promise<Reply> {
    if (!isCallOrPromise(call)) throw trimStackToCaller(createNotACallError(call), this.handle)
    return this.#runtime.worlds.handle(call, this.#runtime)
  }

  /**
   * Creates an isolated world in the seeded state, with the same base URL. The world is a sandbox
   * whose keys have the form `<key>~<name>`, and it exists until you close it. With `fork`, the
   * world is a copy of this sandbox instead. A request with such a key also creates the world.
   * Await `ready` first.
   *
   * @throws {SandboxError} if the name is taken or invalid, or a limit is reached.
   * @example
   * using world = sandbox.createWorld({ name: 'worker-3' })
   */
  createWorld(choice: WorldChoice = {}): this {
    return runWithTrimmedStack(this.createWorld, () => {
      const checked = checkInput(WorldChoice, choice, { verb: 'create a world' })
      return Sandbox.of(this.#runtime.createWorld(checked)) as this
    })
  }

  /**
   * Returns an isolated world by name, and creates it in the seeded state if needed.
   *
   * @throws {SandboxError} if the name is invalid
   */
  world(name: string): this {
    return runWithTrimmedStack(this.world, () => {
      const checked = checkInput(WorldName, name, { verb: 'open a world', place: 'name' })
      return Sandbox.of(this.#runtime.worlds.open(checked)) as this
    })
  }

  /**
   * Creates a sandbox with the same data, for tests that run in parallel.
   *
   * @throws {SandboxError} before `ready`
   */
  fork(): this {
    return runWithTrimmedStack(this.fork, () => Sandbox.of(this.#runtime.fork()) as this)
  }

  /**
   * Ends stories and event streams, closes the isolated worlds, and releases all data. Requests in
   * flight still get their responses. Any later use of the sandbox throws, but closing it again has
   * no effect.
   */
  close(): void {
    this.#runtime.close()
  }

  /** Closes the sandbox at the end of a block: `using sandbox = createSandbox()`. */
  [Symbol.dispose](): void {
    this.close()
  }

  #parseFilter(filter: ReceivedFilter<string>): ReceivedFilter<string> {
    return parseRequestFilter(filter, this.#runtime.routeNames)
  }

  #makeRecords(name: string, table: TableName, records: readonly object[]): object[] {
    const world = this.#runtime.useIdle(`make the ${name}`)
    world.runDueEffects()
    return world.attempt(() =>
      records.map((fields) => {
        requireObject(fields, `make the ${name}`)
        world.requireRoom(`make the ${name}`)
        return world.make(table, fields)
      }),
    )
  }
}

/** Returns tables that throw if they are used before `ready`. */
function guardTables(world: World): World['db'] {
  return new Proxy(world.db, {
    get(tables, name) {
      world.requireSeeded('read the tables')
      return Reflect.get(tables, name)
    },
  })
}

function isCallOrPromise(given: Call | Promise<Call> | undefined): boolean {
  if (typeof given === 'object' && given !== null && 'then' in given) return true
  return (
    typeof given?.method === 'string' &&
    typeof given.url === 'string' &&
    typeof given.header === 'function'
  )
}

function createNotACallError(call: unknown): SandboxError {
  return new SandboxError(
    `Failed to handle ${describeValue(call)}: it must be an object with method, url, header and ` +
      'body. For a Request, use sandbox.fetch.',
  )
}

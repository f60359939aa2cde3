/// <reference lib="esnext.disposable" preserve="true" />
import type {
  TypedAction,
  ActionResult,
  ActionResults,
  TypedActions,
} from '../control/apply-actions.ts'
import type { ActionInput, ActionType } from '../actions/all-actions.ts'
import type { VariableRoute } from '../api/route-id.ts'
import type { SettledOptions } from '../audit/received-requests.ts'
import type { ReceivedFilter } from '../audit/request-filter.ts'
import type { SandboxEvents } from '../audit/sandbox-events.ts'
import type { SentRequest } from '../audit/sent-request.ts'
import type { Control } from '../control/control.ts'
import type { StoryClientState } from '../control/control-host.ts'
import type { Keys } from '../control/sandbox-state.ts'
import type { WorldSummary } from '../control/world-list.ts'
import type { WorldChoice } from '../control/inputs.ts'
import type { AddFault, FaultControl } from '../control/fault-control.ts'
import type { ReplayCommand } from '../control/replay-command.ts'
import type { ClockChange } from '../generated/inputs.ts'
import type { ClockState } from '../world/clock.ts'
import type { Fault } from '../world/fault-input.ts'
import type { WorldChangesJson, WorldJson } from '../world/snapshot/snapshot.ts'
import { createStoryError, SandboxError } from '../errors.ts'
import { createRemoteMake, createRemoteTables } from './remote-records.ts'
import type { RemoteMake, RemoteTables } from './remote-records.ts'
import type { RequestAccess } from './remote-requests.ts'
import type { ReplayState } from '../scenario/player.ts'
import type { Fetch } from '../sandbox/fetch.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

/** Converts a method type to its asynchronous form, which returns a promise. */
type Asynchronous<Method> = Method extends (...input: infer Input) => infer Answer
  ? (...input: Input) => Promise<Awaited<Answer>>
  : never

/** Sandbox members that are only available in the process of the sandbox. */
type InProcessMember = 'isClosed' | 'positions'

type AsynchronousMethods<Methods, Left extends string = never> = {
  readonly [Name in keyof Methods as Name extends Left ? never : Name]: Asynchronous<Methods[Name]>
}

/**
 * The clock of a remote sandbox. It has no `follow`, because the server cannot read the fake timers
 * of the test.
 */
export interface RemoteClock {
  (change: ClockChange): Promise<ClockState>
  /** Returns the time, epoch ms. */
  now: () => Promise<number>
  /** Returns the time, RFC 3339. */
  iso: () => Promise<string>
  state: () => Promise<ClockState>
  advance: (duration: string | number) => Promise<ClockState>
  set: (time: string | number | Date) => Promise<ClockState>
  freeze: () => Promise<ClockState>
  run: (rate?: number) => Promise<ClockState>
}

/**
 * Remote control of a served sandbox: the methods of a sandbox and of its `control`, but returning
 * promises. It has no `survive`, which runs many times from the same state of a sandbox in the
 * process.
 */
export interface RemoteControl extends AsynchronousMethods<
  Control,
  InProcessMember | 'act' | 'clock' | 'faults' | 'createWorld' | 'world' | 'snapshot'
> {
  /** The URL of the server, which is also the base URL for API clients. */
  readonly baseUrl: string
  /**
   * Applies one action, or several in order. If one fails, none of them is applied. Returns one
   * result, or an array for an array of actions.
   */
  act: {
    <Type extends ActionType>(action: TypedAction<Type>): Promise<ActionResult<Type>>
    <const Types extends readonly ActionType[]>(
      actions: TypedActions<Types>,
    ): Promise<ActionResults<Types>>
    (actions: ActionInput | readonly ActionInput[]): Promise<ActionResult | ActionResult[]>
  }
  /** Moves the clock or changes its mode. Also has the methods of `sandbox.clock`. */
  readonly clock: RemoteClock
  /** Creates records, as `sandbox.make` does. */
  readonly make: RemoteMake
  /** The tables, as in `sandbox.db`: `await world.db.posts.get(id)`. */
  readonly db: RemoteTables
  readonly faults: AsynchronousMethods<Omit<FaultControl, 'add'>> & {
    add: AddFault<Promise<Fault>>
  }
  /**
   * Returns the complete world as JSON. With `form: 'changes'`, returns only the changes since the
   * data was loaded.
   */
  snapshot: {
    (options?: { form?: 'whole' }): Promise<WorldJson>
    (options: { form: 'changes' }): Promise<WorldChangesJson>
  }
  /**
   * Sends a request to the server, and rejects other URLs. The API key selects the world: a request
   * without a key, or with a key of another world, does not reach this world.
   */
  readonly fetch: Fetch
  /** Returns the requests since the last `checkpoint` that match a filter, oldest first. */
  received: {
    <Route extends string>(filter?: ReceivedFilter<VariableRoute<Route>>): Promise<SentRequest[]>
    (filter?: ReceivedFilter): Promise<SentRequest[]>
  }
  /**
   * Waits for a matching request: the first since the last `checkpoint`, or else the next one.
   * `timeoutMs` is real time.
   *
   * @throws {SandboxError} after `timeoutMs`, with the three most similar requests and their
   * differences, or when the world is removed
   * @default 5000
   */
  waitForRequest: Sandbox['waitForRequest']
  /**
   * Calls a function after each completed request or each action. The server sends events four
   * times a second. Resolves when it has started to send them. The returned function removes the
   * listener. The listener keeps the process alive until then, or until the world is removed.
   */
  on: <Name extends keyof SandboxEvents>(
    name: Name,
    listener: (event: SandboxEvents[Name]) => void,
  ) => Promise<() => void>
  /**
   * Asserts that there have been no problems since the last `checkpoint`, as
   * `sandbox.assertSettled` does.
   *
   * @throws {SandboxError} that lists the problems
   */
  assertSettled: (options?: SettledOptions) => Promise<void>
  /** Creates an isolated world that is a copy of this one, with its own keys. */
  fork: () => Promise<RemoteWorld>
  /** Returns the API keys by role, as `sandbox.keys` does. */
  keysByRole: () => Promise<Keys>
  /** Creates an isolated world in the seeded state, and returns its remote control. */
  createWorld: (choice?: WorldChoice) => Promise<RemoteWorld>
  /**
   * Returns the remote control of the isolated world with the given name, without sending a
   * request. The first call of a method creates the world if needed.
   */
  world: (name: string) => RemoteControl
}

/**
 * Remote control of an isolated world, with the world's name (`id`), keys by role, and accounts.
 * `await using` removes the world at the end of a block.
 */
export interface RemoteWorld extends RemoteControl, WorldSummary, AsyncDisposable {
  /** Removes the world. */
  close: () => Promise<void>
}

/** Options for `connect`. */
export interface ConnectOptions {
  /**
   * Control token of the server (`--control-token`, `controlToken`).
   * @default no token
   */
  token?: string | undefined
  /**
   * Function that sends requests.
   * @default the global `fetch`
   */
  fetch?: typeof globalThis.fetch | undefined
}

/** An error response from the server, with its message. */
export class RemoteError extends SandboxError {
  /**
   * HTTP status: 400 for invalid input, 401 for a missing token, 404 if something does not exist.
   */
  readonly status: number

  constructor(message: string, status: number, field?: string) {
    super(message, { field })
    this.status = status
  }
}

/**
 * Connects to the control plane of a served sandbox and returns the methods of `sandbox.control`
 * over HTTP. No request is sent until a method is called. Methods throw a `SandboxError` if the
 * server does not respond, or one with the server's message if it returns an error.
 *
 * @param url the URL that the server prints, or `url` of `startServer`
 * @throws {SandboxError} if `url` is not an http or https URL, or if no `fetch` is available
 * @example
 * const remote = connect('http://127.0.0.1:4010')
 * await remote.clock({ advance: '2h' })
 * await remote.world('worker-3').act({ type: 'session.lapse', account_id: 310240117 })
 */
export function connect(
  url: string,
  { token, fetch: send = globalThis.fetch }: ConnectOptions = {},
): RemoteControl {
  if (typeof send !== 'function')
    throw new SandboxError(
      `Failed to connect to ${url}: there is no global fetch. For example, jsdom has none. ` +
        'Pass one: connect(url, { fetch }).',
    )
  return createRemote({ url: parseUrl(url), token, send })
}

interface Server {
  url: string
  token: string | undefined
  send: typeof globalThis.fetch
}

interface RequestInput {
  query?: object | undefined
  body?: unknown
  /** True to return the body of the response as a stream. */
  isStream?: boolean
}

function createRemote(server: Server, world?: string): RemoteControl {
  const ask = async <Answer>(
    method: string,
    path: string,
    { query = {}, ...input }: RequestInput = {},
  ) => {
    const send = () =>
      sendToServer(server, `${method} ${path}`, {
        query: { ...query, world },
        ...input,
      }) as Promise<Answer>
    try {
      return await send()
    } catch (error) {
      if (world === undefined || method !== 'GET' || !isStatus(error, 404)) throw error
      await createWorldIfMissing(server, world)
      return send()
    }
  }
  const get = <Answer>(path: string, query?: object) => ask<Answer>('GET', path, { query })
  const direct = (body: ReplayCommand) => ask<ReplayState>('POST', '/replay', { body })
  const count = async (path: string) => (await ask<{ removed: number }>('DELETE', path)).removed
  const removeWorld = async (name: string) => {
    await ask('DELETE', `/worlds/${encodeURIComponent(name)}`)
  }
  const listFaults = () => get<ReturnType<FaultControl['list']>>('/faults')
  const moveClock = (body: object) => ask<ClockState>('POST', '/clock', { body })
  const readClock = async () => (await get<ReturnType<Control['state']>>('/state')).clock
  let removedFaults: readonly Fault[] = []
  const access: RequestAccess = {
    get,
    async getIfExists(path, query) {
      try {
        return await sendToServer(server, `GET ${path}`, { query: { ...query, world } })
      } catch (error) {
        if (error instanceof RemoteError && error.status !== 404) throw error
        return undefined
      }
    },
    openEvents: () => ask('GET', '/events', { isStream: true }),
    getRemovedFaults: () => removedFaults,
  }
  // Loads these methods only for tests that call them.
  const load = () => import('./remote-requests.ts')
  const createWorld = async (body?: WorldChoice): Promise<RemoteWorld> => {
    const summary = await ask<WorldSummary>('POST', '/worlds', { body })
    const close = () => removeWorld(summary.id)
    return {
      ...createRemote(server, summary.id),
      ...summary,
      close,
      [Symbol.asyncDispose]: close,
    }
  }
  const remote: Omit<RemoteControl, 'make' | 'db'> = {
    baseUrl: server.url,
    fetch: createFetch(server),
    received: async (filter?: ReceivedFilter<string>) =>
      (await load()).listReceivedRequests(get, filter),
    waitForRequest: async (filter: ReceivedFilter<string>, options?: { timeoutMs?: number }) =>
      (await load()).waitForRequest(access, filter, options),
    on: async (name, listener) => (await load()).listen(access, name, listener),
    assertSettled: async (options) => (await load()).assertRemoteSettled(access, options),
    fork: () => createWorld({ fork: true }),
    state: () => get('/state'),
    async keysByRole() {
      const { keys } = await get<ReturnType<Control['state']>>('/state')
      return Object.fromEntries(keys.map(({ role, key }) => [role, key])) as Keys
    },
    tables: async () => (await get<{ tables: ReturnType<Control['tables']> }>('/data')).tables,
    data: (table, { filters, ...page } = {}) =>
      get(`/data/${encodeURIComponent(table)}`, { ...filters, ...page }),
    record: (table, id) => get(`/data/${encodeURIComponent(table)}/${encodeURIComponent(id)}`),
    insertRecord: (table, body) => ask('POST', `/data/${encodeURIComponent(table)}`, { body }),
    insertRecords: (table, body) => ask('POST', `/data/${encodeURIComponent(table)}`, { body }),
    updateRecord: (table, id, body) =>
      ask('PATCH', `/data/${encodeURIComponent(table)}/${encodeURIComponent(id)}`, { body }),
    async removeRecord(table, id) {
      await ask('DELETE', `/data/${encodeURIComponent(table)}/${encodeURIComponent(id)}`)
    },
    remember: async () => (await ask<{ since: string }>('POST', '/changes')).since,
    changes: (query) => get('/changes', query),
    async reset() {
      const { unfired_faults: unfiredFaults } = await ask<{ unfired_faults: Fault[] }>(
        'POST',
        '/reset',
      )
      removedFaults = unfiredFaults
      return { unfiredFaults }
    },
    clock: Object.assign(moveClock, {
      now: async () => Date.parse((await readClock()).now),
      iso: async () => (await readClock()).now,
      state: readClock,
      advance: (advance: string | number) => moveClock({ advance }),
      set: (set: string | number | Date) => moveClock({ set }),
      freeze: () => moveClock({ mode: 'frozen' }),
      run: (rate?: number) => moveClock({ mode: 'running', rate }),
    }),
    act: (body: unknown) => ask<never>('POST', '/actions', { body }),
    actions: () => get('/actions'),
    happenings: (filter) => get('/happenings', filter),
    check: () => ask('POST', '/check'),
    replay: (command) => (command === undefined ? get('/replay') : direct(command)),
    story: () => get('/story'),
    storyClient: async () =>
      (await get<{ client: StoryClientState | null }>('/story/client')).client,
    async play(options = {}) {
      let state = await direct({
        command: 'play',
        ...options,
        ...(options.speed === undefined ? { at_once: true } : {}),
      })
      while (state.status === 'playing' && options.speed !== undefined) {
        await pause(state, options.speed)
        state = await get('/replay')
      }
      return toArrivedState(state)
    },
    seek: async (to) => toArrivedState(await direct({ command: 'seek', to })),
    pulse: () => get('/pulse'),
    series: (query) => get('/series', query),
    routes: () => get('/routes'),
    routeSummaries: () => get('/routes', { summaries: 'true' }),
    faults: {
      add: (body: unknown) => ask<Fault>('POST', '/faults', { body }),
      async remove(id) {
        try {
          return (await count(`/faults/${id}`)) > 0
        } catch (error) {
          if (!isStatus(error, 404)) throw error
          return false
        }
      },
      clear: () => count('/faults'),
      list: listFaults,
    },
    requests: (filter) => get('/requests', filter),
    request: (id) => get(`/requests/${id}`),
    requestRows: (filter) => get('/requests', { ...filter, brief: true }),
    requestRowsOfAllWorlds: (filter) => get('/requests', { ...filter, all_worlds: true }),
    audit: (query) => get('/audit', query),
    cost: (query) => get('/cost', query),
    checkpoint: async () =>
      (await ask<{ last_request: number }>('POST', '/checkpoint')).last_request,
    clearRequests: () => count('/requests'),
    snapshot: ((options) => get('/snapshot', options)) as RemoteControl['snapshot'],
    keepSnapshot: (body) => ask('POST', '/snapshots', { body }),
    snapshots: () => get('/snapshots'),
    async restoreSnapshot(name) {
      await ask('POST', `/snapshots/${encodeURIComponent(name)}`)
    },
    removeSnapshot: async (name) => {
      await ask('DELETE', `/snapshots/${encodeURIComponent(name)}`)
    },
    async restore(body) {
      await ask('PUT', '/snapshot', { body })
    },
    presentScenario: (choice) => get('/scenario', choice),
    recording: () => get('/recording'),
    startRecording: () => ask('POST', '/recording'),
    stopRecording: (choice) => ask('DELETE', '/recording', { query: choice }),
    scenarios: () => get('/scenarios'),
    async loadScenario(body) {
      await ask('PUT', '/scenario', { body })
    },
    worlds: () => get('/worlds'),
    createWorld,
    world: (name) => createRemote(server, name),
    removeWorld,
  }
  return { ...remote, make: createRemoteMake(remote), db: createRemoteTables(remote) }
}

/** Creates a `fetch` that sends requests only to the server. */
function createFetch({ url, send }: Server): Fetch {
  return async (input, init) => {
    const address = typeof input === 'object' && 'url' in input ? input.url : String(input)
    if (address.startsWith(url) && /^(?:[/?#]|$)/.test(address.slice(url.length)))
      return send(input, init)
    throw new SandboxError(
      `Failed to fetch (${address.slice(0, 200)}): the sandbox only handles URLs that start with ` +
        `${url}.`,
    )
  }
}

/** Creates a world unless it exists. GET requests do not create worlds. */
async function createWorldIfMissing(server: Server, name: string): Promise<void> {
  try {
    await sendToServer(server, 'POST /worlds', { body: { name } })
  } catch (error) {
    if (!isStatus(error, 400)) throw error
  }
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof RemoteError && error.status === status
}

async function sendToServer(
  { url, token, send }: Server,
  route: string,
  { query = {}, body, isStream = false }: RequestInput,
): Promise<unknown> {
  const [method = '', path = ''] = route.split(' ')
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const address = `${url}/_sandbox${path}${parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`}`
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${toHeader(token)}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const failure = `Failed to send a request to the sandbox (${method} ${address})`
  const attempt = async <Result>(job: () => Promise<Result>) => {
    try {
      return await job()
    } catch (cause) {
      throw new SandboxError(
        `${failure}: ${getFailureReason(cause)}. Start the server, or pass the URL that it prints to ` +
          'connect.',
        { cause },
      )
    }
  }
  const response = await attempt(() =>
    send(address, { method, headers, body: body === undefined ? null : JSON.stringify(body) }),
  )
  // A mock of `fetch` may return anything.
  if (typeof (response as Partial<Response> | undefined)?.text !== 'function')
    throw new SandboxError(`${failure}: fetch did not return a Response. ${howToRestoreFetch}`)
  if (isStream && response.ok && response.body !== null) return response.body
  const text = await attempt(() => response.text())
  const answer = parse(text)
  if (response.ok && answer !== undefined) return answer
  const { error, field } = (answer ?? {}) as { error?: unknown; field?: string }
  if (typeof error === 'string') throw new RemoteError(error, response.status, field)
  throw new RemoteError(
    `${failure}: the response with status ${response.status} is not from a sandbox. ` +
      ('mock' in send ? howToRestoreFetch : 'Pass the URL of a sandbox to connect.'),
    response.status,
  )
}

const howToRestoreFetch =
  'It is replaced, for example by vi.stubGlobal. Restore it with vi.unstubAllGlobals(), or pass ' +
  'another function: connect(url, { fetch }).'

function parseUrl(url: string): string {
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
  if (parsed !== undefined && /^https?:$/.test(parsed.protocol))
    return `${parsed.origin}${parsed.pathname}`.replace(/(?<!\/)\/+$/, '')
  throw new SandboxError(
    `Failed to connect to ${JSON.stringify(url)}: it must be an http or https URL, such as ` +
      'http://127.0.0.1:4010.',
  )
}

/** Encodes a string as UTF-8 for a header, because `fetch` requires characters of one byte. */
function toHeader(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The response does not come from a sandbox, which the caller reports.
    return undefined
  }
}

/** Returns the cause of a failed request, which the message of a `fetch` error does not contain. */
function getFailureReason(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } }
  return cause?.code ?? (cause?.message || message)
}

/** Interval between checks of a playing story, ms of real time. */
const pauseMs = 250

function pause({ at_ms, duration_ms, until_ms }: ReplayState, speed: number): Promise<void> {
  const left = ((until_ms ?? duration_ms) - at_ms) / speed
  return new Promise((resolve) => {
    setTimeout(resolve, Math.min(pauseMs, Math.max(1, left)))
  })
}

function toArrivedState(state: ReplayState): ReplayState {
  const [problem] = state.problems
  if (problem !== undefined) throw createStoryError(problem)
  return state
}

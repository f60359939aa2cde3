import { z } from 'zod'
import type { ErrorCode } from '../error-catalogue.ts'
import type { ApiError, MemoryLimitError } from '../errors.ts'
import type { WithFragments } from '../lib/json-fragment.ts'
import { pathId, Success } from '../lib/fields.ts'
import { once } from '../lib/lazy-list.ts'
import type { RouteSource } from './source.ts'
import type { Account, ApiKey, Organisation } from '../world/tenancy/tenancy.table.ts'
import type { World } from '../world/world.ts'

/** A request, in a form that does not depend on the host. */
export interface Call {
  method: string
  /** The path and the query string as sent, such as `/v1/101/posts?limit=5`. */
  url: string
  /** Reads a header by its lower-case name. Returns null if it was not sent. */
  header: (name: string) => string | null
  /** All headers by lower-case name, for the journal. If omitted, the journal shows no headers. */
  headers?: () => Readonly<Record<string, string | readonly string[] | undefined>>
  /** The whole body as text. Null if the request has no body, or if the host provides bytes. */
  body: string | null
  /**
   * The whole body as bytes, in chunks if it is long. Only JSON routes join the chunks and decode
   * them.
   */
  bytes?: Uint8Array | readonly Uint8Array[]
  /** Set if the body exceeds the size limit, so that the host stopped reading it. */
  isBodyTooLarge?: boolean
  /** Aborted when the client disconnects, which ends the delay of a fault. */
  signal?: AbortNotifier
  /**
   * Set if the request must be rejected before the pipeline: `Host` or `Origin` is not allowed, or
   * the limit for worlds or memory is reached.
   */
  refusal?: ApiError | MemoryLimitError
  /** Set if the host dropped the body because it exceeded the memory limit. */
  isBodyWithoutRoom?: boolean
}

/** The part of `AbortSignal` that is needed to detect a disconnected client. */
export interface AbortNotifier {
  readonly aborted: boolean
  addEventListener: (type: 'abort', listener: () => void) => void
  removeEventListener: (type: 'abort', listener: () => void) => void
}

/** A response, in a form that does not depend on the host. */
export interface Reply {
  status: number
  headers: Readonly<Record<string, string>>
  /** JSON (as text or UTF-8 chunks), the bytes of a file, or null for an empty body. */
  body: string | Uint8Array | readonly Uint8Array[] | null
  /**
   * Set if the host must close the connection: before sending anything, or after the headers and
   * half of the body.
   */
  cut?: 'before' | 'midway'
  /**
   * Replaces the body with a stream. The stream calls `send` with each text until the host calls
   * the returned function. If the stream ends by itself, it calls `end`.
   */
  stream?: (send: (text: string) => void, end?: () => void) => () => void
}

/** Input of a route handler. */
export interface Context<
  W = World,
  Path extends string = string,
  Params = unknown,
  Query = unknown,
  Body = unknown,
> {
  world: W
  /** The account in the path, if the path contains `:account_id`. */
  account: Path extends `${string}:account_id${string}` ? Account : undefined
  organisation: Organisation
  key: ApiKey
  params: Params
  query: Query
  body: Body
  /** The query string as sent, without the question mark. */
  rawQuery: string
}

/**
 * A page of a list: the data, and the parameters of the next page, which are null on the last page.
 */
export class Page<Data> {
  readonly data: Data
  readonly next: Readonly<Record<string, string | number>> | null

  constructor(data: Data, next: Readonly<Record<string, string | number>> | null) {
    this.data = data
    this.next = next
  }
}

/** A file from this package, requested for an account. */
export interface SentFile {
  file: string
  contentType: string
  accountId: number
  /** Called before the file is sent, also for `HEAD`. @throws {ApiError} if access is denied */
  onShow: () => void
}

/** A response with a file. */
export class FileResponse {
  readonly sent: SentFile

  constructor(sent: SentFile) {
    this.sent = sent
  }
}

/** A response with headers but no body. */
export class HeadersResponse {
  readonly headers: Readonly<Record<string, string>>

  constructor(headers: Readonly<Record<string, string>>) {
    this.headers = headers
  }
}

/** The pagination style of a route. */
export interface Pagination {
  /**
   * Either a relative URL with the parameters of the next page, or only an offset, such as `"20"`.
   */
  next: 'address' | 'bare'
  /** On the last page, `_pagination` is either omitted, or its `next_page` is null. */
  last: 'omitted' | 'null'
}

/** The parameters of a URL. */
export interface UrlParameters {
  params: Readonly<Record<string, string>>
  /** The query string as sent, without the question mark. */
  rawQuery: string
}

/**
 * Sends an example request to a copy of the sandbox.
 * @throws {Error} if the request fails
 */
export type SendExampleRequest = <Data extends z.ZodType>(
  data: Data,
  call: { method: RouteInfo['method']; address: string; body?: object | Uint8Array },
) => Promise<{ data: z.output<Data>; headers: Reply['headers'] }>

/** Parameters and body of an example that depend on earlier responses. */
export interface ExampleInput {
  address?: Readonly<Record<string, unknown>>
  body?: object | Uint8Array
}

/** Declaration of a route, without its schemas and handler. */
export interface RouteInfo<W = World> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path, with `:name` for each parameter. */
  path: string
  /** The route group in the reference. */
  group: string
  /**
   * A route group whose examples this route also uses.
   * @default the route's own group
   */
  examplesOf?: string
  /** The required permission. Null if the route needs no key. */
  permission: string | null
  /**
   * `relay`: the route needs an active upstream session of the account. `service`: the route uses
   * only the service's own data.
   */
  kind: 'relay' | 'service'
  /**
   * The source of the route: a section such as `reference §4 Posts`, `published` for the older
   * public documentation, or `inferred`.
   */
  source: RouteSource
  /** The evidence for an inferred route. For a published route, the details that are inferred. */
  evidence?: string
  /** Summary of the route in one line. */
  summary: string
  /**
   * Errors that the handler can throw, for the documentation. Does not include errors of the
   * request pipeline.
   */
  errors?: readonly ErrorCode[]
  /** Rules beyond the schemas, for the documentation. */
  rules?: readonly string[]
  /**
   * Fields that are accepted but have no effect, each with the reason. A test finds fields without
   * effect that are missing here.
   */
  withoutEffect?: Readonly<Record<string, string>>
  /**
   * Body fields that are not secret, although their names (such as `key`) suggest it. The journal
   * shows their values.
   */
  plainFields?: readonly string[]
  /** Pagination style. Omitted if the route is not paginated. */
  pagination?: Pagination
  /**
   * If the list is sorted newest first by default: the name of the field that contains a row's
   * time.
   */
  newestFirst?: string
  /** Status of a successful response. @default 200 */
  status?: number
  /**
   * `none`: the route needs no key, costs no credit, does not count for rate limits and has no
   * envelope.
   * @default 'full'
   */
  accessChecks?: 'full' | 'none'
  /**
   * True if the route does not use the world, so its requests never wait until the world is
   * available.
   * @default false
   */
  isPrompt?: boolean
  /**
   * Returns true if a request is a health check, which the journal omits.
   * @default no request is a health check
   */
  isProbe?: (request: UrlParameters) => boolean
  /**
   * True if the route also accepts HEAD, with the headers of GET.
   * @default false
   */
  head?: boolean
  /**
   * Reads the world id from the URL, or returns undefined if the URL has none. Only for routes that
   * need no key.
   */
  worldId?: (request: UrlParameters) => string | undefined
  /**
   * Checks if a URL without a world id belongs to the given world. Only for routes that need no
   * key.
   */
  isOfWorld?: (world: W, request: UrlParameters) => boolean
  /**
   * Maximum size of an uploaded file, bytes. If set, `body` is an `UploadedFile` instead of JSON,
   * and the response has no body.
   */
  fileLimit?: number
  /**
   * Set if an example needs an earlier response, such as the id of a message from today. The
   * function sends the earlier requests to a copy of the sandbox, and returns the input of the
   * example.
   */
  prepareExample?: (scene: { account: number; ask: SendExampleRequest }) => Promise<ExampleInput>
  /**
   * Validates the URL before the body is read. Only for routes that need no key.
   * @throws {ApiError} if access is denied
   */
  admit?: (world: W, request: UrlParameters) => void
}

/** A route with its declaration, schemas and handler. */
export interface Route extends RouteInfo {
  /**
   * The route's name in faults and the journal: method and path, such as `GET
   * /v1/:account_id/posts`. It stays the same if an overlay moves the route.
   */
  id: string
  readonly params: z.ZodType
  readonly query: z.ZodType
  readonly body: z.ZodType | null
  /** Schema of `data`, or of the whole body if there is no envelope. Null for files. */
  data: z.ZodType | null
  /** Handles a request and returns the data for the response. */
  handle: (context: Context) => unknown
  /** True for a POST that only reads, with its parameters in the body. */
  isRead?: boolean | undefined
  /** For a route that needs no key and that people open in a browser: renders the data as HTML. */
  toPage?: (data: unknown) => string
  /**
   * Set on routes changed by an overlay. Converts a request to the form it would have without the
   * overlay, because stories do not use overlays. Returns undefined if the overlay added the route.
   */
  toPlain?: (sent: PlainRequest) => PlainRequest | undefined
}

/** A matched request with its decoded path parameters. */
export interface PlainRequest {
  method: string
  /** Path and query string. */
  url: string
  body: string | null
  params: Readonly<Record<string, string>>
}

/** Method and path of a route. */
export type MethodAndPath = `${RouteInfo['method']} /${string}`

/** Splits the id of a route into its method and its path. */
export function splitRouteId(id: MethodAndPath): Pick<RouteInfo, 'method' | 'path'> {
  const [method, path = ''] = id.split(' ') as [RouteInfo['method'], string?]
  return { method, path }
}

/**
 * Fields that the routes of a file usually have in common. Without `kind`, a route is a relay route.
 * Without `source`, it is inferred.
 */
type SharedFields = Pick<RouteInfo, 'group'> &
  Partial<Pick<RouteInfo, 'kind' | 'source' | 'evidence'>>

/** Declaration of a route, including its handler. The schemas determine the types. */
export interface RouteDefinition<
  W,
  Id extends MethodAndPath,
  Params extends z.ZodType,
  Query extends z.ZodRawShape,
  Body extends z.ZodType,
  Data extends z.ZodType,
>
  extends Omit<RouteInfo<W>, 'method' | 'path' | keyof SharedFields>, Partial<SharedFields> {
  /** Method and path, such as `GET /v1/:account_id/posts`. */
  id: Id
  /**
   * Creates the schema of the path parameters. Called on first use, because most processes use only
   * a few routes.
   * @default all parameters are ids
   */
  params?: () => Params
  /**
   * Creates the schemas of the query parameters, or the schema of the query. Called on first use.
   */
  query?: () => Query | z.ZodObject<Query>
  /** Creates the schema of the body. Called on first use. */
  body?: () => Body
  /**
   * Schema of the response's data. Null for files.
   * @default `Success`, for which `handle` returns nothing
   */
  data?: Data | null
  /**
   * True for a POST that only reads, with its parameters in the body.
   * @default false
   */
  isRead?: boolean
  /**
   * Renders the data as HTML for browsers. Other clients get JSON. Only for routes without a key.
   */
  toPage?: (data: z.input<Data>) => string
  handle: (
    context: Context<W, Id, z.output<Params>, z.output<z.ZodObject<Query>>, z.output<Body>>,
  ) =>
    | WithFragments<z.input<Data>>
    | Page<WithFragments<z.input<Data>>>
    | FileResponse
    | HeadersResponse
    | (Data extends typeof Success ? void : never)
}

/** The schema of a route without input. */
export const nothing = z.object({})

/** The names of a path's parameters, except the account, which the pipeline finds. */
export type ParameterName<Path extends string> =
  Path extends `${string}:${infer Name}/${infer Rest}`
    ? Exclude<Name, 'account_id'> | ParameterName<`/${Rest}`>
    : Path extends `${string}:${infer Name}`
      ? Exclude<Name, 'account_id'>
      : never

/** The schema of a path whose parameters are ids. */
export type PathIds<Path extends string> = z.ZodType<Record<ParameterName<Path>, number>>

const success = { success: true } as const

function toQuerySchema(query: z.ZodRawShape | z.ZodObject | undefined): z.ZodType {
  if (query === undefined) return nothing
  return query instanceof z.ZodObject ? query : z.object(query)
}

/** Creates the `PathIds` of a path. */
function createPathIds(path: string): z.ZodType {
  const names = [...path.matchAll(/:(\w+)/g)].flatMap(([, name = '']) =>
    name === 'account_id' ? [] : [name],
  )
  return names.length === 0
    ? nothing
    : z.object(Object.fromEntries(names.map((name) => [name, pathId])))
}

/**
 * Creates the function that declares routes with common fields on worlds of type `W`. A route can
 * replace a common field. The schemas of a route determine the types of the handler. The handler
 * receives validated input, and returns data or throws an `ApiError`.
 */
export function createRouteDefiner<W>(shared: SharedFields) {
  return <
    const Id extends MethodAndPath,
    Data extends z.ZodType = typeof Success,
    Params extends z.ZodType = PathIds<Id>,
    Query extends z.ZodRawShape = Record<never, never>,
    Body extends z.ZodType = typeof nothing,
  >({
    params,
    query,
    body,
    data = Success as unknown as Data,
    ...route
  }: RouteDefinition<W, Id, Params, Query, Body, Data>): Route => {
    const { method, path } = splitRouteId(route.id)
    const schemas = {
      params: once<z.ZodType>(params ?? (() => createPathIds(path))),
      query: once<z.ZodType>(() => toQuerySchema(query?.())),
      body: once<z.ZodType | null>(body ?? (() => null)),
    }
    // The types of all routes are erased, because the pipeline handles all of them alike.
    const handle = route.handle as unknown as Route['handle']
    return {
      kind: 'relay',
      source: 'inferred',
      ...shared,
      ...route,
      method,
      path,
      data,
      get params() {
        return schemas.params()
      },
      get query() {
        return schemas.query()
      },
      get body() {
        return schemas.body()
      },
      handle:
        (data as unknown) === Success ? (context: Context) => handle(context) ?? success : handle,
    } as unknown as Route
  }
}

/** Returns a copy of a route with changes applied. The schemas are still created on first use. */
export function copyRoute(route: Route, changes: Partial<Route>): Route {
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(route), ...Object.getOwnPropertyDescriptors(changes) },
  ) as Route
}

/** Id of a route, with its description in one line. */
export interface RouteSummary {
  id: string
  summary: string
}

/** Validates the route names that faults, actions and the journal use. */
export interface RouteNames {
  ids: ReadonlySet<string>
  /** Routes with their summaries, in the order of `ids`. */
  summaries: readonly RouteSummary[]
  /**
   * Lists the route names that are most similar to an unknown method and path, best match first.
   */
  nearMisses: (method: string, path: string) => readonly string[]
}

/** The route that matches a method and path, with the decoded path parameters. */
export interface Match {
  route: Route | undefined
  params: Readonly<Record<string, string>>
}

/** Finds routes by method and path. */
export interface RouteMatcher {
  /** All routes known to the matcher. */
  routes: readonly Route[]
  match: (method: string, path: string) => Match
  /** Lists the routes that are most similar to an unknown method and path, best match first. */
  nearMisses: (method: string, path: string) => string[]
}

/** Routes with overlays applied. */
export interface RouteSet {
  routes: readonly Route[]
  /** The overlays, in order. */
  overlays: readonly unknown[]
  /** Creates the matcher of the routes that a sandbox serves. */
  matcher: (isServed: (route: Route) => boolean) => RouteMatcher
  /**
   * Names of the original routes that overlays changed or removed, and of the routes that they
   * added.
   */
  changed: readonly string[]
}

import { z } from 'zod'
import type { ApiError, MemoryLimitError } from '../errors.ts'
import type { WithFragments } from '../lib/json-fragment.ts'
import { once } from '../lib/once.ts'
import type { RouteSource } from './source.ts'
import type { Account, ApiKey, Organisation } from '../world/tenancy/tenancy.table.ts'
import type { World } from '../world/world.ts'

/** A request in the common form of all hosts. */
export interface Call {
  method: string
  /** The path and the query string as the client sent them, such as `/v1/101/posts?limit=5`. */
  url: string
  /** Reads a header by its lower-case name. Null if it was not sent. */
  header: (name: string) => string | null
  /** All headers by lower-case name, for the journal. Absent: the journal has no headers. */
  headers?: () => Readonly<Record<string, string | readonly string[] | undefined>>
  /** The whole body as text. Null if there is none, or if the host gives its bytes. */
  body: string | null
  /** The whole body, from hosts that have bytes. Only routes of JSON read them as text. */
  bytes?: Uint8Array
  /** Set if the body is longer than the sandbox accepts. The host has not read it to its end. */
  isBodyTooLarge?: boolean
  /** Aborted when the client disconnects. This ends a delay. */
  signal?: Abort
  /**
   * Set if the request is refused before the pipeline: its `Host` or `Origin` is foreign, or there
   * is no room for its world.
   */
  refusal?: ApiError | MemoryLimitError
  /** Set if the memory limit left no room for the body. The host has dropped it. */
  isBodyWithoutRoom?: boolean
}

/** The part of an `AbortSignal` that tells if the client is still connected. */
export interface Abort {
  readonly aborted: boolean
  addEventListener: (type: 'abort', listener: () => void) => void
  removeEventListener: (type: 'abort', listener: () => void) => void
}

/** An answer in the common form of all hosts. */
export interface Reply {
  status: number
  headers: Readonly<Record<string, string>>
  /** JSON as text or as chunks of UTF-8, the bytes of a file, or null for no body. */
  body: string | Uint8Array | readonly Uint8Array[] | null
  /**
   * Set if the host must cut the connection: before it sends anything, or midway, after the headers
   * and half of the body.
   */
  cut?: 'before' | 'midway'
  /**
   * Replaces the body by a stream, which sends text until the host calls the returned function. The
   * stream calls `end` when it ends without being stopped.
   */
  stream?: (send: (text: string) => void, end?: () => void) => () => void
}

/** The input of the handler of a route. */
export interface Context<
  W = World,
  Path extends string = string,
  Params = unknown,
  Query = unknown,
  Body = unknown,
> {
  world: W
  /** The account of the path. Only paths with `:account_id` have one. */
  account: Path extends `${string}:account_id${string}` ? Account : undefined
  organisation: Organisation
  key: ApiKey
  params: Params
  query: Query
  body: Body
  /** The query string as the client sent it, without the question mark. */
  rawQuery: string
}

/**
 * One page of a list: its data and the parameters that fetch the next page, or null on the last
 * page.
 */
export class Page<Data> {
  readonly data: Data
  readonly next: Readonly<Record<string, string | number>> | null

  constructor(data: Data, next: Readonly<Record<string, string | number>> | null) {
    this.data = data
    this.next = next
  }
}

/** An answer with a shipped file, on behalf of an account. */
export class FileAnswer {
  readonly file: string
  readonly contentType: string
  readonly accountId: number
  /**
   * Runs before the file is sent, but not for `HEAD`. @throws {ApiError} if the file must not be
   * shown
   */
  readonly onShow: () => void

  constructor({
    file,
    contentType,
    accountId,
    onShow,
  }: {
    file: string
    contentType: string
    accountId: number
    onShow: () => void
  }) {
    this.file = file
    this.contentType = contentType
    this.accountId = accountId
    this.onShow = onShow
  }
}

/** An answer that has headers and no body. */
export class HeaderAnswer {
  readonly headers: Readonly<Record<string, string>>

  constructor(headers: Readonly<Record<string, string>>) {
    this.headers = headers
  }
}

/** The form of the pagination of a route. */
export interface Pagination {
  /** A relative address with the parameters of the next page, or a bare offset such as `"20"`. */
  next: 'address' | 'bare'
  /** The last page has no `_pagination`, or `next_page: null`. */
  last: 'omitted' | 'null'
}

/** The parameters that the URL of a request holds. */
export interface Addressed {
  params: Readonly<Record<string, string>>
  /** The query string as the client sent it, without the question mark. */
  rawQuery: string
}

/** Sends a request of an example to a copy of the sandbox. @throws {Error} if it is refused */
export type Ask = <Data extends z.ZodType>(
  data: Data,
  call: { method: RouteInfo['method']; address: string; body?: object | Uint8Array },
) => Promise<{ data: z.output<Data>; headers: Reply['headers'] }>

/** Parameters and body of an example that depend on earlier answers. */
export interface Rehearsed {
  address?: Readonly<Record<string, unknown>>
  body?: object | Uint8Array
}

/** The declaration of a route without its schemas and handler. */
export interface RouteInfo<W = World> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path, with `:name` for each parameter. */
  path: string
  /** The route group of the reference. */
  group: string
  /** The group whose examples fit the route. @default the route's own group */
  examplesOf?: string
  /** The permission that the key must have; null if the route needs no key. */
  permission: string | null
  /**
   * `relay`: the route needs the account's upstream session. `service`: it answers from the data of
   * the service.
   */
  kind: 'relay' | 'service'
  /**
   * Where the reference documents the route, such as `reference §4 Posts`; `published` in the
   * service's older public documentation; or `inferred`.
   */
  source: RouteSource
  /**
   * Evidence that an inferred route exists. For a published route, the details that are inferred.
   */
  evidence?: string
  /** One line: what the route does. */
  summary: string
  /** The rules that the route follows beyond its schemas, for the documentation. */
  rules?: readonly string[]
  /**
   * Fields that are accepted but have no effect here, each with the reason. A test finds any other.
   */
  withoutEffect?: Readonly<Record<string, string>>
  /**
   * Body fields whose names look like credentials, such as `key`, but are not. The journal shows
   * them.
   */
  plainFields?: readonly string[]
  /** Present on paginated routes. */
  pagination?: Pagination
  /** On a list that is newest first by default: the field with the time of a row. */
  newestFirst?: string
  /** The status of a successful answer. @default 200 */
  status?: number
  /**
   * `none`: the route needs no key, takes no credit, counts in no rate window and has no envelope.
   * @default 'full'
   */
  gate?: 'full' | 'none'
  /**
   * True if it never waits for its world, because it reads nothing of it.
   * @default false
   */
  isPrompt?: boolean
  /**
   * Returns true if a request is a health check, which the journal does not keep.
   * @default never
   */
  isProbe?: (request: Addressed) => boolean
  /** True if the route also answers HEAD, with the headers of GET. @default false */
  head?: boolean
  /**
   * On a route without a key: reads the id of the world from the URL. Returns undefined if it names
   * no world.
   */
  worldId?: (request: Addressed) => string | undefined
  /**
   * On a route without a key, for a URL that names no world: returns true if the URL belongs to a
   * world.
   */
  isOfWorld?: (world: W, request: Addressed) => boolean
  /**
   * Maximum size of the body in bytes, if it is a file and not JSON. `body` is then a `SentFile`,
   * and the answer has no body.
   */
  fileLimit?: number
  /**
   * Set if an example depends on an earlier answer, such as the id of a message of today. It gets
   * the input of the example from a copy of the sandbox.
   */
  rehearse?: (scene: { account: number; ask: Ask }) => Promise<Rehearsed>
  /**
   * On a route without a key: checks the address before the body is read. @throws {ApiError} if it
   * opens nothing
   */
  admit?: (world: W, request: Addressed) => void
}

/** A route: its declaration, its schemas and its handler. */
export interface Route extends RouteInfo {
  /**
   * Method and path, as faults and the journal name the route: `GET /v1/:account_id/posts`. An
   * overlay that moves the route does not change it.
   */
  id: string
  readonly params: z.ZodType
  readonly query: z.ZodType
  readonly body: z.ZodType | null
  /** The schema of `data`, or of the whole body without an envelope; null for files. */
  data: z.ZodType | null
  /** Returns the data. */
  handle: (context: Context) => unknown
  /** True on a POST that only reads, and takes its parameters in a body. */
  isRead?: boolean | undefined
  /**
   * On a route without a key that people open in a browser: writes the page of its data, as HTML.
   */
  toPage?: (data: unknown) => Promise<string>
  /**
   * On a route that an overlay changed: converts a request to its form without the overlay, because
   * stories have no overlays. Returns undefined if there is no such route.
   */
  toPlain?: (sent: PlainRequest) => PlainRequest | undefined
}

/** A request with the parameters of its path, which are decoded. */
export interface PlainRequest {
  method: string
  /** Path and query. */
  url: string
  body: string | null
  params: Readonly<Record<string, string>>
}

/** The declaration of a route with its handler, which its schemas type. */
export interface RouteDefinition<
  W,
  Path extends string,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Data extends z.ZodType,
> extends RouteInfo<W> {
  path: Path
  /**
   * Makes the schema of the path parameters on first use, because a process uses few routes.
   */
  params?: () => Params
  /** Makes the schema of the query on first use. */
  query?: () => Query
  /** Makes the schema of the body on first use. */
  body?: () => Body
  data: Data | null
  /** True on a POST that only reads, and takes its parameters in a body. @default false */
  isRead?: boolean
  /**
   * On a route without a key that people open in a browser: writes the page of its data, as HTML.
   * Other clients get JSON.
   */
  toPage?: (data: z.input<Data>) => Promise<string>
  handle: (
    context: Context<W, Path, z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => WithFragments<z.input<Data>> | Page<WithFragments<z.input<Data>>> | FileAnswer | HeaderAnswer
}

/** The schema of a route without input. */
export const nothing = z.object({})

/**
 * Creates the function that declares routes over worlds of type `W`. The schemas of a route type
 * its handler. The handler receives checked input, and returns data or throws an `ApiError`.
 */
export function routesOver<W>() {
  return <
    const Path extends string,
    Data extends z.ZodType,
    Params extends z.ZodType = typeof nothing,
    Query extends z.ZodType = typeof nothing,
    Body extends z.ZodType = typeof nothing,
  >({
    params,
    query,
    body,
    ...route
  }: RouteDefinition<W, Path, Params, Query, Body, Data>): Route => {
    const schemas = {
      params: once<z.ZodType>(params ?? (() => nothing)),
      query: once<z.ZodType>(query ?? (() => nothing)),
      body: once<z.ZodType | null>(body ?? (() => null)),
    }
    return {
      ...route,
      id: `${route.method} ${route.path}`,
      get params() {
        return schemas.params()
      },
      get query() {
        return schemas.query()
      },
      get body() {
        return schemas.body()
      },
      // Routes lose their types here, because the pipeline calls all handlers alike.
      handle: route.handle as unknown as Route['handle'],
      isOfWorld: route.isOfWorld as unknown as Route['isOfWorld'],
      admit: route.admit as unknown as Route['admit'],
      toPage: route.toPage as Route['toPage'],
    }
  }
}

/**
 * Creates a route like another one, with these changes. Schemas are still created at the first
 * request.
 */
export function likeRoute(route: Route, changes: Partial<Route>): Route {
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(route), ...Object.getOwnPropertyDescriptors(changes) },
  ) as Route
}

/**
 * Creates a page of data. `next` holds the parameters of the next page, or null on the last page.
 */
export function page<Data>(
  data: Data,
  next: Readonly<Record<string, string | number>> | null,
): Page<Data> {
  return new Page(data, next)
}

/** The names of the routes in faults, actions and the journal. */
export interface RouteNames {
  ids: ReadonlySet<string>
  /** The names that resemble an unknown method and path, the most similar first. */
  nearMisses: (method: string, path: string) => readonly string[]
}

/** The route of a method and path, if there is one, and the decoded parameters of the path. */
export interface Match {
  route: Route | undefined
  params: Readonly<Record<string, string>>
}

/** Finds routes by method and path. */
export interface RouteMatcher {
  /** The routes that it finds. */
  routes: readonly Route[]
  match: (method: string, path: string) => Match
  /** The routes that resemble an unknown method and path, the most similar first. */
  nearMisses: (method: string, path: string) => string[]
}

/** Routes that replace the shipped ones: the result of overlays. */
export interface RouteSet {
  routes: readonly Route[]
  /** The overlays, in their order. */
  overlays: readonly unknown[]
  /** Creates the matcher of the routes that a sandbox serves. */
  matcher: (isServed: (route: Route) => boolean) => RouteMatcher
  /** The names of shipped routes that were changed or removed, and of added ones. */
  changed: readonly string[]
}

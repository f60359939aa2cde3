import { z } from 'zod'
import type { Account, ApiKey, Organisation } from './tenancy/tenancy.table.ts'
import type { World } from './world.ts'

/** A request as every host hands it over. */
export interface Call {
  method: string
  /** Path and query as they came, such as `/v1/101/posts?limit=5`. */
  url: string
  /** A header by its lower-case name; null when it was not sent. */
  header: (name: string) => string | null
  /** The body read whole; null when there is none. */
  body: string | null
  /** The body's bytes, where the host has them: what routes that take files read. */
  bytes?: Uint8Array
  /** Set when the body was longer than the sandbox takes, and so was not read to its end. */
  isBodyTooLarge?: boolean
}

/** An answer as every host sends it on. */
export interface Reply {
  status: number
  headers: Readonly<Record<string, string>>
  /** JSON ready to send, as text or in pieces of UTF-8; the bytes of a file; or nothing. */
  body: string | Uint8Array | readonly Uint8Array[] | null
  /** Set when the connection is to be cut instead. */
  isDropped?: boolean
  /** In place of a body: sends text until the function that it returns is called, or there is no more to send: then it calls `end`. */
  stream?: (send: (text: string) => void, end?: () => void) => () => void
}

/** What a route's handler is given. */
export interface Context<W = World, Path extends string = string, Params = unknown, Query = unknown, Body = unknown> {
  world: W
  /** The account of the path; only on paths that have `:account_id`. */
  account: Path extends `${string}:account_id${string}` ? Account : undefined
  organisation: Organisation
  key: ApiKey
  params: Params
  query: Query
  body: Body
  /** The query string as it came, without the question mark. */
  rawQuery: string
}

/** One page of a list: its data and, while rows remain, the parameters that fetch the next one. */
export class Page<Data> {
  readonly data: Data
  readonly next: Readonly<Record<string, string | number>> | null

  constructor(data: Data, next: Readonly<Record<string, string | number>> | null) {
    this.data = data
    this.next = next
  }
}

/** A shipped file to answer with, on behalf of an account. */
export class FileAnswer {
  readonly file: string
  readonly contentType: string
  readonly accountId: number
  /** Called before the file is shown, but not for its headers alone. @throws {ApiError} when it is not to be shown */
  readonly onShow: () => void

  constructor({ file, contentType, accountId, onShow }: { file: string; contentType: string; accountId: number; onShow: () => void }) {
    this.file = file
    this.contentType = contentType
    this.accountId = accountId
    this.onShow = onShow
  }
}

/** An answer without a body: its headers say it all. */
export class HeaderAnswer {
  readonly headers: Readonly<Record<string, string>>

  constructor(headers: Readonly<Record<string, string>>) {
    this.headers = headers
  }
}

/** How a paginated route names its next page: `parameters` put into a relative address, or a `bare` offset; `null` on the last page where it is not left out. */
export interface Pagination {
  next: 'address' | 'bare'
  last: 'omitted' | 'null'
}

/** What the address of a request says. */
export interface Addressed {
  params: Readonly<Record<string, string>>
  /** The query string as it came, without the question mark. */
  rawQuery: string
}

/** What a route promises, apart from its types. */
export interface RouteInfo<W = World> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path with `:name` for its parameters. */
  path: string
  /** The route group of the reference. */
  group: string
  /** The group whose examples fit it, where they are not its own group's. */
  examplesOf?: string
  /** The permission that a key's role must grant; null where no key is needed. */
  permission: string | null
  /** Whether it needs the account's upstream session (`relay`) or answers from the service's own data. */
  kind: 'relay' | 'service'
  /** Where the reference documents it, such as `reference §4 Posts`, or `inferred`. */
  source: string
  /** For an inferred route: what speaks for it. */
  evidence?: string
  /** One line: what it does. */
  summary: string
  /** What it keeps to beyond its schemas, for the documentation. */
  rules?: readonly string[]
  /** Fields that it accepts and that change nothing here, each with the reason: a test finds any other. */
  withoutEffect?: Readonly<Record<string, string>>
  /** Present on paginated routes. */
  pagination?: Pagination
  /** `none`: no key, no credits, no windows, no envelope. @default 'full' */
  gate?: 'full' | 'none'
  /** Whether HEAD is answered too, with the headers alone. @default false */
  head?: boolean
  /** On a route that takes no key: the id of the world that the address names. */
  worldId?: (request: Addressed) => string | undefined
  /** The same where the address does not say it: whether it means that world. */
  isOfWorld?: (world: W, request: Addressed) => boolean
  /** Set where the body is a file, not JSON: the most bytes that it may have. `body` is then its bytes, and the answer has none. */
  fileLimit?: number
}

/** A route: what it promises, and the function that keeps the promise. */
export interface Route extends RouteInfo {
  /** Method and path, as faults and the journal name it. */
  id: string
  params: z.ZodType
  query: z.ZodType
  body: z.ZodType | null
  /** What stands under `data`, or the whole body where there is no envelope; null for files. */
  data: z.ZodType | null
  handle: (context: Context) => unknown
}

/** What a route declares: its promise, and the function that keeps it, typed by its schemas. */
export interface RouteDefinition<
  W,
  Path extends string,
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Data extends z.ZodType,
> extends RouteInfo<W> {
  path: Path
  params?: Params
  query?: Query
  body?: Body
  data: Data | null
  handle: (
    context: Context<W, Path, z.output<Params>, z.output<Query>, z.output<Body>>,
  ) => z.input<Data> | Page<z.input<Data>> | FileAnswer | HeaderAnswer
}

const nothing = z.object({})

/** Makes the function that declares routes over that world. A handler is typed by its schemas, gets checked input, and returns data or throws an `ApiError`. */
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
  }: RouteDefinition<W, Path, Params, Query, Body, Data>): Route => ({
    ...route,
    id: `${route.method} ${route.path}`,
    params: params ?? nothing,
    query: query ?? nothing,
    body: body ?? null,
    // The one place where a route's types are given up: the pipeline calls all handlers alike.
    handle: route.handle as unknown as Route['handle'],
    isOfWorld: route.isOfWorld as unknown as Route['isOfWorld'],
  })
}

/** A page of data; `next` holds the parameters of the next page, or null on the last one. */
export function page<Data>(data: Data, next: Readonly<Record<string, string | number>> | null): Page<Data> {
  return new Page(data, next)
}

/** The routes as faults, actions and the journal name them. */
export interface RouteNames {
  ids: ReadonlySet<string>
  /** Names that an unknown method and path resemble, likeliest first. */
  nearMisses: (method: string, path: string) => readonly string[]
}

import { spellRoute } from '../api/route-id.ts'
import { z } from 'zod'
import { findNearestWord } from '../lib/nearest-word.ts'
import { createApiError } from '../errors.ts'
import { createQueryValueSchema } from '../lib/fields.ts'
import { FileResponse, HeadersResponse, Page } from '../api/route.ts'
import type { Context, Route } from '../api/route.ts'
import { requireTexts } from '../seed/texts.ts'
import type { World } from '../resources/world.ts'
import { toServiceValue } from './service-value.ts'
import type { ValueSource } from './service-value.ts'
import { createResponseSchema } from './response-schema.ts'
import type { Overlay, RouteOverlay, ChangeTree } from './format.ts'
import { createRequestConverter } from './request-converter.ts'
import { createRequestSchema } from './request-schema.ts'
import { OverlayMismatchError, toChangeTree } from './format.ts'

/**
 * The routes that the service has, and the routes that it lacks. Those it lacks are kept, so that
 * requests to their paths do not match other routes.
 */
export interface CompiledRoutes {
  routes: readonly Route[]
  absent: ReadonlySet<Route>
}

/**
 * Applies an overlay to routes.
 *
 * @throws {OverlayMismatchError} if the overlay does not match the routes
 */
export function compileOverlay(
  { routes, absent }: CompiledRoutes,
  overlay: Overlay,
): CompiledRoutes {
  const changes = new Map<string, RouteOverlay>()
  for (const [name, change] of Object.entries(overlay.routes)) {
    const id = spellRoute(name)
    if (changes.has(id))
      throw new OverlayMismatchError([name], 'the overlay contains this route twice')
    changes.set(id, { date: overlay.date, note: overlay.note, ...change })
    runInContext(name, () => requireKnown(id, change, routes))
  }
  const gone = new Set<Route>()
  const changed = routes.map((route) => {
    const change = changes.get(route.id)
    const made =
      change === undefined
        ? route
        : runInContext(getNameInOverlay(overlay, route.id), () => applyRouteOverlay(route, change))
    if (change?.absent === true || (absent.has(route) && change === undefined)) gone.add(made)
    return made
  })
  const added = [...changes]
    .filter(([, change]) => change.new === true)
    .map(([id, change]) =>
      runInContext(getNameInOverlay(overlay, id), () => createDeclaredRoute(id, change)),
    )
  const all = [...changed, ...added]
  requireDistinctPaths(all, gone, overlay)
  return { routes: all, absent: gone }
}

function getNameInOverlay(overlay: Overlay, id: string): string {
  return Object.keys(overlay.routes).find((name) => spellRoute(name) === id) ?? id
}

function runInContext<Result>(name: string, make: () => Result): Result {
  try {
    return make()
  } catch (error) {
    throw error instanceof OverlayMismatchError
      ? new OverlayMismatchError([name, ...error.path], error.message)
      : error
  }
}

function requireKnown(
  id: string,
  { new: isNew, absent, answers, summary, kind, ...changes }: RouteOverlay,
  routes: readonly Route[],
): void {
  const isKnown = routes.some((route) => route.id === id)
  if (isNew === true && isKnown)
    throw new OverlayMismatchError(
      ['new'],
      'the sandbox already has this route. Remove new, and list the changes',
    )
  if (isNew !== true) {
    const near = findNearestWord(
      routes.map((route) => route.id),
      id,
    )
    const advice = near === undefined ? 'docs/routes.md lists them' : `did you mean ${near}`
    if (!isKnown)
      throw new OverlayMismatchError(
        [],
        `the sandbox has no such route; ${advice}. For an added route, set new: true`,
      )
    const only = Object.entries({ answers, summary, kind }).find(([, value]) => value !== undefined)
    if (only !== undefined)
      throw new OverlayMismatchError([only[0]], 'it is allowed only for a new route')
  }
  const { date: _date, note: _note, source: _source, ...rest } = changes
  const other = Object.entries(rest).find(([, value]) => value !== undefined)
  if (absent === true && (isNew === true || other !== undefined))
    throw new OverlayMismatchError(
      ['absent'],
      `an absent route must have no other settings, such as ${other?.[0] ?? 'new'}`,
    )
}

/** Applies changes to a route. */
function applyRouteOverlay(route: Route, change: RouteOverlay): Route {
  const { method = route.method, permission = route.permission, status = route.status } = change
  const isOpen = route.accessChecks === 'none'
  const refused = (['path', 'method', 'permission', 'status'] as const).find(
    (name) => isOpen && change[name] !== undefined,
  )
  if (refused !== undefined)
    throw new OverlayMismatchError(
      [refused],
      'it cannot change, because URLs that the sandbox creates point to this route',
    )
  const path = change.path === undefined ? route.path : getMovedPath(route.path, change.path)
  const query =
    change.query === undefined ? undefined : runInContext('query', () => toChangeTree(change.query))
  const body = toChangeTree(change.body)
  const answer = toChangeTree(change.answer)
  if (body !== undefined && (route.body === null || route.fileLimit !== undefined))
    throw new OverlayMismatchError(['body'], 'the route has no JSON body')
  if (answer !== undefined && route.data === null)
    throw new OverlayMismatchError(['answer'], 'the route returns a file')
  const asObserved = getSeenSource(route, change)
  return {
    ...route,
    ...asObserved,
    method,
    path,
    permission,
    ...(status === undefined ? {} : { status }),
    query:
      query === undefined
        ? route.query
        : runInContext('query', () => createRequestSchema(route.query, query, 'query')),
    body:
      body === undefined || route.body === null
        ? route.body
        : runInContext('body', () => createRequestSchema(route.body as z.ZodType, body, 'body')),
    data:
      answer === undefined || route.data === null
        ? route.data
        : runInContext('answer', () => createResponseSchema(route.data as z.ZodType, answer)),
    ...(path === route.path && method === route.method && query === undefined && body === undefined
      ? {}
      : { toPlain: createRequestConverter(route, { query, body }) }),
    handle:
      answer === undefined && query === undefined
        ? route.handle
        : createConvertingHandler(route.handle, { query, answer }),
  }
}

/**
 * Returns the source level of a changed route: inferred routes become observed, others keep their
 * level.
 */
function getSeenSource(
  { source, rules = [] }: Route,
  { date, note }: RouteOverlay,
): Pick<Route, 'source' | 'evidence' | 'rules'> {
  const seen = `seen${date === undefined ? '' : ` on ${date}`}${note === undefined ? '' : `: ${note}`}`
  if (source === 'inferred' || source === 'observed')
    return { source: 'observed', evidence: seen, rules }
  return { source, rules: [...rules, `Changed by an overlay, ${seen}.`] }
}

function getMovedPath(from: string, written: string): string {
  const path = written.replace(/\{(\w+)\}/g, ':$1')
  const [had, has] = [from, path].map((each) =>
    (each.match(/:\w+/g) ?? []).toSorted().join(' '),
  ) as [string, string]
  if (had !== has)
    throw new OverlayMismatchError(
      ['path'],
      `the path must have the parameters of the route (${had || 'none'})`,
    )
  return path
}

/** Wraps a route's handler so that its result is converted to the service's form. */
function createConvertingHandler(
  handle: Route['handle'],
  trees: { query: ChangeTree | undefined; answer: ChangeTree | undefined },
): Route['handle'] {
  return (context: Context) => {
    const source: ValueSource = {
      words: (list) => {
        const { names } = requireTexts(context.world as World)
        return names[list as 'nouns' | 'first']
      },
    }
    return convertResult(handle(context), { ...trees, source })
  }
}

interface Conversion {
  query: ChangeTree | undefined
  answer: ChangeTree | undefined
  source: ValueSource
}

function convertResult(result: unknown, { query, answer, source }: Conversion): unknown {
  if (result instanceof FileResponse || result instanceof HeadersResponse) return result
  const send = (data: unknown) =>
    answer === undefined ? data : toServiceValue(toPlainData(data), answer, source)
  if (!(result instanceof Page)) return send(result)
  if (answer === undefined) return new Page(result.data, renameNextParameters(result.next, query))
  return new Page(send(result.data), renameNextParameters(result.next, query))
}

/** Converts data to plain JSON. Page rows may already be serialised, so they are parsed. */
function toPlainData(data: unknown): unknown {
  return typeof data === 'object' ? JSON.parse(JSON.stringify(data)) : data
}

function renameNextParameters(
  next: Page<unknown>['next'],
  query: ChangeTree | undefined,
): Page<unknown>['next'] {
  if (next === null || query === undefined) return next
  return Object.fromEntries(
    Object.entries(next).map(([name, value]) => [
      query.inside.get(name)?.change?.rename ?? name,
      value,
    ]),
  )
}

const idText = createQueryValueSchema('it must be a string', { type: 'string' }, (text) => text)

/** Creates a route that the sandbox does not have, with a fixed response. */
function createDeclaredRoute(id: string, change: RouteOverlay): Route {
  const { date, note } = change
  const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE) (\/v1\/\S+)$/.exec(id) ?? []
  if (method === undefined || path === undefined)
    throw new OverlayMismatchError(
      [],
      'a new route must be a method and a path below /v1/, such as GET /v1/:account_id/things',
    )
  const misplaced = (['method', 'path', 'status', 'answer'] as const).find(
    (name) => change[name] !== undefined,
  )
  if (misplaced !== undefined)
    throw new OverlayMismatchError(
      [misplaced],
      'it is not allowed for a new route, because the id or answers contains it',
    )
  const [first, ...others] = Object.entries(change.answers ?? {})
  if (first === undefined)
    throw new OverlayMismatchError([], 'a new route must have answers, with data by status')
  const [status, answer] = first
  for (const [code, text] of [first, ...others])
    if (Number(code) >= 300 && (typeof text !== 'string' || Number(code) < 400))
      throw new OverlayMismatchError(
        ['answers', code],
        'an error must have a status 4xx or 5xx and a message',
      )
  const queryTree = toChangeTree(change.query)
  const bodyTree = toChangeTree(change.body)
  const nothing = z.object({})
  return {
    id,
    method: method as Route['method'],
    path,
    group: 'Overlay',
    permission: change.permission ?? null,
    kind: change.kind ?? 'service',
    summary: change.summary ?? 'A route from an overlay.',
    source: 'observed',
    evidence: `seen${date === undefined ? '' : ` on ${date}`}${note === undefined ? '' : `: ${note}`}`,
    rules: others.map(
      ([code, text]) => `May return ${code}${Number(code) < 400 ? '' : `: ${String(text)}`}`,
    ),
    status: Number(status),
    params: z.object(
      Object.fromEntries(
        (path.match(/:\w+/g) ?? [])
          .filter((name) => name !== ':account_id')
          .map((name) => [name.slice(1), idText]),
      ),
    ),
    query:
      queryTree === undefined
        ? nothing
        : runInContext('query', () => createRequestSchema(nothing, queryTree, 'query')),
    body:
      bodyTree === undefined
        ? null
        : runInContext('body', () => createRequestSchema(nothing, bodyTree, 'body')),
    data: z.json(),
    toPlain: () => undefined,
    handle() {
      if (Number(status) >= 400)
        throw createApiError('overlaid', { text: String(answer) }, Number(status))
      return answer
    },
  }
}

/**
 * Checks that no two routes match the same path.
 *
 * @throws {OverlayMismatchError}
 */
function requireDistinctPaths(
  routes: readonly Route[],
  absent: ReadonlySet<Route>,
  overlay: Overlay,
): void {
  const found = new Map<string, Route>()
  for (const route of routes) {
    if (absent.has(route)) continue
    const place = `${route.method} ${route.path.replace(/:\w+/g, ':')}`
    const other = found.get(place)
    if (other !== undefined) {
      const culprit =
        [route, other].find(({ id }) =>
          Object.keys(overlay.routes).some((name) => spellRoute(name) === id),
        ) ?? route
      const rival = culprit === route ? other : route
      throw new OverlayMismatchError(
        [getNameInOverlay(overlay, culprit.id), 'path'],
        `${rival.id} has that path. Move that route as well, or mark it as absent`,
      )
    }
    found.set(place, route)
  }
}

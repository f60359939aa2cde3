import { quoteText, SandboxError } from '../errors.ts'
import type { RouteNames } from './route.ts'

/** A route name in a variable of type `string`. A literal must be a known route. */
export type VariableRoute<Route extends string> = Route & (string extends Route ? string : never)

/** Spells a route name as `GET /v1/:account_id/posts`. */
export function spellRoute(route: string): string {
  return route
    .trim()
    .replace(/\s+/, ' ')
    .replace(/\{(\w+)\}/g, ':$1')
    .replace(/^\w+/, (method) => method.toUpperCase())
}

/**
 * Normalises a route name: `get /v1/{account_id}/posts` becomes `GET /v1/:account_id/posts`.
 * @throws {SandboxError} with similar routes if the route does not exist
 */
export function normaliseRouteId(
  route: string,
  { ids, nearMisses }: RouteNames,
  verb: string,
): string {
  const id = spellRoute(route)
  if (ids.has(id)) return id
  const [, method = '', path = ''] = /^(\w+) +(\/\S*)$/.exec(id) ?? []
  const near = path === '' ? [] : nearMisses(method, path)
  const advice =
    near.length === 0
      ? 'Use method and path as in the list of routes, such as GET /v1/:account_id/posts'
      : `Similar routes: ${near.join(', ')}`
  throw new SandboxError(
    `Failed to ${verb} (route: ${quoteText(route)}): there is no such route. ${advice}.`,
    { field: 'route' },
  )
}

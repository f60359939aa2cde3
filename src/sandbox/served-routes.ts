import { createLazyRouter, createRouteMatcher } from '../api/route-matcher.ts'
import type { Call, Route, RouteMatcher, RouteNames } from '../api/route.ts'
import { getSourceLevel } from '../api/source.ts'
import { splitUrl } from '../lib/url.ts'
import { routes } from '../resources/all-resources.ts'
import type { ResolvedOptions } from './options.ts'

const router = createLazyRouter(routes)
/** The matcher of all routes. */
export const matcher = createRouteMatcher(routes, router)
const isDocumented = ({ source }: Route) => getSourceLevel(source) === 'documented'
const isKnown = ({ source }: Route) => getSourceLevel(source) !== 'inferred'
const documentedMatcher = createRouteMatcher(routes, router, isDocumented)
const knownMatcher = createRouteMatcher(routes, router, isKnown)

/** The names of all routes. */
export const routeNames = toNames(matcher)

/** Lists the routes that a sandbox with these options serves. */
export function listServedRoutes(options: ResolvedOptions): readonly Route[] {
  return createMatcher(options).routes
}

/** Lists the names of the served routes, as used in faults and the journal. */
export function listServedNames(options: ResolvedOptions): RouteNames {
  if (!options.overlaid.isPending) return toNames(createMatcher(options))
  return {
    get ids() {
      return toNames(createMatcher(options)).ids
    },
    get summaries() {
      return toNames(createMatcher(options)).summaries
    },
    nearMisses: (method, path) => createMatcher(options).nearMisses(method, path),
  }
}

/** Finds the route of a method and path. */
export const matchRoute = matcher.match

/** True if a request bypasses the queue, because it was already rejected or is for `/health`. */
export function canSkipQueue({ method, url, refusal }: Call): boolean {
  return refusal !== undefined || matchRoute(method, splitUrl(url).path).route?.isPrompt === true
}

function toNames({ routes: found, nearMisses }: RouteMatcher): RouteNames {
  return {
    ids: new Set(found.map(({ id }) => id)),
    summaries: found.map(({ id, summary }) => ({ id, summary })),
    nearMisses,
  }
}

/** Returns the matcher of the routes that a sandbox with these options serves. */
export function createMatcher({
  documentedOnly,
  noGuesses,
  overlaid: { routes: overlay },
}: ResolvedOptions): RouteMatcher {
  if (overlay !== undefined)
    return overlay.matcher(documentedOnly ? isDocumented : noGuesses ? isKnown : () => true)
  if (documentedOnly) return documentedMatcher
  return noGuesses ? knownMatcher : matcher
}

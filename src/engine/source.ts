/**
 * Where a route is known from: a section of the reference, such as `reference §4 Posts`; `published`, the service's older public
 * documentation; or `inferred`, analogy.
 */
export type RouteSource = `reference ${string}` | 'published' | 'inferred'

/** How well a route is known, as users are told; the best first. */
export type SourceLevel = 'documented' | 'published' | 'inferred'

/** How well a route with that source is known. */
export function levelOf(source: RouteSource): SourceLevel {
  return source === 'published' || source === 'inferred' ? source : 'documented'
}

/**
 * Where a route is known from: a section of the reference, such as `reference §4 Posts`;
 * `published`, the service's older public documentation; `observed`, an overlay of somebody who saw
 * it; or `inferred`, analogy.
 */
export type RouteSource = `reference ${string}` | 'published' | 'observed' | 'inferred'

/** How well a route is known, as users are told; the best first. */
export type SourceLevel = 'documented' | 'published' | 'observed' | 'inferred'

/** How well a route with that source is known. */
export function levelOf(source: RouteSource): SourceLevel {
  return source === 'published' || source === 'observed' || source === 'inferred'
    ? source
    : 'documented'
}

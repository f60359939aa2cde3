/**
 * The source of a route: a section of the reference, such as `reference §4 Posts`; `published` for
 * the older public documentation; `observed` for overlays; or `inferred` for routes derived by
 * analogy.
 */
export type RouteSource = `reference ${string}` | 'published' | 'observed' | 'inferred'

/** The reliability levels of sources, most reliable first. */
export type SourceLevel = 'documented' | 'published' | 'observed' | 'inferred'

/** Returns the reliability of a source. */
export function getSourceLevel(source: RouteSource): SourceLevel {
  return source === 'published' || source === 'observed' || source === 'inferred'
    ? source
    : 'documented'
}

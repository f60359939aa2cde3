/**
 * The source of a route: a section of the reference, such as `reference §4 Posts`; `published`, the
 * older public documentation of the service; `observed`, from an overlay; or `inferred`, by
 * analogy.
 */
export type RouteSource = `reference ${string}` | 'published' | 'observed' | 'inferred'

/** The reliability of a source, best first. */
export type SourceLevel = 'documented' | 'published' | 'observed' | 'inferred'

/** Returns the reliability of a source. */
export function getSourceLevel(source: RouteSource): SourceLevel {
  return source === 'published' || source === 'observed' || source === 'inferred'
    ? source
    : 'documented'
}

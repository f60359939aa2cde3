import { getOwnProperty } from './own-property.ts'

/**
 * Reads a value at a path such as `['roles', 0]`, as in zod issues. Returns undefined if the path
 * does not exist.
 */
export function getAtPath(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => getOwnProperty(inner as Record<string, unknown> | null | undefined, key),
    value,
  )
}

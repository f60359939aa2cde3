/** What stands at a path of a value, as an issue of zod names it; undefined where nothing does. */
export function readAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value)
}

import type { Scenario, ScenarioInput } from './schema.ts'

/** The default values for a part of a scenario. */
export interface Shape {
  /** The value to use if this part is omitted. */
  default?: unknown
  /** The fields of an object, in order. */
  fields?: Readonly<Record<string, Shape>>
  /** The defaults for the items of a list. */
  items?: Shape
  /**
   * The defaults for each `type`, if the fields of an object depend on its type. Used instead of
   * `fields`.
   */
  types?: Readonly<Record<string, Shape>>
}

/**
 * Fills in the defaults of a valid scenario. Returns the same result as parsing with the schema,
 * but is faster.
 */
export function fillDefaults(scenario: ScenarioInput, shape: Shape): Scenario {
  return fill(scenario, shape) as Scenario
}

/** Removes the values that `fillDefaults` would fill in. */
export function removeDefaults(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value))
    return value.map((item: unknown) => removeDefaults(item, shape.items ?? {}))
  if (!isObject(value)) return value
  const fields = selectFieldShapes(value, shape) ?? {}
  const isDefault = (name: string, inner: unknown) =>
    JSON.stringify(inner) === JSON.stringify(fill(fields[name]?.default, fields[name] ?? {}))
  const kept = Object.entries(value).filter(([name, inner]) => !isDefault(name, inner))
  return Object.fromEntries(
    kept.map(([name, inner]) => [name, removeDefaults(inner, fields[name] ?? {})]),
  )
}

/**
 * Fills in defaults. Copies all objects and arrays, so that scenarios never share a default object.
 */
function fill(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => fill(item, shape.items ?? {}))
  if (!isObject(value)) return value
  const fields = selectFieldShapes(value, shape)
  if (fields === undefined) return { ...value }
  const filled: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const inner = value[name] === undefined ? field.default : value[name]
    if (inner !== undefined) filled[name] = fill(inner, field)
  }
  return filled
}

function selectFieldShapes(
  value: Record<string, unknown>,
  { fields, types }: Shape,
): Shape['fields'] {
  return types === undefined ? fields : types[String(value['type'])]?.fields
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

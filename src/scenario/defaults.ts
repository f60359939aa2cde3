import type { Scenario, ScenarioInput } from './schema.ts'

/** What a place of a scenario may hold, as far as something within it has a default. */
export interface Shape {
  /** What it is when it is left out. */
  default?: unknown
  /** Every field of an object, in order. */
  fields?: Readonly<Record<string, Shape>>
  /** Of the items of a list. */
  items?: Shape
  /** In place of `fields`, where an object's `type` says which it has. */
  types?: Readonly<Record<string, Shape>>
}

/** Fills in the defaults of a scenario that is known to be right: what its schema makes of it, without the time that checking takes. */
export function fillDefaults(scenario: ScenarioInput, shape: Shape): Scenario {
  return fill(scenario, shape) as Scenario
}

/** Leaves out of a value what `fillDefaults` fills in. */
export function dropDefaults(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => dropDefaults(item, shape.items ?? {}))
  if (!isObject(value)) return value
  const fields = fieldsOf(value, shape) ?? {}
  const kept = Object.entries(value).filter(
    ([name, own]) => JSON.stringify(own) !== JSON.stringify(fill(fields[name]?.default, fields[name] ?? {})),
  )
  return Object.fromEntries(kept.map(([name, own]) => [name, dropDefaults(own, fields[name] ?? {})]))
}

/** Copies what it can reach, so that no two scenarios share a default. */
function fill(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => fill(item, shape.items ?? {}))
  if (!isObject(value)) return value
  const fields = fieldsOf(value, shape)
  if (fields === undefined) return { ...value }
  const filled: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const own = value[name] === undefined ? field.default : value[name]
    if (own !== undefined) filled[name] = fill(own, field)
  }
  return filled
}

function fieldsOf(value: Record<string, unknown>, { fields, types }: Shape): Shape['fields'] {
  return types === undefined ? fields : types[String(value['type'])]?.fields
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

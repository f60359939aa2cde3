import { z } from 'zod'

/** A JSON object in a response. */
export type JsonObject = Record<string, unknown>

/** The parts of a JSON Schema that variations use. */
export interface Shape {
  type?: string | readonly string[]
  format?: string
  enum?: readonly unknown[]
  const?: unknown
  properties?: Readonly<Record<string, Shape>>
  required?: readonly string[]
  additionalProperties?: Shape | boolean
  items?: Shape
  anyOf?: readonly Shape[]
  allOf?: readonly Shape[]
}

/** Returns the JSON Schema for the output of a zod schema. */
export function toOutputShape(schema: z.ZodType): Shape {
  return z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', reused: 'inline' }) as Shape
}

/**
 * Calls `visit` with each object in a value and the object's shape. Inner objects come first. The
 * shape of a map has no properties.
 */
export function visitObjects(
  shape: Shape | undefined,
  value: unknown,
  visit: (object: JsonObject, shape: Shape) => void,
): void {
  if (typeof value !== 'object' || value === null || shape === undefined) return
  const fitting = findMatchingMember(shape, value)
  if (fitting === undefined) return
  if (Array.isArray(value)) {
    for (const item of value) visitObjects(fitting.items, item, visit)
    return
  }
  const rest =
    typeof fitting.additionalProperties === 'object' ? fitting.additionalProperties : undefined
  for (const [name, inner] of Object.entries(value))
    visitObjects(fitting.properties?.[name] ?? rest, inner, visit)
  visit(value as JsonObject, fitting)
}

/** True if the shape allows null. */
export function isNullable({ type, anyOf }: Shape): boolean {
  return (
    (Array.isArray(type) ? type.includes('null') : type === 'null') ||
    anyOf?.some(isNullable) === true
  )
}

/** Returns the format of a string or nullable string, such as `date-time`. */
export function getFormat({ format, anyOf }: Shape): string | undefined {
  return format ?? anyOf?.map(getFormat).find((found) => found !== undefined)
}

/**
 * Returns the union member that matches a value. For objects, it is the first member whose required
 * fields are all present.
 */
function findMatchingMember(shape: Shape, value: object): Shape | undefined {
  const { anyOf, items, properties, additionalProperties, required = [] } = shape
  if (anyOf !== undefined)
    return anyOf.map((one) => findMatchingMember(one, value)).find((one) => one !== undefined)
  if (Array.isArray(value)) return items === undefined ? undefined : shape
  if (properties === undefined && typeof additionalProperties !== 'object') return undefined
  return required.every((name) => name in value) ? shape : undefined
}

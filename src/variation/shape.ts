import { z } from 'zod'

/** A JSON object of an answer. */
export type JsonObject = Record<string, unknown>

/** What the schema of a route says of a value of its answers, as far as variations ask. */
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

/** The shape of what a schema describes. */
export function shapeOf(schema: z.ZodType): Shape {
  return z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', reused: 'inline' }) as Shape
}

/**
 * Calls `visit` with each object of a value, those inside it first, and with its shape. A map has a
 * shape without properties.
 */
export function eachObject(
  shape: Shape | undefined,
  value: unknown,
  visit: (object: JsonObject, shape: Shape) => void,
): void {
  if (typeof value !== 'object' || value === null || shape === undefined) return
  const fitting = fittingOf(shape, value)
  if (fitting === undefined) return
  if (Array.isArray(value)) {
    for (const item of value) eachObject(fitting.items, item, visit)
    return
  }
  const rest =
    typeof fitting.additionalProperties === 'object' ? fitting.additionalProperties : undefined
  for (const [name, inner] of Object.entries(value))
    eachObject(fitting.properties?.[name] ?? rest, inner, visit)
  visit(value as JsonObject, fitting)
}

/** Whether a field may be null. */
export function isNullable({ type, anyOf }: Shape): boolean {
  return (
    (Array.isArray(type) ? type.includes('null') : type === 'null') ||
    anyOf?.some(isNullable) === true
  )
}

/** The form of a text, such as `date-time`, also of one that may be null. */
export function formatOf({ format, anyOf }: Shape): string | undefined {
  return format ?? anyOf?.map(formatOf).find((found) => found !== undefined)
}

/**
 * The member of a choice that an object or a list fits: of objects, the first with all that it
 * requires.
 */
function fittingOf(shape: Shape, value: object): Shape | undefined {
  const { anyOf, items, properties, additionalProperties, required = [] } = shape
  if (anyOf !== undefined)
    return anyOf.map((one) => fittingOf(one, value)).find((one) => one !== undefined)
  if (Array.isArray(value)) return items === undefined ? undefined : shape
  if (properties === undefined && typeof additionalProperties !== 'object') return undefined
  return required.every((name) => name in value) ? shape : undefined
}

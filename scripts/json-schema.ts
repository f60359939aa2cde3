/** The parts of JSON Schema that the generated pages use. */
export interface Shape {
  $ref?: string
  $defs?: Readonly<Record<string, Shape>>
  type?: string | readonly string[]
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Shape[]
  oneOf?: readonly Shape[]
  items?: Shape
  properties?: Readonly<Record<string, Shape>>
  additionalProperties?: unknown
  required?: readonly string[]
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
}

/** A row that describes an object field in a table of a page. */
export interface FieldLine {
  name: string
  isRequired: boolean
  /** Type, limits, description and default of the field. */
  text: string
}

/** Describes the fields of an object, in order. */
export function listFields({ properties = {}, required = [] }: Shape): FieldLine[] {
  return Object.entries(properties).map(([name, shape]) => {
    const standard =
      shape.default === undefined || shape.default === '' || typeof shape.default === 'object'
        ? ''
        : `Default: \`${String(shape.default)}\`.`
    return {
      name,
      isRequired: required.includes(name),
      text: [`${describeType(shape)}.`, shape.description, standard]
        .filter((part) => part !== undefined && part !== '')
        .join(' '),
    }
  })
}

/** Describes the type of a value, with the allowed values and limits. */
export function describeType({
  type,
  enum: choices,
  const: only,
  anyOf,
  oneOf,
  items,
  minimum,
  maximum,
}: Shape): string {
  if (choices !== undefined) return choices.map((choice) => `\`${String(choice)}\``).join(', ')
  if (only !== undefined) return `\`${String(only)}\``
  const parts = anyOf ?? oneOf
  if (parts !== undefined) return [...new Set(parts.map(describeType))].join(' or ')
  if (type === 'array') return items === undefined ? 'array' : `array of ${describeType(items)}`
  if (Array.isArray(type)) return type.join(' or ')
  return `${String(type ?? 'any value')}${describeBounds(minimum, maximum)}`
}

/** Describes the limits of a value. Omits the limits of safe integers. */
function describeBounds(minimum: number | undefined, maximum: number | undefined): string {
  const [low, high] = [minimum, maximum].map((bound) =>
    bound === undefined || Math.abs(bound) >= 2 ** 53 - 1 ? undefined : bound.toLocaleString('en'),
  )
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`
  return low !== undefined ? ` from ${low}` : high !== undefined ? ` up to ${high}` : ''
}

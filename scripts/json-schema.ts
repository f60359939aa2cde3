/** The parts of JSON Schema that the generated pages use. */
export interface Shape {
  $ref?: string
  $defs?: Readonly<Record<string, Shape>>
  type?: string | readonly string[]
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Shape[]
  oneOf?: readonly Shape[]
  allOf?: readonly Shape[]
  items?: Shape
  properties?: Readonly<Record<string, Shape>>
  additionalProperties?: unknown
  required?: readonly string[]
  description?: string
  pattern?: string
  examples?: readonly unknown[]
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** A row that describes an object field in a table of a page. */
export interface FieldLine {
  name: string
  isRequired: boolean
  /** Type, limits, description and default of the field. */
  text: string
}

/** Maximum number of fields of a nested object to list in its type. */
const maxNestedFields = 4

/** Describes the fields of an object, in order. See `describeType` for `isDetailed`. */
export function listFields(
  { properties = {}, required = [] }: Shape,
  isDetailed = false,
): FieldLine[] {
  return Object.entries(properties).map(([name, shape]) => {
    const standard =
      shape.default === undefined || shape.default === '' || typeof shape.default === 'object'
        ? ''
        : `Default: \`${String(shape.default)}\`.`
    return {
      name,
      isRequired: required.includes(name),
      text: [
        `${describeType(shape, isDetailed)}.`,
        shape.description,
        isDetailed && shape.pattern !== undefined ? describeExample(shape) : '',
        standard,
      ]
        .filter((part) => part !== undefined && part !== '')
        .join(' '),
    }
  })
}

/** Returns an example of a string whose form is not obvious from its type. */
function describeExample({ examples: [example] = [] }: Shape): string {
  return typeof example === 'string' ? `For example: \`${example}\`.` : ''
}

/** Formats a field as one line of Markdown. Required fields are bold. */
export function formatFieldLine(field: FieldLine): string {
  return `${formatFieldName(field)}: ${field.text}`
}

/** Formats the name of a field. Required fields are bold. */
export function formatFieldName({ name, isRequired }: FieldLine): string {
  return isRequired ? `**\`${name}\`**` : `\`${name}\``
}

/**
 * Describes the type of a value, with the allowed values and limits. If `isDetailed` is set, also
 * describes the lengths of strings and arrays, and the fields of small objects.
 */
export function describeType(
  { type, enum: choices, const: only, anyOf, oneOf, items, properties, ...bounds }: Shape,
  isDetailed = false,
): string {
  if (choices !== undefined) return choices.map((choice) => `\`${String(choice)}\``).join(', ')
  if (only !== undefined) return `\`${String(only)}\``
  const parts = anyOf ?? oneOf
  if (parts !== undefined)
    return [...new Set(parts.map((part) => describeType(part, isDetailed)))].join(' or ')
  if (type === 'array') {
    const name =
      items === undefined
        ? 'array'
        : `array of ${describeType(items, isDetailed && items.type === 'object')}`
    return isDetailed ? name + describeSize(bounds.minItems, bounds.maxItems, 'items') : name
  }
  if (Array.isArray(type)) return type.join(' or ')
  if (isDetailed && type === 'string')
    return `string${describeSize(bounds.minLength, bounds.maxLength, 'characters')}`
  const names = Object.keys(properties ?? {}).map((name) => `\`${name}\``)
  if (isDetailed && names.length > 0 && names.length <= maxNestedFields)
    return `object with ${names.join(', ')}`
  return `${String(type ?? 'any value')}${describeBounds(bounds.minimum, bounds.maximum)}`
}

/** Describes the allowed length of a string or an array. Omits the minimum 0. */
function describeSize(min = 0, max = Infinity, unit = ''): string {
  if (max === Infinity) return min === 0 ? '' : ` (at least ${min} ${unit})`
  const most = max.toLocaleString('en')
  return min === 0 ? ` (up to ${most} ${unit})` : ` (${min} to ${most} ${unit})`
}

/** Describes the limits of a value. Omits the limits of safe integers. */
function describeBounds(minimum: number | undefined, maximum: number | undefined): string {
  const [low, high] = [minimum, maximum].map((bound) =>
    bound === undefined || Math.abs(bound) >= 2 ** 53 - 1 ? undefined : bound.toLocaleString('en'),
  )
  if (low !== undefined && high !== undefined) return ` from ${low} to ${high}`
  return low !== undefined ? ` from ${low}` : high !== undefined ? ` up to ${high}` : ''
}

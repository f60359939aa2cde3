/** The parts of a field's JSON Schema that forms use. */
export interface FieldSchema {
  type?: string | readonly string[]
  enum?: readonly string[]
  anyOf?: readonly FieldSchema[]
  const?: unknown
  items?: FieldSchema
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
}

/** JSON Schema of an object with form fields. */
export interface FormSchema {
  properties?: Readonly<Record<string, FieldSchema>>
  required?: readonly string[]
}

/** Kind of input control for a field. */
export type FieldKind =
  | 'account'
  | 'organisation'
  | 'route'
  | 'choice'
  | 'flag'
  | 'number'
  | 'list'
  | 'long'
  | 'json'
  | 'text'

const longTextLength = 1_000
const kindsByName: Readonly<Record<string, FieldKind>> = {
  account_id: 'account',
  organisation: 'organisation',
  route: 'route',
}

/** Selects the input control for a field by its name and schema. */
export function getControlKind(name: string, schema: FieldSchema): FieldKind {
  const kind = kindsByName[name]
  if (kind !== undefined) return kind
  if (schema.enum !== undefined) return 'choice'
  const type = listTypes(schema)
  // A field without a type accepts any JSON.
  if (
    type.length === 0 ||
    type.includes('object') ||
    listTypes(schema.items ?? {}).includes('object')
  )
    return 'json'
  if (type.includes('boolean')) return type.length === 1 ? 'flag' : 'json'
  if (type.includes('array')) return 'list'
  if (type.includes('string')) return (schema.maxLength ?? 0) >= longTextLength ? 'long' : 'text'
  return type.includes('integer') || type.includes('number') ? 'number' : 'text'
}

/** True if a form refers to a single account, with its id or username in a field. */
export function hasAccountField({ properties = {} }: FormSchema): boolean {
  return (
    properties['account_id'] !== undefined && listTypes(properties['account_id']).includes('string')
  )
}

/** True if the field can be null. */
export function isNullableField(schema: FieldSchema): boolean {
  return listTypes(schema).includes('null')
}

/**
 * Converts form strings to the values that the schema describes. An empty field is omitted, or set
 * to null if it is required.
 */
export function parseFormValues(
  { properties = {}, required = [] }: FormSchema,
  texts: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const values = Object.entries(properties).map(([name, schema]) => {
    const text = texts[name]?.trim() ?? ''
    if (text === '')
      return [name, isNullableField(schema) && required.includes(name) ? null : undefined]
    return [name, toValue(getControlKind(name, schema), schema, text)]
  })
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

/** Parses JSON. Other text is treated as a string, so `midway` needs no quotes. */
function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function toValue(kind: FieldKind, schema: FieldSchema, text: string): unknown {
  if (kind === 'number' || kind === 'account' || kind === 'organisation')
    return Number.isNaN(Number(text)) ? text : Number(text)
  if (kind === 'flag') return text === 'true'
  if (kind === 'json') return toJson(text)
  if (kind !== 'list') return text
  const isNumeric = listTypes(schema.items ?? {}).some(
    (type) => type === 'integer' || type === 'number',
  )
  return text.split(/[\s,]+/).map((item) => (isNumeric ? Number(item) : item))
}

/**
 * Splits the schema's fields into the fields to show first, in the given order, and all other
 * fields.
 */
export function splitFields(
  { properties = {} }: FormSchema,
  first: readonly string[],
): { first: readonly [string, FieldSchema][]; more: readonly [string, FieldSchema][] } {
  return {
    first: first.flatMap((name): [string, FieldSchema][] => {
      const field = properties[name]
      return field === undefined ? [] : [[name, field]]
    }),
    more: Object.entries(properties).filter(([name]) => !first.includes(name)),
  }
}

function listTypes({ type, anyOf = [] }: FieldSchema): readonly string[] {
  return [...[type ?? []].flat(), ...anyOf.flatMap(listTypes)]
}

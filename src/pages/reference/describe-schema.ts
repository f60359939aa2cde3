import type { Catalogue } from './catalogue.ts'
import type { JsonSchema, SourceLevel } from './types.ts'

/** A field of an object. */
export interface Field {
  name: string
  schema: JsonSchema
  isRequired: boolean
}

/** A group of fields: the fields of an object, of list items, or of one variant. */
export interface FieldGroup {
  /** Name of the variant, if there is more than one. */
  label: string | undefined
  /** Source level of the fields that do not declare a level. */
  source: SourceLevel | undefined
  fields: readonly Field[]
}

/** Describes the type of a schema, such as `list of FeedPost` or `string or null`. */
export function describeType(schema: JsonSchema): string {
  const { $ref, type, items, anyOf, oneOf, allOf, additionalProperties, enum: options } = schema
  if ($ref !== undefined) return getName($ref)
  if (allOf !== undefined)
    return [...new Set(allOf.map((part) => describeType(part)))].join(' and ')
  const forms = anyOf ?? oneOf
  if (forms !== undefined) return [...new Set(forms.map((form) => describeType(form)))].join(' or ')
  if (type === 'array')
    return `list of ${items === undefined ? 'any value' : describeType(items as JsonSchema)}`
  if (type === 'object' && typeof additionalProperties === 'object')
    return `map of ${describeType(additionalProperties)}`
  if (schema.format === 'binary') return 'file'
  if (schema.not !== undefined) return 'nothing'
  if (type !== undefined) return ([] as string[]).concat(type).join(' or ')
  const values = options ?? (schema.const === undefined ? [] : [schema.const])
  return values.length === 0
    ? 'anything'
    : [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))].join(' or ')
}

/** Describes other constraints of a schema, each in a few words. */
export function describeConstraints(schema: JsonSchema, resolve: Catalogue['resolve']): string[] {
  const { default: usual, examples } = resolve<JsonSchema>(schema)
  return [
    ...describeLimits(schema, resolve),
    ...(usual === undefined ? [] : [`default ${JSON.stringify(usual)}`]),
    ...(examples?.[0] === undefined ? [] : [`such as ${JSON.stringify(examples[0])}`]),
  ]
}

/** Describes the limits of a value. */
function describeLimits(schema: JsonSchema, resolve: Catalogue['resolve']): string[] {
  const resolved = resolve<JsonSchema>(schema)
  const { enum: options, const: only, format, pattern, uniqueItems, items, anyOf, oneOf } = resolved
  const forms = (anyOf ?? oneOf ?? [])
    .map((form) => describeLimits(form, resolve).join(', '))
    .filter((text) => text !== '')
  const inner =
    typeof items === 'object' && !Array.isArray(items)
      ? describeLimits(items as JsonSchema, resolve).join(', ')
      : ''
  return [
    ...(options === undefined
      ? []
      : [`one of ${options.map((value) => JSON.stringify(value)).join(', ')}`]),
    ...(only === undefined ? [] : [`always ${JSON.stringify(only)}`]),
    ...(forms.length === 0 ? toRange(resolved) : [[...new Set(forms)].join(' or ')]),
    ...(inner === '' ? [] : [`each ${inner}`]),
    ...(format === undefined || format === 'int64' || format === 'binary' ? [] : [format]),
    ...(pattern === undefined ? [] : [`matches ${pattern}`]),
    ...(uniqueItems === true ? ['each once'] : []),
  ]
}

/**
 * Returns the inner fields of a value, if any.
 * @param outer source level of the parent
 */
export function listFieldGroups(
  schema: JsonSchema,
  resolve: Catalogue['resolve'],
  outer?: SourceLevel,
): FieldGroup[] {
  const {
    properties,
    required = [],
    items,
    anyOf,
    oneOf,
    allOf,
    additionalProperties,
  } = resolve<JsonSchema>(schema)
  const source = getSourceLevel(schema, outer, resolve)
  if (allOf !== undefined) return allOf.flatMap((part) => listFieldGroups(part, resolve, source))
  const forms = anyOf ?? oneOf
  if (forms !== undefined) return labelForms(forms, resolve, source)
  if (typeof items === 'object' && !Array.isArray(items))
    return listFieldGroups(items as JsonSchema, resolve, source)
  const fields = Object.entries(properties ?? {}).map(([name, field]) => {
    return { name, schema: field as JsonSchema, isRequired: required.includes(name) }
  })
  if (typeof additionalProperties === 'object')
    fields.push({ name: '(any key)', schema: additionalProperties, isRequired: false })
  return fields.length === 0 ? [] : [{ label: undefined, source, fields }]
}

function labelForms(
  forms: readonly JsonSchema[],
  resolve: Catalogue['resolve'],
  outer: SourceLevel | undefined,
): FieldGroup[] {
  const groups = forms
    .map((form) => [form, listFieldGroups(form, resolve, outer)] as const)
    .filter(([, found]) => found.length > 0)
  if (groups.length < 2) return groups.flatMap(([, found]) => found)
  return groups.flatMap(([form, found], index) =>
    found.map((group) => ({
      ...group,
      label: group.label ?? (form.$ref === undefined ? `form ${index + 1}` : getName(form.$ref)),
    })),
  )
}

/**
 * Returns the source level of a value: its own, or else that of its component or parent.
 * @param outer source level of the parent
 */
export function getSourceLevel(
  schema: JsonSchema,
  outer: SourceLevel | undefined,
  resolve: Catalogue['resolve'],
): SourceLevel | undefined {
  return (resolve<JsonSchema>(schema)['x-source'] as SourceLevel | undefined) ?? outer
}

/** Limits that are not shown, because they apply to every number. */
const endless = [
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
]

function toRange(schema: JsonSchema): string[] {
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength, minItems, maxItems } = schema
  const letters = maxLength ?? (schema['x-max-characters'] as number | undefined)
  return [
    ...describeRange(minimum, maximum, ''),
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...describeRange(minLength, letters, ' characters'),
    ...describeRange(minItems, maxItems, ' items'),
  ]
}

function describeRange(min: number | undefined, max: number | undefined, unit: string): string[] {
  const from = min === undefined || endless.includes(min) ? undefined : min
  const to = max === undefined || endless.includes(max) ? undefined : max
  if (from !== undefined && to !== undefined) return [`${from} to ${to}${unit}`]
  if (from !== undefined) return [`at least ${from}${unit}`]
  return to === undefined ? [] : [`at most ${to}${unit}`]
}

function getName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

import { $ZodRegistry } from 'zod/v4/core'
import * as envelope from '../api/envelope.ts'
import * as fields from '../lib/fields.ts'
import { getOwnProperty } from '../lib/plain-json.ts'
import { z } from 'zod'
import { inBody } from './field-examples.ts'
import { allResources } from '../resources/all-resources.ts'

/** A JSON Schema in the OpenAPI 3.1 dialect. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** The place where a schema is used: a request's URL, a request's body, or a response. */
type SchemaLocation = 'address' | 'body' | 'answer'

type Override = (context: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }) => void

const definitions = '#/$defs/'
const componentSchemas = '#/components/schemas/'

/** Converts zod schemas to JSON Schema and collects named schemas as components. */
export class SchemaWriter {
  readonly #components = new Map<string, JsonSchema>()
  /** Caches converted schemas, because most of them are used by many operations. */
  readonly #written: Record<SchemaLocation, Map<z.ZodType, JsonSchema>> = {
    address: new Map(),
    body: new Map(),
    answer: new Map(),
  }

  /**
   * Converts a schema, replacing named parts by references.
   *
   * @throws {Error} if a part with the same name was converted differently before
   */
  write(schema: z.ZodType, place: SchemaLocation): JsonSchema {
    const earlier = this.#written[place].get(schema)
    if (earlier !== undefined) return earlier
    const written = this.#write(schema, place)
    this.#written[place].set(schema, written)
    return written
  }

  #write(schema: z.ZodType, place: SchemaLocation): JsonSchema {
    const io = place === 'answer' ? 'output' : 'input'
    const override: Override = (context) => cleanSchema(context, place)
    const {
      $schema: _dialect,
      $defs = {},
      ...rest
    } = finish(z.toJSONSchema(schema, { io, metadata, override }), place)
    for (const [name, definition] of Object.entries($defs)) this.#add(name, definition)
    return rest
  }

  /**
   * Adds a schema as a component and returns a reference to it. If the schema already has a name,
   * that name is used.
   */
  name(name: string, schema: JsonSchema): JsonSchema {
    if (schema.$ref !== undefined) return { $ref: schema.$ref }
    this.#add(name, schema)
    return { $ref: componentSchemas + name }
  }

  /** Returns the components collected so far, by name. */
  components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#components].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  #add(name: string, definition: JsonSchema): void {
    const earlier = this.#components.get(name)
    if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(definition)) {
      throw new Error(
        `Failed to create the OpenAPI document (${name}): the schema differs between requests ` +
          'and responses. Use two schemas.',
      )
    }
    this.#components.set(name, definition)
  }
}

/** Metadata of schemas, with their names from `schemaNames`. */
class NamedMetadata extends $ZodRegistry<Record<string, unknown>> {
  override get(schema: z.core.$ZodType): Record<string, unknown> | undefined {
    const name = schemaNames.get(schema)
    const carried = z.globalRegistry.get(schema)
    return name === undefined ? carried : { ...carried, id: name }
  }
}

const metadata = new NamedMetadata()

/**
 * Removes properties that only zod needs, and adds properties that zod omits. Objects allow unknown
 * fields, because the service adds fields without notice and clients must accept them.
 */
function cleanSchema(
  { zodSchema, jsonSchema }: Parameters<Override>[0],
  place: SchemaLocation,
): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
  if (jsonSchema.format === 'date') delete jsonSchema.pattern
  delete jsonSchema.propertyNames
  cleanFormat(jsonSchema, z.globalRegistry.get(zodSchema))
  cleanInteger(jsonSchema)
  addDefault(zodSchema, jsonSchema, place)
}

/**
 * Keeps only the overridden type if a schema overrides its type. Converts a list of types to
 * `anyOf`.
 */
function cleanFormat(jsonSchema: JsonSchema, given: Readonly<Record<string, unknown>> = {}): void {
  if (given['type'] !== undefined) delete jsonSchema.anyOf
  // Removes the maximum length, which limits the string in the request and not the parsed value.
  if (given['type'] !== undefined && given['type'] !== 'string') delete jsonSchema.maxLength
  if (given['anyOf'] !== undefined) delete jsonSchema.type
  // Adds examples that zod omits, because it parses the string to another type.
  if (given['examples'] !== undefined) jsonSchema.examples = given['examples'] as unknown[]
  // Unescapes slashes. JavaScript regular expression literals escape them, but JSON Schema patterns
  // do not.
  if (jsonSchema.pattern !== undefined)
    jsonSchema.pattern = jsonSchema.pattern.replaceAll('\\/', '/')
  const { type } = jsonSchema as { type?: unknown }
  if (!Array.isArray(type) || type.filter((one) => one !== 'null').length < 2) return
  delete jsonSchema.type
  jsonSchema.anyOf = type.map((one: 'string') => ({
    type: one,
    ...(one === ('integer' as string) ? { format: 'int64' } : {}),
  }))
}

/**
 * Sets the format int64 unless the maximum is below 2^31. Limits all integers to the safe range.
 */
function cleanInteger(jsonSchema: JsonSchema): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.type !== 'integer') return
  jsonSchema.maximum ??= Number.MAX_SAFE_INTEGER
  if (jsonSchema.maximum >= 2 ** 31) jsonSchema.format ??= 'int64'
}

/**
 * Adds defaults that zod omits because it parses a string to another type. In a body, adds the
 * default only to the description, because generators treat a field with a default as always
 * present and require it as input.
 */
function addDefault(
  { _zod }: z.core.$ZodTypes,
  jsonSchema: JsonSchema,
  place: SchemaLocation,
): void {
  if (_zod.def.type !== 'default') return
  delete jsonSchema.default
  if (place !== 'body') jsonSchema.default = _zod.def.defaultValue
  else
    jsonSchema.description = [
      jsonSchema.description,
      `Default: \`${JSON.stringify(_zod.def.defaultValue)}\`.`,
    ]
      .filter(Boolean)
      .join(' ')
}

/**
 * Rewrites references to point to `components/schemas`, which contains the named parts. Also adds
 * example strings.
 */
function finish(schema: JsonSchema, place: SchemaLocation): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string')
      return value.replace(definitions, componentSchemas)
    if (key === 'properties' && place !== 'address')
      return showTextFields(value as Record<string, JsonSchema>)
    // Skips the outermost schema, which contains the definitions.
    return key !== '' && isOverlaid(value) ? wrapReferenceInAllOf(value) : value
  })
}

/** True if an object has a reference and keywords other than a description. */
function isOverlaid(value: unknown): value is JsonSchema {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return false
  return Object.keys(value).some((key) => key !== '$ref' && key !== 'description')
}

function showTextFields(fields: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      addExample(field, getOwnProperty(inBody, name)),
    ]),
  )
}

/**
 * Moves a reference with other keywords into `allOf`, because generators would ignore either the
 * reference or the keywords.
 */
export function wrapReferenceInAllOf({ $ref, ...siblings }: JsonSchema): JsonSchema {
  if ($ref === undefined) return siblings
  return Object.keys(siblings).length === 0 ? { $ref } : { allOf: [{ $ref }], ...siblings }
}

/** Adds an example to a string schema that has neither an example nor an enum. */
export function addExample(schema: JsonSchema, example: unknown): JsonSchema {
  const { items } = schema
  if (typeof items === 'object' && !Array.isArray(items))
    return { ...schema, items: addExample(items as JsonSchema, example) }
  return example !== undefined && isFormatlessString(schema)
    ? { ...schema, examples: [example] }
    : schema
}

function isFormatlessString(schema: JsonSchema): boolean {
  const { type, anyOf, additionalProperties, enum: options, const: only, format, examples } = schema
  if (examples !== undefined || options !== undefined || only !== undefined || format !== undefined)
    return false
  if (anyOf !== undefined)
    return anyOf.some(
      (option) => typeof option === 'object' && isFormatlessString(option as JsonSchema),
    )
  if (typeof additionalProperties === 'object')
    return isFormatlessString(additionalProperties as JsonSchema)
  return ([] as unknown[]).concat(type).includes('string')
}

const modules = [envelope, fields, ...allResources.flatMap(({ schemas }) => schemas ?? [])]

/**
 * Names of the schemas under `components/schemas`: the names of all PascalCase exports of the
 * `schemas` modules. zod's `.meta({ id })` is not used, because its registry is global and also
 * contains the user's schemas.
 */
export const schemaNames: ReadonlyMap<unknown, string> = new Map(
  modules.flatMap((module) => Object.entries(module).flatMap(toNamed)),
)

function toNamed([name, value]: [string, unknown]): [unknown, string][] {
  return /^[A-Z]/.test(name) && value instanceof z.ZodType ? [[value, name]] : []
}

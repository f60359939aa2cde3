import { z } from 'zod'
import { $ZodRegistry } from 'zod/v4/core'
import { schemaNames } from './names.ts'

/** A JSON Schema in the dialect of OpenAPI 3.1. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

const definitions = '#/$defs/'
const componentSchemas = '#/components/schemas/'

/** Converts zod schemas to JSON Schema and collects the named ones as components. */
export class SchemaWriter {
  readonly #components = new Map<string, JsonSchema>()

  /**
   * Converts a schema in the form that a client sends (`input`) or receives (`output`). Named parts become references.
   * @throws {Error} when a named part differs from its earlier form.
   */
  write(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema: _dialect, $defs = {}, ...rest } = relocate(z.toJSONSchema(schema, { io, metadata, override: tidy }))
    for (const [name, definition] of Object.entries($defs)) this.#add(name, definition)
    return rest
  }

  /** The components so far, by name. */
  components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#components].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  #add(name: string, definition: JsonSchema): void {
    const earlier = this.#components.get(name)
    if (earlier !== undefined && JSON.stringify(earlier) !== JSON.stringify(definition)) {
      throw new Error(`Failed to write the OpenAPI document (${name}): it reads otherwise in requests than in answers. Use two schemas.`)
    }
    this.#components.set(name, definition)
  }
}

/** The metadata of schemas, together with their names from `schemaNames`. */
class NamedMetadata extends $ZodRegistry<Record<string, unknown>> {
  override get(schema: z.core.$ZodType): Record<string, unknown> | undefined {
    const name = schemaNames.get(schema)
    const carried = z.globalRegistry.get(schema)
    return name === undefined ? carried : { ...carried, id: name }
  }
}

const metadata = new NamedMetadata()

/** Drops what only zod needs. Objects stay open, because the service adds fields without notice and clients must accept them. */
function tidy({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  delete jsonSchema.propertyNames
  // Zod leaves a default out where it converts the sent text to another type. The document shows that type, so the default fits.
  if (zodSchema._zod.def.type === 'default') jsonSchema.default = zodSchema._zod.def.defaultValue
}

/** Points the references of a schema to `components/schemas`, where the document keeps named parts. */
function relocate(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace(definitions, componentSchemas) : value,
  )
}

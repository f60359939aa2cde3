import { z } from 'zod'

type Schema = z.core.$ZodType

/** Names and types to use instead of the names and types from the schemas. */
export interface Known {
  /** Schemas that have a name. The writer uses the name instead of the fields. */
  names: ReadonlyMap<Schema, string>
  /** Types to use in place of the schema's, by type and field, such as `FaultInput.route`. */
  replaced: Readonly<Record<string, string>>
}

/** Formats the fields of an object type in TypeScript, each with its description. */
export function writeFields(schema: Schema, path: string, known: Known, indent = '  '): string {
  return Object.entries(unwrapObject(schema).def.shape)
    .map(([name, field]) => {
      const isOptional = field._zod.optin !== undefined
      const key = /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)
      const type =
        known.replaced[`${path}.${name}`] ?? writeType(field, `${path}.${name}`, known, indent)
      return `${toComment(field, indent)}${indent}${key}${isOptional ? '?' : ''}: ${type}${isOptional ? ' | undefined' : ''}\n`
    })
    .join('')
}

/**
 * Formats the input type of a schema.
 *
 * @throws if the kind of schema is unknown
 */
export function writeType(schema: Schema, path: string, known: Known, indent = ''): string {
  const name = known.names.get(schema)
  if (name !== undefined) return name
  const { def } = (schema as z.core.$ZodTypes)._zod
  const inner = (next: Schema) => writeType(next, path, known, indent)
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'unknown':
      return def.type
    case 'null':
    case 'undefined':
      return def.type
    case 'date':
      return 'Date'
    case 'literal':
      return def.values.map((value) => JSON.stringify(value)).join(' | ')
    case 'enum':
      return Object.values(def.entries)
        .map((value) => JSON.stringify(value))
        .join(' | ')
    case 'union':
      return [...new Set(def.options.map(inner))].join(' | ')
    case 'nullable':
      return `${inner(def.innerType)} | null`
    case 'optional':
    case 'default':
    case 'prefault':
    case 'readonly':
      return inner(def.innerType)
    case 'lazy':
      return inner(def.getter())
    case 'pipe':
      return inner(def.in)
    case 'array':
      return `readonly ${/[ {]/.test(inner(def.element)) ? `(${inner(def.element)})` : inner(def.element)}[]`
    case 'record':
      return `Readonly<Record<${inner(def.keyType)}, ${inner(def.valueType)}>>`
    case 'object':
      return `{\n${writeFields(schema, path, known, `${indent}  `)}${indent}}`
    default:
      throw new Error(
        `Failed to write the type of ${path}: it is ${def.type}. Give it a type in scripts/generate-inputs.ts.`,
      )
  }
}

/** Returns the object schema that a schema wraps. */
function unwrapObject(schema: Schema): z.ZodObject {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'object') return schema as z.ZodObject
  if (def.type === 'lazy') return unwrapObject(def.getter())
  if (def.type === 'pipe') return unwrapObject(def.in)
  if ('innerType' in def) return unwrapObject(def.innerType)
  throw new Error(`Failed to write the fields of a schema: it is ${def.type}, not an object.`)
}

/**
 * Returns the docstring of a field: its description, and its default if the description does not
 * mention it.
 */
function toComment(schema: Schema, indent: string): string {
  const description = describe(schema)
  const standard = getDefault(schema)
  const isTold =
    standard === undefined ||
    typeof standard === 'object' ||
    standard === '' ||
    /default/i.test(description ?? '')
  const parts = [
    description,
    isTold
      ? undefined
      : `@default ${typeof standard === 'string' ? `'${standard}'` : String(standard)}`,
  ]
  const text = parts.filter((part) => part !== undefined).join(' ')
  return text === '' ? '' : `${indent}/** ${text} */\n`
}

function describe(schema: Schema): string | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod
  return (
    z.globalRegistry.get(schema)?.description ??
    ('innerType' in def ? describe(def.innerType) : undefined)
  )
}

function getDefault(schema: Schema): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'default' || def.type === 'prefault') return def.defaultValue
  if (def.type === 'pipe') return getDefault(def.in)
  return 'innerType' in def ? getDefault(def.innerType) : undefined
}

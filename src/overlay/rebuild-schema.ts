import { z } from 'zod'
import { getSchemaDefinition } from '../lib/schema-parts.ts'
import type { SchemaDefinition } from '../lib/schema-parts.ts'
import { findNearestWord } from '../lib/nearest-word.ts'
import { forms, OverlayMismatchError } from './format.ts'
import type { Change, ValueFormat, ValueType, ChangeTree } from './format.ts'

/** Functions that rebuild parts of a schema. */
export interface SchemaRebuilders {
  /** Rebuilds an object schema if its fields changed. */
  object: (
    schema: z.ZodType,
    shape: Readonly<Record<string, z.ZodType>>,
    tree: ChangeTree,
  ) => z.ZodType
  /** Rebuilds the schema of list or map entries. */
  entry: (schema: z.ZodType, tree: ChangeTree) => z.ZodType
}

/**
 * Rebuilds a schema with the changes inside it.
 *
 * @throws {OverlayMismatchError} if the schema has no such path
 */
export function rebuildSchema(
  schema: z.ZodType,
  tree: ChangeTree,
  rebuilding: SchemaRebuilders,
): z.ZodType {
  const definition = getSchemaDefinition(schema)
  const { type, getter, innerType, element, valueType, shape, options } = definition
  const { in: input, out: output } = definition
  if (getter !== undefined) return copyMetadata(schema, rebuildSchema(getter(), tree, rebuilding))
  if (innerType !== undefined)
    return copySchema(schema, { innerType: rebuildSchema(innerType, tree, rebuilding) })
  if (type === 'pipe' && input !== undefined && output !== undefined) {
    const part =
      getSchemaDefinition(input).type === 'transform'
        ? { out: rebuildSchema(output, tree, rebuilding) }
        : { in: rebuildSchema(input, tree, rebuilding) }
    return copySchema(schema, part)
  }
  if (type === 'union' && options !== undefined)
    return copyMetadata(
      schema,
      z.union(rebuildFitting(options, tree, rebuilding) as [z.ZodType, z.ZodType]),
    )
  if (type === 'object' && shape !== undefined) return rebuilding.object(schema, shape, tree)
  if (type === 'array' && element !== undefined)
    return copySchema(schema, {
      element: rebuilding.entry(element, selectSubtree(tree, '[*]', 'a list')),
    })
  if (type === 'record' && valueType !== undefined)
    return copySchema(schema, {
      valueType: rebuilding.entry(valueType, selectSubtree(tree, '*', 'a map')),
    })
  const [name, below] = [...tree.inside][0] ?? ['', tree]
  throw new OverlayMismatchError(
    [toJsonPath(below)],
    `${tree.path} has no ${name}, because it is not an object, list or map`,
  )
}

/**
 * Rebuilds the union members that have the path of a change, and leaves the others unchanged.
 * @throws {OverlayMismatchError} if no member has the path
 */
function rebuildFitting(
  options: readonly z.ZodType[],
  tree: ChangeTree,
  rebuilding: SchemaRebuilders,
): z.ZodType[] {
  let misfit: OverlayMismatchError | undefined
  let fitting = 0
  const rebuilt = options.map((option) => {
    try {
      const made = rebuildSchema(option, tree, rebuilding)
      fitting += 1
      return made
    } catch (error) {
      if (!(error instanceof OverlayMismatchError)) throw error
      misfit ??= error
      return option
    }
  })
  if (fitting === 0 && misfit !== undefined) throw misfit
  return rebuilt
}

function selectSubtree(tree: ChangeTree, step: '[*]' | '*', kind: string): ChangeTree {
  const found = tree.inside.get(step)
  const other = [...tree.inside].find(([name]) => name !== step)
  if (found !== undefined && other === undefined) return found
  throw new OverlayMismatchError(
    [toJsonPath(other?.[1] ?? tree)],
    `the route has ${kind} at ${tree.path}: write ${tree.path}${step === '*' ? '.*' : step}`,
  )
}

/**
 * Checks that an object has all changed fields.
 *
 * @throws {OverlayMismatchError} that lists the object's fields
 */
export function requireChangedFields(
  shape: Readonly<Record<string, z.ZodType>>,
  tree: ChangeTree,
): void {
  const names = Object.keys(shape)
  for (const [name, below] of tree.inside) {
    const isAdded = below.change?.add !== undefined
    if (isAdded && Object.hasOwn(shape, name))
      throw new OverlayMismatchError([toJsonPath(below)], `the route already has ${name}`)
    if (isAdded || Object.hasOwn(shape, name)) continue
    const near = findNearestWord(names, name)
    const known = names.length === 0 ? 'no field' : names.slice(0, 40).join(', ')
    throw new OverlayMismatchError(
      [toJsonPath(below)],
      `the route has no ${name} here${near === undefined ? '' : `; did you mean ${near}`}. It ` +
        `has ${known}`,
    )
  }
}

/**
 * Renames an object's fields to the service's names.
 *
 * @throws {OverlayMismatchError} if two fields would have the same name
 */
export function renameFields<Value>(
  fields: readonly (readonly [name: string, value: Value, tree: ChangeTree | undefined])[],
): Record<string, Value> {
  const renamed = new Map<string, { value: Value; tree: ChangeTree | undefined }>()
  for (const [name, value, tree] of fields) {
    const sent = tree?.change?.rename ?? name
    const other = renamed.get(sent)
    const culprit = [tree, other?.tree].find((each) => each?.change !== undefined)
    if (other !== undefined)
      throw new OverlayMismatchError(
        culprit === undefined ? [] : [toJsonPath(culprit)],
        `two fields would have the name ${sent}`,
      )
    renamed.set(sent, { value, tree })
  }
  return Object.fromEntries([...renamed].map(([sent, { value }]) => [sent, value]))
}

/** Returns the JSON path of a change, as written in the overlay. */
export function toJsonPath(tree: ChangeTree): string {
  if (tree.change !== undefined) return tree.path
  for (const below of tree.inside.values()) return toJsonPath(below)
  return tree.path
}

/** Copies a schema with changed parts, preserving descriptions. */
export function copySchema(
  schema: z.ZodType,
  parts: Partial<SchemaDefinition> & { checks?: readonly unknown[] },
): z.ZodType {
  return schema.clone({ ...schema.def, ...parts } as never, { parent: true })
}

/** Removes a schema's outer wrappers of the given types. */
export function removeWrappers(schema: z.ZodType, types: readonly string[]): z.ZodType {
  const { type, innerType, getter } = getSchemaDefinition(schema)
  if (getter !== undefined) return removeWrappers(getter(), types)
  return innerType !== undefined && types.includes(type) ? removeWrappers(innerType, types) : schema
}

export function copyMetadata(from: z.ZodType, to: z.ZodType): z.ZodType {
  const { id: _, ...meta } = z.globalRegistry.get(from) ?? {}
  return Object.keys(meta).length === 0 ? to : to.meta(meta)
}

export function createTypeSchema(type: ValueType): z.ZodType {
  const make: Record<ValueType, () => z.ZodType> = {
    string: () => z.string(),
    integer: () => z.int(),
    number: () => z.number(),
    boolean: () => z.boolean(),
    array: () => z.array(z.unknown()),
    object: () => z.looseObject({}),
    null: () => z.null(),
  }
  return make[type]()
}

const patterns: Partial<Record<ValueFormat, RegExp>> = {
  iso: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/,
  'iso-ms': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{1,9}Z$/,
  'iso-offset': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/,
  'date-time': /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  'epoch-text': /^\d{9,13}$/,
  'dollars-text': /^-?\d+\.\d{2}$/,
}

/** Returns a schema for a time or an amount in the given format. */
export function createFormatSchema(form: ValueFormat): z.ZodType {
  const pattern = patterns[form]
  const schema =
    pattern === undefined
      ? form === 'dollars'
        ? z.number()
        : z.int()
      : z.string().regex(pattern, { error: `it must look like ${forms[form]}` })
  return schema.meta({
    examples: [forms[form]],
    ...(form.startsWith('iso') ? { format: 'date-time' } : {}),
  })
}

/** Returns a schema for enumeration values. */
export function createEnumSchema(choices: NonNullable<Change['enum']>): z.ZodType {
  if (choices.every((choice) => typeof choice === 'string')) return z.enum(choices as [string])
  return z.literal(choices as (string | number | boolean | null)[])
}

import { getOwnProperty } from '../lib/plain-json.ts'
import { z } from 'zod'
import type { Change, ChangeTree } from './format.ts'
import { getSchemaDefinition } from '../lib/schema-parts.ts'
import {
  toJsonPath,
  rebuildSchema,
  copySchema,
  renameFields,
  requireChangedFields,
  createEnumSchema,
  createFormatSchema,
  createTypeSchema,
  removeWrappers,
} from './rebuild-schema.ts'
import { listAddedFields, OverlayMismatchError } from './format.ts'

/**
 * Returns the service's schema for a value, given its schema in the sandbox.
 *
 * @throws {OverlayMismatchError}
 */
export function createResponseSchema(schema: z.ZodType, tree: ChangeTree): z.ZodType {
  rejectBounds(tree)
  const { change } = tree
  if (change?.type !== undefined && tree.inside.size > 0) {
    const {
      optional = schema.safeParse(undefined).success,
      nullable = schema.safeParse(null).success,
    } = change
    return applyChange(createAddedFieldSchema({ ...tree, change: { add: change.type } }), tree, {
      ...change,
      type: undefined,
      optional,
      nullable,
    })
  }
  const inside =
    tree.inside.size === 0 || change?.unwrap !== undefined
      ? schema
      : rebuildSchema(schema, tree, { object: createObjectSchema, entry: createResponseSchema })
  return change === undefined ? inside : applyChange(inside, tree, change)
}

function createObjectSchema(
  schema: z.ZodType,
  shape: Readonly<Record<string, z.ZodType>>,
  tree: ChangeTree,
): z.ZodType {
  requireChangedFields(shape, tree)
  const kept = Object.entries(shape).flatMap(([name, field]) => {
    const below = tree.inside.get(name)
    if (below?.change?.remove === true) return []
    return [
      [name, below === undefined ? field : createResponseSchema(field, below), below] as const,
    ]
  })
  const added = listAddedFields(tree).map(
    ([name, below]) => [name, createAddedFieldSchema(below), below] as const,
  )
  return copySchema(schema, { shape: renameFields([...kept, ...added]), checks: [] })
}

function applyChange(schema: z.ZodType, tree: ChangeTree, change: Change): z.ZodType {
  const isOptional = change.optional ?? schema.safeParse(undefined).success
  const isNullable = change.nullable ?? (schema.safeParse(null).success || change.value === null)
  const plain = removeWrappers(schema, ['optional', 'nullable'])
  const inner = change.unwrap === undefined ? plain : unwrapField(plain, tree, change.unwrap)
  const typed = changeType(inner, change)
  const wrapped =
    change.wrap === undefined
      ? typed
      : z.object({ [change.wrap]: isNullable ? typed.nullable() : typed })
  const nullable = isNullable && change.wrap === undefined ? wrapped.nullable() : wrapped
  return isOptional ? nullable.optional() : nullable
}

function unwrapField(schema: z.ZodType, tree: ChangeTree, name: string): z.ZodType {
  const { shape } = getSchemaDefinition(schema)
  const field = getOwnProperty(shape, name)
  if (field === undefined)
    throw new OverlayMismatchError(
      [tree.path],
      `the route has no ${name} to unwrap at this place. It has ` +
        `${Object.keys(shape ?? {}).join(', ') || 'no field'}`,
    )
  const below = tree.inside.get(name)
  const other = [...tree.inside].find(([key]) => key !== name)
  if (other !== undefined)
    throw new OverlayMismatchError(
      [toJsonPath(other[1])],
      `this place is unwrapped, so only ${name} can have changes`,
    )
  return below === undefined ? field : createResponseSchema(field, below)
}

function changeType(schema: z.ZodType, { type, format, enum: choices }: Change): z.ZodType {
  if (choices !== undefined) return createEnumSchema(choices)
  if (format !== undefined) return createFormatSchema(format)
  return type === undefined ? schema : createTypeSchema(type)
}

/** Returns the schema of a field that only the service has, including its inner fields. */
export function createAddedFieldSchema({ change, inside, path }: ChangeTree): z.ZodType {
  const other = [...inside.values()].find((below) => below.change?.add === undefined)
  if (other !== undefined)
    throw new OverlayMismatchError([toJsonPath(other)], `the parents of ${path} must also be added`)
  const plain = createAddedTypeSchema(change, inside)
  const nullable = change?.nullable === true || change?.value === null ? plain.nullable() : plain
  return change?.optional === true ? nullable.optional() : nullable
}

function createAddedTypeSchema(
  change: Change | undefined,
  inside: ChangeTree['inside'],
): z.ZodType {
  if (change?.enum !== undefined || change?.format !== undefined)
    return changeType(z.unknown(), change)
  const each = inside.get('[*]')
  if (change?.add === 'array' && each !== undefined) return z.array(createAddedFieldSchema(each))
  const value = inside.get('*')
  if (change?.add === 'object' && value !== undefined)
    return z.record(z.string(), createAddedFieldSchema(value))
  if (change?.add === 'object' && inside.size > 0)
    return z.object(
      Object.fromEntries([...inside].map(([name, below]) => [name, createAddedFieldSchema(below)])),
    )
  return createTypeSchema(change?.add ?? 'null')
}

function rejectBounds({ path, change }: ChangeTree): void {
  for (const bound of ['minimum', 'maximum', 'clamp', 'default'] as const)
    if (change?.[bound] !== undefined)
      throw new OverlayMismatchError(
        [path, bound],
        'it is allowed only in requests, not in responses',
      )
}

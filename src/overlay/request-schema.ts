import { getOwnProperty } from '../lib/plain-json.ts'
import { z } from 'zod'
import { createTextSchema, queryFlag, createQueryIntegerSchema } from '../lib/fields.ts'
import { getSchemaDefinition } from '../lib/schema-parts.ts'
import { getSandboxFormat, convertToFormat, convertToType } from './convert.ts'
import type { Change, ValueType, ChangeTree } from './format.ts'
import { createAddedFieldSchema } from './response-schema.ts'
import {
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

/** The part of a request that an overlay changes. */
export type RequestPart = 'query' | 'body'

/**
 * Returns a schema that validates input in the service's form and converts it to the route's form.
 * @throws {OverlayMismatchError}
 */
export function createRequestSchema(
  schema: z.ZodType,
  tree: ChangeTree,
  part: RequestPart,
): z.ZodType {
  const { change } = tree
  rejectGeneratedValue(tree)
  const inside =
    tree.inside.size === 0
      ? schema
      : rebuildSchema(schema, tree, {
          object: (...object) => createObjectSchema(...object, part),
          entry: (entry, below) => createRequestSchema(entry, below, part),
        })
  return change === undefined ? inside : applyChange(inside, { tree, change, part })
}

function createObjectSchema(
  schema: z.ZodType,
  shape: Readonly<Record<string, z.ZodType>>,
  tree: ChangeTree,
  part: RequestPart,
): z.ZodType {
  requireChangedFields(shape, tree)
  const kept = Object.entries(shape).filter(
    ([name]) => tree.inside.get(name)?.change?.remove !== true,
  )
  const fields = kept.map(([name, field]) => {
    const below = tree.inside.get(name)
    return [
      name,
      below === undefined ? field : createRequestSchema(field, below, part),
      below,
    ] as const
  })
  const added = listAddedFields(tree).map(
    ([name, below]) =>
      [
        name,
        part === 'query' ? createAddedParameter(below) : createAddedFieldSchema(below),
        below,
      ] as const,
  )
  const names = kept.map(([name]) => [name, tree.inside.get(name)?.change?.rename ?? name] as const)
  const removed = Object.entries(shape).flatMap(([name, field]) => {
    const below = tree.inside.get(name)
    return below?.change?.remove === true ? [[name, createStandInValue(field, below)] as const] : []
  })
  const { checks = [] } = schema.def as { checks?: z.core.$ZodCheck<unknown>[] }
  const taken = copySchema(schema, { shape: renameFields([...fields, ...added]), checks: [] })
  const known = taken.transform((sent) => {
    const values = names.map(
      ([name, sentName]) =>
        [name, getOwnProperty(sent as Record<string, unknown>, sentName)] as const,
    )
    return Object.fromEntries([...values, ...removed].filter(([, value]) => value !== undefined))
  })
  return checks.length === 0
    ? known
    : known.pipe(z.unknown().check(...checks) as z.ZodType<unknown, Record<string, unknown>>)
}

/**
 * Returns the value to use for a field that clients cannot send, because the service does not
 * accept it.
 */
function createStandInValue(field: z.ZodType, { path, change }: ChangeTree): unknown {
  const result = field.safeParse(change?.value)
  if (result.success) return result.data
  throw new OverlayMismatchError(
    [path],
    'the route requires this field. Set a value to use instead',
  )
}

function applyChange(
  schema: z.ZodType,
  { tree, change, part }: { tree: ChangeTree; change: Change; part: RequestPart },
): z.ZodType {
  const bounded = hasBounds(change) ? addBounds(schema, change, part) : schema
  const typed = changeType(bounded, { tree, change, part })
  const nullable = change.nullable === undefined ? typed : applyNullable(typed, tree, change)
  const optional = change.optional === undefined ? nullable : applyOptional(nullable, tree, change)
  const { wrap, unwrap } = change
  if (unwrap !== undefined)
    throw new OverlayMismatchError(
      [tree.path, 'unwrap'],
      'a request cannot be unwrapped. Use add and remove',
    )
  if (wrap === undefined) return optional
  return z
    .object({ [wrap]: optional })
    .transform((sent) => getOwnProperty(sent as Record<string, unknown>, wrap))
}

function changeType(
  schema: z.ZodType,
  { tree, change, part }: { tree: ChangeTree; change: Change; part: RequestPart },
): z.ZodType {
  const { type, format, enum: choices } = change
  if (part === 'query' && type !== undefined)
    throw new OverlayMismatchError([tree.path, 'type'], 'a query parameter must be a string')
  const wrappers = ['optional', 'default', 'prefault', 'nullable'] as const
  const plain = removeWrappers(schema, wrappers)
  if (choices !== undefined) {
    const refused = choices.find((choice) => !plain.safeParse(choice).success)
    if (refused !== undefined)
      throw new OverlayMismatchError(
        [tree.path, 'enum'],
        `the route does not accept ${JSON.stringify(refused)}`,
      )
    return rewrap(schema, createEnumSchema(choices).pipe(plain))
  }
  if (format !== undefined)
    return rewrap(
      schema,
      createFormatSchema(format)
        .transform((value) => convertToFormat(value, getSandboxFormat(format)))
        .pipe(plain),
    )
  if (type === undefined) return schema
  const known = getSchemaType(plain)
  return rewrap(
    schema,
    createTypeSchema(type)
      .transform((value) => (known === undefined ? value : convertToType(value, known)))
      .pipe(plain),
  )
}

/** Wraps a schema in the wrappers of another. */
function rewrap(schema: z.ZodType, inner: z.ZodType): z.ZodType {
  const { type, innerType } = getSchemaDefinition(schema)
  if (innerType === undefined || !['optional', 'default', 'prefault', 'nullable'].includes(type))
    return inner
  return copySchema(schema, { innerType: rewrap(innerType, inner) })
}

function getSchemaType(schema: z.ZodType): ValueType | undefined {
  const { type } = toJsonSchemaFacts(schema)
  return typeof type === 'string' ? (type as ValueType) : undefined
}

function toJsonSchemaFacts(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}

function hasBounds({ minimum, maximum, clamp, default: standard }: Change): boolean {
  return [minimum, maximum, clamp, standard].some((bound) => bound !== undefined)
}

function addBounds(schema: z.ZodType, change: Change, part: RequestPart): z.ZodType {
  const facts = toJsonSchemaFacts(schema)
  const standard = change.default ?? schema.safeParse(undefined).data
  const min = change.minimum ?? facts.minimum ?? 0
  const max = change.maximum ?? facts.maximum ?? findMaxAccepted(schema, part)
  const clamp = change.clamp ?? facts.maximum === undefined
  const bounded =
    part === 'query'
      ? createQueryIntegerSchema({ min, max, clamp })
      : createBodyIntegerSchema({ min, max, clamp })
  const text = `${min} to ${max}${clamp ? '; a larger value is lowered to it' : ''}.`
  return (
    typeof standard === 'number' ? bounded.default(Math.min(standard, max)) : bounded.optional()
  ).describe(text)
}

/** Finds the maximum of a schema that lowers larger values to it. */
function findMaxAccepted(schema: z.ZodType, part: RequestPart): number {
  const max = Number.MAX_SAFE_INTEGER
  const { data } = schema.safeParse(part === 'query' ? String(max) : max)
  return typeof data === 'number' ? data : max
}

function createBodyIntegerSchema({
  min,
  max,
  clamp,
}: {
  min: number
  max: number
  clamp: boolean
}) {
  return clamp
    ? z
        .int()
        .min(min)
        .transform((value) => Math.min(value, max))
    : z.int().min(min).max(max)
}

function applyNullable(
  schema: z.ZodType,
  { path }: ChangeTree,
  { nullable, value }: Change,
): z.ZodType {
  if (nullable === false)
    return rewrap(
      removeWrappers(schema, ['nullable']),
      removeWrappers(schema, ['optional', 'default', 'prefault', 'nullable']),
    )
  const standard = schema.safeParse(value)
  if (!standard.success)
    throw new OverlayMismatchError(
      [path],
      'the route does not accept null. Set a value to use instead',
    )
  return schema.nullable().transform((sent) => sent ?? standard.data)
}

function applyOptional(
  schema: z.ZodType,
  { path }: ChangeTree,
  { optional, value }: Change,
): z.ZodType {
  if (optional === false) return removeWrappers(schema, ['optional', 'default', 'prefault'])
  if (schema.safeParse(undefined).success) return schema
  if (!schema.safeParse(value).success)
    throw new OverlayMismatchError(
      [path],
      'the route requires this field. Set a value to use instead',
    )
  return schema.prefault(value as never)
}

/**
 * Returns the schema of a query parameter that only the service has. The sandbox validates the
 * parameter and then ignores it.
 */
function createAddedParameter({ path, change }: ChangeTree): z.ZodType {
  const types: Partial<Record<ValueType, () => z.ZodType>> = {
    string: () => createTextSchema(2_000),
    integer: () =>
      createQueryIntegerSchema({
        min: change?.minimum ?? 0,
        max: change?.maximum,
        clamp: change?.clamp,
      }),
    boolean: () => queryFlag,
  }
  const make = types[change?.add ?? 'null']
  if (make === undefined)
    throw new OverlayMismatchError(
      [path, 'add'],
      'a query parameter must be a string, an integer or a boolean',
    )
  const schema = change?.enum === undefined ? make() : createEnumSchema(change.enum)
  return change?.optional === true ? schema.optional() : schema
}

function rejectGeneratedValue({ path, change }: ChangeTree): void {
  const value = change?.value
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    throw new OverlayMismatchError(
      [path, 'value'],
      'the value of a request field must be a constant',
    )
}

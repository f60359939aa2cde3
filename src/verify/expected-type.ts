import { z } from 'zod'
import { getSchemaDefinition } from '../lib/schema-parts.ts'
import { forms } from '../overlay/format.ts'
import type { ValueFormat, ValueType } from '../overlay/format.ts'

/**
 * One level of a response schema. Deeper levels are read later, because schemas may be recursive.
 */
export interface Expected {
  isOptional: boolean
  isNullable: boolean
  types: ReadonlySet<ValueType>
  /** True if the schema accepts every value. */
  isAnything: boolean
  /** The fields of an object. */
  fields: ReadonlyMap<string, z.ZodType> | undefined
  /** Schema of a map's values. */
  values: z.ZodType | undefined
  /** Schema of a list's entries. */
  entries: z.ZodType | undefined
  /** Valid formats of a string or number, or undefined if any format is valid. */
  forms: ReadonlySet<ValueFormat> | undefined
  /** Values of an enumeration. */
  choices: readonly unknown[] | undefined
}

/** Describes the top level of a schema. */
export function describeExpectedType(schema: z.ZodType): Expected {
  const leaves = listLeafSchemas(schema)
  const objects = leaves.filter((leaf) => getSchemaDefinition(leaf).shape !== undefined)
  const types = new Set(leaves.flatMap(listValueTypes))
  return {
    isOptional: schema.safeParse(undefined).success,
    isNullable: schema.safeParse(null).success,
    types,
    isAnything: leaves.some((leaf) => ['unknown', 'any'].includes(getSchemaDefinition(leaf).type)),
    fields: objects.length === 0 ? undefined : mergeFields(objects),
    values: leaves
      .map((leaf) => getSchemaDefinition(leaf).valueType)
      .find((value) => value !== undefined),
    entries: leaves
      .map((leaf) => getSchemaDefinition(leaf).element)
      .find((element) => element !== undefined),
    forms: listFormats(leaves),
    choices: listChoices(leaves),
  }
}

/** Returns the schemas inside wrappers and unions. */
function listLeafSchemas(schema: z.ZodType): z.ZodType[] {
  const { getter, innerType, in: input, out: output, options } = getSchemaDefinition(schema)
  if (getter !== undefined) return listLeafSchemas(getter())
  if (innerType !== undefined) return listLeafSchemas(innerType)
  if (output !== undefined)
    return listLeafSchemas(
      getSchemaDefinition(output).type === 'transform' && input !== undefined ? input : output,
    )
  return options === undefined ? [schema] : options.flatMap(listLeafSchemas)
}

/** Returns the fields of a union of objects. A field is optional if any of the objects lacks it. */
function mergeFields(objects: readonly z.ZodType[]): Map<string, z.ZodType> {
  const shapes = objects.map((object) => getSchemaDefinition(object).shape ?? {})
  const names = new Set(shapes.flatMap((shape) => Object.keys(shape)))
  return new Map(
    [...names].map((name) => {
      const found = shapes.flatMap((shape) => shape[name] ?? [])
      const [first] = found
      const both =
        found.length > 1 && found.some((field) => field !== first)
          ? z.union(found as [z.ZodType, z.ZodType])
          : (first as z.ZodType)
      return [name, found.length < shapes.length ? both.optional() : both]
    }),
  )
}

const plainTypes: Readonly<Record<string, readonly ValueType[]>> = {
  string: ['string'],
  boolean: ['boolean'],
  null: ['null'],
  object: ['object'],
  record: ['object'],
  array: ['array'],
  tuple: ['array'],
  enum: ['string'],
}

function listValueTypes(leaf: z.ZodType): readonly ValueType[] {
  const { type } = getSchemaDefinition(leaf)
  if (type === 'literal')
    return ((leaf.def as { values?: unknown[] }).values ?? []).map(getTypeOfValue)
  if (type !== 'number') return plainTypes[type] ?? []
  return z.toJSONSchema(leaf, { unrepresentable: 'any' }).type === 'integer'
    ? ['integer']
    : ['integer', 'number']
}

function getTypeOfValue(value: unknown): ValueType {
  if (value === null) return 'null'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value === 'boolean' ? 'boolean' : 'string'
}

/**
 * Returns the formats of the string schemas. Returns undefined if there is no string schema, or if
 * one of them has no format.
 */
function listFormats(leaves: readonly z.ZodType[]): ReadonlySet<ValueFormat> | undefined {
  const takes = (value: unknown) => leaves.some((leaf) => leaf.safeParse(value).success)
  if (takes('some text')) return undefined
  const taken = (Object.keys(forms) as ValueFormat[]).filter(
    (form) => typeof forms[form] === 'string' && takes(forms[form]),
  )
  return taken.length === 0 ? undefined : new Set(taken)
}

function listChoices(leaves: readonly z.ZodType[]): readonly unknown[] | undefined {
  const known = leaves.filter((leaf) => getSchemaDefinition(leaf).type !== 'null')
  const choices = known.map((leaf) => {
    const { entries, values } = leaf.def as {
      entries?: Readonly<Record<string, unknown>>
      values?: readonly unknown[]
    }
    return entries === undefined ? values : Object.values(entries)
  })
  return choices.length === 0 || choices.includes(undefined)
    ? undefined
    : choices.flatMap((each) => each ?? [])
}

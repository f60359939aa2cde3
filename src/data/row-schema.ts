import type { z } from 'zod'
import { SandboxError, describeValue } from '../errors.ts'
import { deepFreeze } from './rows.ts'
import type { Id } from './rows.ts'
import { isObject } from '../lib/plain-json.ts'

/** Validates the records of a table. The schema is created on first use. */
export class RowSchema<Row extends { id: Id }> {
  readonly #table: string
  readonly #definition: { readonly schema: z.ZodType<Row> }
  #fields: Fields | undefined

  constructor(table: string, definition: { readonly schema: z.ZodType<Row> }) {
    this.#table = table
    this.#definition = definition
  }

  /**
   * Validates and freezes a record.
   * @throws {SandboxError}
   */
  parse(values: unknown, verb: string): Row {
    const result = this.#definition.schema.safeParse(values)
    if (result.success) return deepFreeze(result.data)
    const problems = result.error.issues.map(
      (issue) => `${issue.path.join('.') || 'record'}: ${issue.message}`,
    )
    const field = result.error.issues[0]?.path.join('.') || undefined
    throw new SandboxError(`Failed to ${verb} ${this.#table}: ${problems.join('; ')}.`, { field })
  }

  /**
   * Returns the changed record, or the same object if nothing changes.
   * @throws {SandboxError}
   */
  update(row: Row, changes: Partial<Row>): Row {
    return this.#updateFields(row, changes) ?? this.#updateWhole(row, changes)
  }

  /** Like `update`, but does not validate the changes, unless the record must be completed. */
  replaceFields(row: Row, changes: Partial<Row>): Row {
    this.#fields ??= getSchemaFields(this.#definition.schema)
    if (!isComplete(row, this.#fields)) return this.#updateWhole(row, changes)
    return deepFreeze({ ...row, ...changes })
  }

  /** True if a required field without a default is missing. */
  lacksFields(values: Readonly<Record<string, unknown>>): boolean {
    this.#fields ??= getSchemaFields(this.#definition.schema)
    return this.#fields.required.some((field) => values[field] === undefined)
  }

  /**
   * Converts a pattern to a predicate. A record matches if it has the same values as the pattern in
   * all fields of the pattern. A time may have any spelling.
   */
  toPredicate(match: Partial<Row> | ((row: Row) => boolean)): (row: Row) => boolean {
    if (typeof match === 'function') return match
    const verb = `search ${this.#table}`
    requireObject(match, verb)
    requireFields(match, this.#definition.schema, verb)
    const { shape } = this.#definition.schema as unknown as z.ZodObject
    const fields = Object.entries(match).map(([field, value]) => {
      const stored = typeof value === 'string' ? shape[field]?.safeParse(value).data : undefined
      return [field as keyof Row, stored ?? value] as const
    })
    return (row) => fields.every(([field, value]) => row[field] === value)
  }

  /**
   * Validates only the changed fields. Returns undefined if the whole record must be validated,
   * because a change is invalid or the record does not have exactly the fields of its schema.
   */
  #updateFields(row: Row, changes: Partial<Row>): Row | undefined {
    this.#fields ??= getSchemaFields(this.#definition.schema)
    const { schemas } = this.#fields
    if (schemas === undefined || !isComplete(row, this.#fields)) return undefined
    let updated: Row | undefined
    for (const field in changes) {
      const value = changes[field]
      if (value === undefined || !(field in row)) return undefined
      if (field === 'id' || value === row[field]) continue
      const result = schemas[field]?.safeParse(value)
      if (result?.success !== true) return undefined
      if (result.data === row[field]) continue
      updated ??= { ...row }
      updated[field] = deepFreeze(result.data) as Row[typeof field]
    }
    return updated === undefined ? row : Object.freeze(updated)
  }

  #updateWhole(row: Row, changes: Partial<Row>): Row {
    const verb = `update ${this.#table}`
    requireFields(changes, this.#definition.schema, verb)
    // Rejects undefined values, which would otherwise silently reset the field to its default.
    for (const field in changes)
      if (changes[field] === undefined)
        throw new SandboxError(
          `Failed to ${verb} (${field}): it is undefined. Leave the field out, or set a value.`,
          { field },
        )
    return this.parse({ ...row, ...changes, id: row.id }, 'update')
  }
}

/**
 * Throws if an object has fields that the schema does not have. Otherwise, a misspelt field would
 * be dropped silently.
 * @throws {SandboxError} with a list of the schema's fields
 */
export function requireFields(fields: object, schema: z.ZodType, verb: string): void {
  const { shape = {} } = schema as Partial<z.ZodObject>
  for (const field in fields) {
    if (!Object.hasOwn(shape, field))
      throw new SandboxError(
        `Failed to ${verb} (${field}): there is no such field. The fields are ` +
          `${Object.keys(shape).join(', ')}.`,
        { field },
      )
  }
}

/** The fields of a schema, in order. */
interface Fields {
  names: readonly string[]
  /** Required fields without a default. */
  required: readonly string[]
  /** Optional fields. */
  optional: ReadonlySet<string>
  /**
   * Schema of each field. Undefined if the record's schema has rules that involve several fields.
   */
  schemas: Readonly<Record<string, z.ZodType>> | undefined
}

function getSchemaFields(schema: z.ZodType): Fields {
  const { shape = {} } = schema as Partial<z.ZodObject>
  const { type, checks = [] } = schema.def as { type: string; checks?: readonly unknown[] }
  // The object has no prototype, so inherited names such as `constructor` are not mistaken for
  // fields.
  const schemas: Record<string, z.ZodType> = Object.assign(Object.create(null), shape)
  const names = Object.keys(schemas)
  const typeOf = (name: string) => schemas[name]?.def.type ?? ''
  return {
    names,
    required: names.filter((name) => !['default', 'optional'].includes(typeOf(name))),
    optional: new Set(names.filter((name) => typeOf(name) === 'optional')),
    schemas: type === 'object' && checks.length === 0 ? schemas : undefined,
  }
}

/** True if a row has all required fields, in the order of its schema, and no others. */
function isComplete(row: object, { names, optional }: Fields): boolean {
  let index = 0
  const skipAbsent = (until?: string) => {
    while (index < names.length && names[index] !== until && optional.has(names[index] ?? ''))
      index += 1
  }
  for (const field in row) {
    if (field !== names[index]) skipAbsent(field)
    if (field !== names[index]) return false
    index += 1
  }
  skipAbsent()
  return index === names.length
}

/** Throws if a value is not an object. @throws {SandboxError} */
export function requireObject(value: unknown, verb: string): asserts value is object {
  if (isObject(value)) return
  throw new SandboxError(
    `Failed to ${verb} (${describeValue(value)}): it must be an object with fields of the record.`,
  )
}

/**
 * Throws if a value is not a valid id. A bigint is invalid, because it would never equal an id.
 * @throws {SandboxError}
 */
export function requireId(id: unknown, verb: string, table: string): void {
  if (typeof id === 'number' || typeof id === 'string') return
  throw new SandboxError(
    `Failed to ${verb} ${table} (id: ${describeValue(id)}): it must be a number or a string.`,
  )
}

/**
 * Throws if a value is not a valid number of records to skip or to return. @throws {SandboxError}
 */
export function requireCount(count: unknown, name: string, table: string): void {
  if (count === Infinity || (Number.isInteger(count) && (count as number) >= 0)) return
  throw new SandboxError(
    `Failed to read ${table} (${name}: ${describeValue(count)}): it must be an integer of at least 0.`,
  )
}

import type { Id } from './rows.ts'

/**
 * The table to which an id refers, or several possible tables. For example, a user id can belong to
 * a fan or an account.
 */
type Target = string | readonly string[]

/**
 * Fields that contain ids of other records, with the tables of these records. The values `null` and
 * 0 mean no record. References to records that may be deleted are not declared. For example, a
 * payment remains after its post is deleted.
 */
export type References<Row> = {
  readonly [Field in keyof Row & string]?: Target | ((row: Row) => Target)
}

/** The type of `References` for records of any type. */
export type AnyReferences = Readonly<Record<string, Target | ((row: never) => Target)>>

/** Finds the record with the given id in a table. Returns undefined if there is none. */
export type LookUp = (table: string, id: Id) => object | undefined

/** A reference to a record that does not exist, or belongs to another account. */
interface BrokenReference {
  /** Id of the record, with the field and its value, such as `5: lastMessageId is 7`. */
  what: string
  why: string
}

/**
 * Finds the first broken reference of a record. Checks all declared fields, or only the keys of
 * `fields`.
 */
export function findBrokenReference(
  row: { readonly id: Id },
  references: AnyReferences,
  { lookUp, fields }: { lookUp: LookUp; fields?: object | undefined },
): BrokenReference | undefined {
  for (const field in references) {
    const value = (row as Readonly<Record<string, unknown>>)[field]
    if (
      value === null ||
      value === 0 ||
      value === undefined ||
      (fields !== undefined && !Object.hasOwn(fields, field))
    )
      continue
    const declared = references[field] as Target | ((row: object) => Target)
    const target = typeof declared === 'function' ? declared(row) : declared
    if (!Array.isArray(value)) {
      const why = findReferenceProblem(row, value as Id, { target, lookUp })
      if (why !== undefined) return { what: describe(row, field, value as Id), why }
      continue
    }
    for (let index = 0; index < value.length; index += 1) {
      const why = findReferenceProblem(row, value[index] as Id, { target, lookUp })
      if (why !== undefined)
        return { what: describe(row, `${field}.${index}`, value[index] as Id), why }
    }
  }
  return undefined
}

/** A reference from one record to another. */
export interface Reference {
  field: string
  /** Tables that may contain the referenced record, usually one. */
  tables: readonly string[]
  id: Id
}

/** Lists the references of a record. */
export function listReferences(row: object, references: AnyReferences): Reference[] {
  return Object.entries(references).flatMap(([field, declared]) => {
    const value = (row as Readonly<Record<string, unknown>>)[field]
    const ids = (Array.isArray(value) ? value : [value]) as (Id | null | undefined)[]
    const tables = [typeof declared === 'function' ? declared(row as never) : declared].flat()
    return ids.flatMap((id) =>
      id === null || id === undefined || id === 0 ? [] : [{ field, tables, id }],
    )
  })
}

/** True if a field of a record refers to the record with the given table and id. */
export function hasReference(
  row: object,
  references: AnyReferences,
  target: { field: string; table: string; id: Id },
): boolean {
  const declared = references[target.field]
  const value = (row as Readonly<Record<string, unknown>>)[target.field]
  if (
    declared === undefined ||
    !(Array.isArray(value) ? value.includes(target.id) : value === target.id)
  )
    return false
  return [typeof declared === 'function' ? declared(row as never) : declared]
    .flat()
    .includes(target.table)
}

function find(target: Target, id: Id, lookUp: LookUp): object | undefined {
  if (typeof target === 'string') return lookUp(target, id)
  for (const table of target) {
    const found = lookUp(table, id)
    if (found !== undefined) return found
  }
  return undefined
}

function findReferenceProblem(
  row: object,
  id: Id,
  { target, lookUp }: { target: Target; lookUp: LookUp },
): string | undefined {
  const found = find(target, id, lookUp)
  if (found === undefined) return `there is no record with that id in ${show(target)}`
  const { accountId } = row as { accountId?: number }
  const { accountId: other } = found as { accountId?: number }
  if (accountId === undefined || other === undefined || accountId === other) return undefined
  return (
    `that record of ${show(target)} belongs to account ${other}, but this one to account ` +
    `${accountId}`
  )
}

function show(target: Target): string {
  return typeof target === 'string' ? target : target.join(' or ')
}

function describe(row: { readonly id: Id }, path: string, id: Id): string {
  return `${row.id}: ${path} is ${JSON.stringify(id).slice(0, 80)}`
}

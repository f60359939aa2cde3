import type { z } from 'zod'
import { describeValue, SandboxError } from '../errors.ts'
import type { Id } from '../data/rows.ts'
import { requireFields } from '../data/row-schema.ts'
import { getTable } from '../data/tables.ts'
import type { AnyTableDefinition, TableDefinitions, TablesByName } from '../data/tables.ts'
import { parseIso, latestTime, parseRecordTime, recordTimeForms, toIsoTime } from '../lib/time.ts'
import type { AnyReferences } from '../data/references.ts'
import type { Random } from './random.ts'
import type { Sequences } from './sequences.ts'
import type { TenancyTables } from './tenancy/tenancy.table.ts'
import { isDate } from '../lib/realms.ts'

/**
 * Creation time of a record: a `Date`, epoch ms, RFC 3339, or a duration before or after now, such
 * as `-2d` or `+2h`. Only posts and mass messages can be in the future.
 */
type CreationTime = Date | number | string

/** Fields of a record to make. Missing fields get defaults. */
export type FieldsToMake<Definition extends AnyTableDefinition> = Partial<
  z.input<Definition['schema']>
> & {
  /**
   * Creation time. Use it instead of the time fields of the record.
   * @default the time of the sandbox
   */
  at?: CreationTime
}

/** Fields that the caller sets. */
type GivenFields<Definition extends AnyTableDefinition> = Readonly<
  Partial<z.output<Definition['schema']>>
>

/** All fields of a record. The default of `id` is the next id of the table. */
type CreatedFields<Definition extends AnyTableDefinition> = Omit<
  z.input<Definition['schema']>,
  'id'
> & { id?: Id }

/** A record that a factory created. */
export type CreatedRow<Definition extends AnyTableDefinition> = Readonly<
  z.output<Definition['schema']>
>

/** Completes the records of a table with plausible values. */
export interface Factory<
  W extends FactoryWorld = never,
  Definition extends AnyTableDefinition = never,
  Name extends string = string,
  Table extends string = string,
> {
  /** Singular name of the record, for `sandbox.make`. */
  name: Name
  table: Table
  /** The field with the creation time, to which `at` is written. */
  time?: keyof GivenFields<Definition> & string
  /** Set if records can be scheduled for a future time. */
  isPlannable?: true
  /**
   * Returns all fields of a record, including the fields that the caller set.
   * @throws {SandboxError} if a field without a default is missing
   */
  complete: (
    given: GivenFields<Definition>,
    context: FactoryContext<W>,
  ) => CreatedFields<Definition>
}

/** A factory of any table. */
export interface AnyFactory {
  name: string
  table: string
  time?: string
  isPlannable?: true
  complete: (given: never, context: never) => object
}

/** Completes the records of all tables. */
export interface Factories {
  /** Kinds of records. Each kind comes after the kinds that it references. */
  kinds: readonly { name: string; table: string }[]
  /**
   * Completes a record. Undefined if the table has no factory.
   * @throws {SandboxError}
   */
  complete: (
    world: FactoryWorld,
    table: string,
    values: Readonly<Record<string, unknown>>,
  ) => object | undefined
  /**
   * Makes a record with a trait, and all records that belong to it. `fields` contains the `trait`.
   * @throws {SandboxError} if the table has no such trait
   */
  makeWithTrait: (
    world: FactoryWorld,
    table: string,
    fields: Readonly<Record<string, unknown>>,
  ) => object
}

/** Returns a function that declares factories for a type of world. */
export function createFactoryDefiner<
  Definitions extends TableDefinitions,
  W extends FactoryWorld,
>() {
  return <const Name extends string, const Table extends keyof Definitions & string>(
    factory: Factory<W, Definitions[Table], Name, Table>,
  ): Factory<W, Definitions[Table], Name, Table> => factory
}

/**
 * Completes a record.
 * @throws {SandboxError} if a field is unknown or invalid, or if a field without a default is
 * missing
 */
export function completeRecord(
  world: FactoryWorld,
  factory: AnyFactory,
  { at, ...fields }: Readonly<Record<string, unknown>>,
): object {
  const { table } = factory
  const { schema } = world.rules.definitions[table] as AnyTableDefinition
  const given = checkFields(fields, schema, factory)
  const own = factory.time === undefined ? undefined : given[factory.time]
  const now = world.clock.now()
  const ownTime = typeof own === 'string' ? parseIso(own) : Number.NaN
  // The table rejects an invalid time later.
  const otherwise = Number.isNaN(ownTime) ? now : ownTime
  const context = new FactoryContext(world, factory, {
    at: at === undefined ? otherwise : parseMadeAt(at, now, factory),
    id: given['id'] as Id | undefined,
  })
  const made = factory.complete(given as never, context as never) as { id?: Id }
  return { ...made, ...given, id: given['id'] ?? made.id ?? context.id }
}

/**
 * Returns the fields that have a value, as the table stores them.
 * @throws {SandboxError} if a field is unknown or invalid
 */
function checkFields(
  fields: object,
  schema: AnyTableDefinition['schema'],
  { name }: AnyFactory,
): Readonly<Record<string, unknown>> {
  requireFields(fields, schema, `make the ${name}`)
  const given: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) continue
    const result = (schema.shape as Readonly<Record<string, z.ZodType>>)[field]?.safeParse(value)
    const issue = result?.error?.issues[0]
    if (issue !== undefined)
      throw new SandboxError(
        `Failed to make the ${name} (${[field, ...issue.path].join('.')}: ${describeValue(value)}): ` +
          `${issue.message}.`,
        { field: [field, ...issue.path].join('.') },
      )
    given[field] = result?.data
  }
  return given
}

function parseMadeAt(at: unknown, now: number, { name, isPlannable }: AnyFactory): number {
  const time = isDate(at) ? at.getTime() : typeof at === 'string' ? parseRecordTime(at, now) : at
  if (typeof time !== 'number' || !(time >= 0 && time <= latestTime))
    throw new SandboxError(
      `Failed to make the ${name} (at: ${describeValue(at)}): it must be a Date, epoch ms, ` +
        `${recordTimeForms}.`,
      { field: 'at' },
    )
  if (time > now && isPlannable !== true)
    throw new SandboxError(
      `Failed to make the ${name} (at: ${describeValue(at)}): only posts and mass messages can be in the ` +
        `future. Use a time up to now (${toIsoTime(now)}), or advance the clock first.`,
      { field: 'at' },
    )
  return Math.floor(time)
}

/** The part of a world that factories use. */
export interface FactoryWorld {
  readonly db: object
  readonly random: Random
  readonly sequences: Sequences
  readonly clock: { now(): number }
  readonly rules: { readonly definitions: TableDefinitions }
}

/** Maximum number of ids that an error lists. */
const maxListed = 10

/**
 * The context in which a factory completes a single record: the time, random source and references
 * of the record.
 */
export class FactoryContext<W extends FactoryWorld = FactoryWorld> {
  readonly world: W
  /** Creation time of the record, epoch ms. */
  readonly at: number
  readonly #name: string
  readonly #table: string
  readonly #references: AnyReferences
  readonly #givenId: Id | undefined
  #random: Random | undefined
  #id: number | undefined

  constructor(
    world: W,
    { name, table }: { name: string; table: string },
    { at, id }: { at: number; id: Id | undefined },
  ) {
    this.world = world
    this.at = at
    this.#name = name
    this.#table = table
    this.#references = world.rules.definitions[table]?.references ?? {}
    this.#givenId = id
  }

  /** Creation time of the record, RFC 3339. */
  get iso(): string {
    return toIsoTime(this.at)
  }

  /**
   * The id that the caller gave, if it is a number. Otherwise, a new id that is larger than all
   * existing ids in the table.
   */
  get id(): number {
    if (typeof this.#givenId === 'number') return this.#givenId
    if (this.#id === undefined) this.#draw()
    return this.#id as number
  }

  /** The random source of this record, derived from the seed and the id. */
  get random(): Random {
    if (this.#random === undefined) this.#draw()
    return this.#random as Random
  }

  /**
   * Returns the account of the record: the given account, the account of a referenced record,
   * `guess`, or the only account. The first of these that exists is used.
   * @throws {SandboxError} if there is no such account, or if there are several accounts
   */
  accountId(given: Readonly<Record<string, unknown>>, guess?: number): number {
    if (typeof given['accountId'] === 'number') return given['accountId']
    for (const [field, target] of Object.entries(this.#references)) {
      const value: unknown = given[field]
      const id: unknown = Array.isArray(value) ? value[0] : value
      if (typeof target !== 'string' || (typeof id !== 'number' && typeof id !== 'string')) continue
      const { accountId } = (getTable(this.world.db, target).get(id) ?? {}) as {
        accountId?: number
      }
      if (accountId !== undefined) return accountId
    }
    return (
      guess ??
      this.only(
        'accountId',
        (this.world.db as TablesByName<TenancyTables>).accounts.slice(0, maxListed + 1),
        'account',
      )
    )
  }

  /**
   * Returns the default of an omitted reference, which is the id of the only matching record.
   * `thing` is the kind of record, for the error message.
   * @throws {SandboxError} if no record or more than one record matches
   */
  only<Key extends Id>(
    field: string,
    candidates: Iterable<{ readonly id: Key }>,
    thing: string,
  ): Key {
    const some: Key[] = []
    for (const { id } of candidates) if (some.push(id) > maxListed) break
    const [first] = some
    if (first !== undefined && some.length === 1) return first
    if (first === undefined)
      throw this.missing(field, `there is no ${thing} to use. Make one first, or set the field`)
    const listed = `${some.slice(0, maxListed).join(', ')}${some.length > maxListed ? ', …' : ''}`
    throw this.missing(field, `several could be meant (${thing}: ${listed}). Set the field`)
  }

  /** Creates the error for a missing field. `why` has no full stop at its end. */
  missing(field: string, why: string): SandboxError {
    return new SandboxError(
      `Failed to make the ${this.#name} (${field}): it is missing, and ${why}.`,
      { field },
    )
  }

  #draw(): void {
    const { random, sequences } = this.world
    if (this.#givenId !== undefined) {
      this.#random = random.branch('make', this.#table, this.#givenId)
      return
    }
    this.#random = random.branch('make', this.#table, sequences.largest(this.#table))
    this.#id = sequences.next(this.#table, this.#random)
  }
}

import type { z } from 'zod'
import { describe, SandboxError } from '../errors.ts'
import type { Step } from '../lib/order.ts'
import type { Random } from './random.ts'
import type { Sequences } from './sequences.ts'
import type { AnyReferences } from '../data/references.ts'
import type { Id } from '../data/rows.ts'
import { requireFields } from '../data/row-schema.ts'
import { anyTable } from '../data/tables.ts'
import type { AnyTableDefinition, TableDefinitions, TablesOf } from '../data/tables.ts'
import type { TenancyTables } from './tenancy/tenancy.table.ts'
import { fromIso, latestMoment, parseTime, toIso } from '../lib/time.ts'

/**
 * When a record came to be: a `Date`, epoch ms, RFC 3339, or a time relative to the sandbox's, such
 * as `-2d`.
 */
export type MadeAt = Date | number | string

/** The fields of a record to make. What is left out gets a default. */
export type FieldsToMake<Definition extends AnyTableDefinition> = Partial<
  z.input<Definition['schema']>
> & {
  /** When it came to be, in place of its times. @default the time of the sandbox */
  at?: MadeAt
}

/** The fields that a caller gave of a record to make. */
export type GivenFields<Definition extends AnyTableDefinition> = Readonly<
  Partial<z.output<Definition['schema']>>
>

/** All that a record needs. Without an `id` it gets the next one of its table. */
export type MadeFields<Definition extends AnyTableDefinition> = Omit<
  z.input<Definition['schema']>,
  'id'
> & { id?: Id }

/** Completes the records of a table: believable values for what a caller leaves out. */
export interface Factory<
  W extends FactoryWorld = never,
  Definition extends AnyTableDefinition = never,
  Name extends string = string,
  Table extends string = string,
> extends Step {
  /** What one record is called: the name of its maker. */
  name: Name
  table: Table
  /** The field with the time of the record: `at` stands for it. */
  time?: keyof GivenFields<Definition> & string
  /** Whether its time may be to come. */
  isPlannable?: true
  /**
   * Gives all that a record needs, told some fields; those win. @throws {SandboxError} when only
   * the caller can know a missing one.
   */
  complete: (given: GivenFields<Definition>, context: FactoryContext<W>) => MadeFields<Definition>
}

/** A factory of records whose type does not matter. */
export type AnyFactory = Step & {
  table: string
  time?: string
  isPlannable?: true
  complete: (given: never, context: never) => object
}

/** What the context of a record needs of a world. */
export interface FactoryWorld {
  readonly db: object
  readonly random: Random
  readonly sequences: Sequences
  readonly clock: { now(): number }
  readonly rules: { readonly definitions: TableDefinitions }
}

/** Completes the records of all tables. */
export interface Factories {
  /** The kinds of records, in an order in which each comes behind those that its records name. */
  kinds: readonly { name: string; table: string }[]
  /**
   * Fills in what a record of a table lacks; undefined when nobody makes records of that table.
   * @throws {SandboxError}
   */
  complete: (
    world: FactoryWorld,
    table: string,
    values: Readonly<Record<string, unknown>>,
  ) => object | undefined
}

/** Makes the function that declares the factories of that world. */
export function factoriesOver<Definitions extends TableDefinitions, W extends FactoryWorld>() {
  return <const Name extends string, const Table extends keyof Definitions & string>(
    factory: Factory<W, Definitions[Table], Name, Table>,
  ): Factory<W, Definitions[Table], Name, Table> => factory
}

/**
 * Completes a record. @throws {SandboxError} when a field is unknown or wrong, or only the caller
 * can know one that is missing.
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
  const instant = typeof own === 'string' ? fromIso(own) : Number.NaN
  // A time that cannot be read is refused with the record.
  const otherwise = Number.isNaN(instant) ? now : instant
  const context = new FactoryContext(world, factory, {
    at: at === undefined ? otherwise : parseMadeAt(at, now, factory),
    id: given['id'] as Id | undefined,
  })
  const made = factory.complete(given as never, context as never) as { id?: Id }
  return { ...made, ...given, id: given['id'] ?? made.id ?? context.id }
}

/** How many of the candidates for a field an error tells. */
const maxTold = 10

/** The context of one record: its time, its chance, and what it can tell from other records. */
export class FactoryContext<W extends FactoryWorld = FactoryWorld> {
  readonly world: W
  /** When the record came to be, epoch ms. */
  readonly at: number
  readonly #name: string
  readonly #table: string
  readonly #references: AnyReferences
  readonly #givenId: Id | undefined
  #random: Random | undefined
  #id: number | undefined

  /** @internal Use `completeRecord`. */
  constructor(
    world: W,
    { name, table }: Pick<AnyFactory, 'name' | 'table'>,
    { at, id }: { at: number; id: Id | undefined },
  ) {
    this.world = world
    this.at = at
    this.#name = name
    this.#table = table
    this.#references = world.rules.definitions[table]?.references ?? {}
    this.#givenId = id
  }

  /** When the record came to be, as records have it. */
  get iso(): string {
    return toIso(this.at)
  }

  /**
   * The id that the caller gave, if it is a number, else the next one of the table: larger than all
   * so far.
   */
  get id(): number {
    if (typeof this.#givenId === 'number') return this.#givenId
    if (this.#id === undefined) this.#draw()
    return this.#id as number
  }

  /** Chance for this record alone, by the seed and its id: all other chance stays as it was. */
  get random(): Random {
    if (this.#random === undefined) this.#draw()
    return this.#random as Random
  }

  /**
   * The account of the record: the given one, else that of a record that it names, else `guess`,
   * else the only one that there is.
   */
  accountId(given: Readonly<Record<string, unknown>>, guess?: number): number {
    if (typeof given['accountId'] === 'number') return given['accountId']
    for (const [field, target] of Object.entries(this.#references)) {
      const value: unknown = given[field]
      const id: unknown = Array.isArray(value) ? value[0] : value
      if (typeof target !== 'string' || (typeof id !== 'number' && typeof id !== 'string')) continue
      const { accountId } = (anyTable(this.world.db, target).get(id) ?? {}) as {
        accountId?: number
      }
      if (accountId !== undefined) return accountId
    }
    return (
      guess ??
      this.only(
        'accountId',
        (this.world.db as TablesOf<TenancyTables>).accounts.slice(0, maxTold + 1),
        'account',
      )
    )
  }

  /**
   * The id of the only record that a missing field can name. `thing` is what it names.
   * @throws {SandboxError} when there is none, or there are several.
   */
  only<Key extends Id>(
    field: string,
    candidates: Iterable<{ readonly id: Key }>,
    thing: string,
  ): Key {
    const some: Key[] = []
    for (const { id } of candidates) if (some.push(id) > maxTold) break
    const [first] = some
    if (first !== undefined && some.length === 1) return first
    if (first === undefined)
      throw this.missing(
        field,
        `there is no ${thing} that it could name. Make that one first, or give the field`,
      )
    const told = `${some.slice(0, maxTold).join(', ')}${some.length > maxTold ? ', …' : ''}`
    throw this.missing(
      field,
      `there is more than one ${thing} that it could name: ${told}. Give the field`,
    )
  }

  /**
   * The error of a field that only the caller can know. `why` is a sentence without its full stop.
   */
  missing(field: string, why: string): SandboxError {
    return new SandboxError(`Failed to make ${this.#name} (${field}): it is missing, and ${why}.`)
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

/** The fields that have a value, each of which must fit. */
function checkFields(
  fields: object,
  schema: AnyTableDefinition['schema'],
  { name }: AnyFactory,
): Readonly<Record<string, unknown>> {
  requireFields(fields, schema, `make ${name}`)
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  for (const [field, value] of given) {
    const issue = (schema.shape as Readonly<Record<string, z.ZodType>>)[field]?.safeParse(value)
      .error?.issues[0]
    if (issue !== undefined)
      throw new SandboxError(
        `Failed to make ${name} (${[field, ...issue.path].join('.')}: ${describe(value)}): ` +
          `${issue.message}.`,
      )
  }
  return Object.fromEntries(given)
}

function parseMadeAt(at: unknown, now: number, { name, isPlannable }: AnyFactory): number {
  const moment =
    at instanceof Date ? at.getTime() : typeof at === 'string' ? parseTime(at, { now }) : at
  if (typeof moment !== 'number' || !(moment >= 0 && moment <= latestMoment))
    throw new SandboxError(
      `Failed to make ${name} (at: ${describe(at)}): it must be a Date, epoch ms, RFC 3339 such ` +
        `as 2026-10-01T09:00:00Z, or relative ` +
        'such as -2d or now.',
    )
  if (moment > now && isPlannable !== true)
    throw new SandboxError(
      `Failed to make ${name} (at: ${describe(at)}): it is ${toIso(now)}, and only posts and ` +
        `mass messages can be planned. ` +
        'Give an earlier time, or move the clock first.',
    )
  return Math.floor(moment)
}

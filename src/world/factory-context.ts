import { SandboxError } from '../errors.ts'
import type { AnyReferences } from '../data/references.ts'
import type { Id } from '../data/rows.ts'
import { getTable } from '../data/tables.ts'
import type { TableDefinitions, TablesByName } from '../data/tables.ts'
import { toIsoTime } from '../lib/time.ts'
import type { Random } from './random.ts'
import type { Sequences } from './sequences.ts'
import type { TenancyTables } from './tenancy/tenancy.table.ts'

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

import { Digest } from '../../lib/digest.ts'
import { isSameJson } from '../../lib/plain-json.ts'
import { storedTables } from './snapshot.ts'
import { placeOf } from '../../data/rows.ts'
import type { Id } from '../../data/rows.ts'
import type { World } from '../world.ts'

type Rows = readonly { id: Id }[]

/**
 * The digests of such records, as far as anybody asked: a world is restored again and again from
 * snapshots that share them.
 */
const digests = new WeakMap<Rows, Float64Array>()

/**
 * The records that `reset` goes back to. What a snapshot says of them anew need not be checked, nor
 * held twice.
 */
export class KeptRows {
  /** Those of no world. */
  static readonly none = new KeptRows(new Map())

  readonly #tables: ReadonlyMap<string, Rows>
  /**
   * Where the next record of each table is expected: most snapshots have nearly all records in the
   * same order.
   */
  readonly #expected = new Map<string, number>()
  readonly #digest = new Digest()

  private constructor(tables: ReadonlyMap<string, Rows>) {
    this.#tables = tables
  }

  /** The records of a world. */
  static of(world: World): KeptRows {
    if (!world.isSeeded) return KeptRows.none
    const tables = new Map<string, Rows>()
    for (const [name] of storedTables(world.rules.definitions)) {
      const data = world.origin.tables.get(name)
      if (data !== undefined) tables.set(name, data.rows.all)
    }
    return new KeptRows(tables)
  }

  /** The record of a table that says the same as this one; undefined where there is none. */
  find(table: string, record: unknown): { id: Id } | undefined {
    const place = this.#placeOf(table, record)
    return place === -1 ? undefined : this.#tables.get(table)?.[place]
  }

  /**
   * The same, or the record itself where there is none, and its digest: one that is kept is read
   * for it once for all.
   */
  take(table: string, record: { id: Id }): { row: { id: Id }; digest: number } {
    const place = this.#placeOf(table, record)
    const rows = this.#tables.get(table)
    const row = rows?.[place]
    if (rows === undefined || row === undefined)
      return { row: record, digest: this.#digest.of(record) }
    const known = digests.get(rows) ?? new Float64Array(rows.length).fill(Number.NaN)
    digests.set(rows, known)
    let digest = known[place] as number
    if (Number.isNaN(digest)) known[place] = digest = this.#digest.of(row)
    return { row, digest }
  }

  #placeOf(table: string, record: unknown): number {
    const rows = this.#tables.get(table)
    const id = (record as { id?: unknown } | null | undefined)?.id
    if (rows === undefined || (typeof id !== 'number' && typeof id !== 'string')) return -1
    const expected = this.#expected.get(table) ?? 0
    const place = rows[expected]?.id === id ? expected : placeOf(rows, id)
    this.#expected.set(table, place + 1)
    const kept = rows[place]
    return kept !== undefined && isSameJson(record, kept) ? place : -1
  }
}

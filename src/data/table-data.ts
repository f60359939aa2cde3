import type { Change } from './change-log.ts'
import { RowCollection } from './row-collection.ts'
import { isSameJson } from '../lib/plain-json.ts'
import { compareIds, deepFreeze, sortById } from './rows.ts'
import type { Id } from './rows.ts'
import { TableIndex } from './table-index.ts'
import type { IndexDefinition } from './table-index.ts'
import type { z } from 'zod'

/** Parts of a table definition that the table's data needs. */
interface DataDefinition<Row> {
  readonly schema: z.ZodType<Row>
  readonly indexes: Readonly<Record<string, IndexDefinition<Row>>>
}

/** Records that are created when they are first read. */
export interface LaterRows<Row> {
  /** Number of records, or 0 if it is unknown. */
  count: number
  create: () => readonly Row[]
}

/**
 * The records of a table and their indexes, with copy-on-write. Snapshots, forks and tables share
 * the data. A table copies shared data before its next write.
 */
export class TableData<Row extends { id: Id }> {
  readonly #definition: DataDefinition<Row>
  /** The records, or how to create them. */
  #rows: RowCollection<Row> | LaterRows<Row>
  readonly #indexes: Map<string, TableIndex<Row>>
  /** A version marker: an object that is replaced on each write. */
  version: object = {}
  /** True if a snapshot shares this data. The data must be copied before a write. */
  isShared = false
  /** The base snapshot for diffs. Undefined until the world's data is loaded. */
  #base: TableData<Row> | undefined
  /** Ids of all rows written since the base snapshot, even if they were changed back. */
  #changed = new Set<Id>()

  private constructor(
    definition: DataDefinition<Row>,
    rows: RowCollection<Row> | LaterRows<Row>,
    indexes: Map<string, TableIndex<Row>>,
  ) {
    this.#definition = definition
    this.#rows = rows
    this.#indexes = indexes
  }

  /**
   * Creates data from records, which must be frozen and sorted by id. Changes are recorded relative
   * to the base snapshot of `like`.
   */
  static fromRows<Row extends { id: Id }>(
    definition: DataDefinition<Row>,
    rows: readonly Row[],
    like?: TableData<Row>,
  ): TableData<Row> {
    const collection = new RowCollection(() => definition.schema, rows)
    const data = new TableData(definition, collection, new Map())
    if (like !== undefined) data.#base = like.#base
    if (data.#base !== undefined) data.#changed = findDifferentIds(data.#base.rows, collection)
    return data
  }

  /** Creates data whose records are created when they are first read. */
  static fromLaterRows<Row extends { id: Id }>(
    definition: DataDefinition<Row>,
    rows: LaterRows<Row>,
  ): TableData<Row> {
    return new TableData(definition, rows, new Map())
  }

  get rows(): RowCollection<Row> {
    if (this.#rows instanceof RowCollection) return this.#rows
    const rows = sortById(this.#rows.create().map(deepFreeze))
    return (this.#rows = new RowCollection(() => this.#definition.schema, rows))
  }

  /** Number of records. Does not create them. */
  get size(): number {
    return this.#rows instanceof RowCollection ? this.#rows.all.length : this.#rows.count
  }

  /** The base for recording changes. */
  get base(): TableData<Row> | undefined {
    return this.#base
  }

  /** True if this data is the base snapshot. */
  get isBase(): boolean {
    return this.#base === this
  }

  /** Makes this data the base snapshot for later diffs. */
  setAsBase(): void {
    this.isShared = true
    this.#base = this
    this.#changed = new Set()
  }

  /**
   * Returns the rows that differ from earlier data of the same table, sorted by id. Compares only
   * rows written since the common base snapshot, first by identity, then as JSON.
   */
  listDifferencesFrom(
    earlier: TableData<Row>,
    isSame: (before: Row | undefined, after: Row | undefined) => boolean = isSameJson,
  ): Change<Row>[] {
    if (earlier === this) return []
    const ids =
      this.#base !== undefined && this.#base === earlier.#base
        ? new Set([...earlier.#changed, ...this.#changed])
        : findDifferentIds(earlier.rows, this.rows)
    return [...ids].sort(compareIds).flatMap((id) => {
      const [before, after] = [earlier.rows.get(id), this.rows.get(id)]
      return before === after || isSame(before, after) ? [] : [{ before, after }]
    })
  }

  /**
   * Returns an index, which is built on first use. Building all 122 indexes of the scenario
   * `agency` takes 110 ms, but most tests need only a few indexes. This keeps the time until a test
   * file gets its first page below 600 ms.
   */
  index(name: string): TableIndex<Row> {
    const known = this.#indexes.get(name)
    if (known !== undefined) return known
    const definition = this.#definition.indexes[name]
    if (definition === undefined)
      throw new Error(`Failed to read the index ${name}: there is no such index.`)
    const index = TableIndex.build(definition, this.rows.all)
    this.#indexes.set(name, index)
    return index
  }

  /** Builds all indexes that do not exist yet. */
  buildIndexes(): void {
    for (const name of Object.keys(this.#definition.indexes)) this.index(name)
  }

  /** Applies changes, at most one for each record, to the rows and to all existing indexes. */
  apply(changes: readonly Change<Row>[]): void {
    const isRemoval = changes.length > 1 && changes.every(({ after }) => after === undefined)
    if (isRemoval) this.rows.removeMany(new Set(changes.map(({ before }) => before as Row)))
    else for (const change of changes) this.rows.apply(change)
    if (this.#base !== undefined)
      for (const { before, after } of changes) this.#changed.add((after ?? (before as Row)).id)
    for (const [name, index] of this.#indexes)
      if (!index.apply(changes, this.rows.all.length)) this.#indexes.delete(name)
    this.version = {}
  }

  /** Updates all existing indexes, which releases earlier versions of the records. */
  updateIndexes(): void {
    for (const index of this.#indexes.values()) index.applyWaiting()
  }

  /** Returns a copy of the data for a write. */
  copy(): TableData<Row> {
    const indexes = new Map([...this.#indexes].map(([name, index]) => [name, index.copy()]))
    const copy = new TableData(this.#definition, this.rows.copy(), indexes)
    copy.#base = this.#base
    copy.#changed = new Set(this.#changed)
    return copy
  }
}

/**
 * Returns the ids of rows that are in only one of the two collections, or are different objects in
 * them.
 */
function findDifferentIds<Row extends { id: Id }>(
  one: RowCollection<Row>,
  other: RowCollection<Row>,
): Set<Id> {
  const ids = new Set<Id>()
  for (const row of one.all) if (other.get(row.id) !== row) ids.add(row.id)
  for (const { id } of other.all) if (one.get(id) === undefined) ids.add(id)
  return ids
}

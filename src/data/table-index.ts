import type { Change } from './change-log.ts'
import { SortedList } from './sorted-list.ts'
import type { Comparator } from './sorted-list.ts'
import type { Id } from './rows.ts'

/** The key of a group of rows. */
export type GroupId = number | string

/**
 * A secondary index: sorted groups of rows. A row belongs to no group (`null`), one group or
 * several.
 */
export interface IndexDefinition<Row> {
  group: (row: Row) => GroupId | readonly GroupId[] | null
  order: Comparator<Row>
}

/** A change to the rows of a group. */
interface GroupChange<Row> {
  readonly before?: Row | undefined
  readonly after?: Row | undefined
}

/**
 * Changes in one pass cost as much as this number of single changes for each row of the list,
 * divided by the number of rows.
 */
const rowsPerSingleChange = 64
/** Maximum number of changes that wait, in addition to the number of records in the table. */
const maxWaiting = 1_000

/**
 * An index of a table: the sorted rows of each group. Changes are applied when the index is next
 * read. Many changes in a row are applied in one pass, and a request pays only for the indexes that
 * it reads.
 */
export class TableIndex<Row extends { id: Id }> {
  readonly #definition: IndexDefinition<Row>
  #groups: Map<GroupId, SortedList<Row>>
  /** True if another index uses the same map. In that case, a write must copy the map first. */
  #isShared: boolean
  /** Changes that are not applied yet. */
  #waiting: WaitingChanges<Row>

  private constructor(
    definition: IndexDefinition<Row>,
    groups: Map<GroupId, SortedList<Row>>,
    { isShared, waiting }: { isShared: boolean; waiting: WaitingChanges<Row> },
  ) {
    this.#definition = definition
    this.#groups = groups
    this.#isShared = isShared
    this.#waiting = waiting
  }

  /** Builds the index of the given rows. */
  static build<Row extends { id: Id }>(
    definition: IndexDefinition<Row>,
    rows: readonly Row[],
  ): TableIndex<Row> {
    const members = new Map<GroupId, Row[]>()
    for (const row of rows)
      for (const group of getGroups(definition, row)) {
        const list = members.get(group)
        if (list === undefined) members.set(group, [row])
        else list.push(row)
      }
    const groups = new Map<GroupId, SortedList<Row>>()
    for (const [group, list] of members) groups.set(group, SortedList.from(list, definition.order))
    return new TableIndex(definition, groups, {
      isShared: false,
      waiting: new WaitingChanges(),
    })
  }

  /** Returns the rows of a group. Returns undefined if there are none. */
  get(group: GroupId): SortedList<Row> | undefined {
    this.applyWaiting()
    return this.#groups.get(group)
  }

  /** Returns an independent index with the same rows. */
  copy(): TableIndex<Row> {
    this.#isShared = true
    return new TableIndex(this.#definition, this.#groups, {
      isShared: true,
      waiting: this.#waiting.copy(),
    })
  }

  /**
   * Adds the changes of a write, at most one for each record. `size` is the number of records in
   * the table. Returns false if the index must be discarded, because it has not been read during so
   * many changes that it is better to build it again when it is next read.
   */
  apply(changes: readonly Change<Row>[], size: number): boolean {
    this.#waiting.add(changes)
    return this.#waiting.count <= maxWaiting + size
  }

  /** Applies the changes that wait. */
  applyWaiting(): void {
    if (this.#waiting.count === 0) return
    const changes = this.#waiting.merge()
    this.#waiting = new WaitingChanges()
    if (this.#isShared) this.#groups = new Map(this.#groups)
    this.#isShared = false
    const [first] = changes
    if (changes.length === 1 && first !== undefined)
      this.#forEachGroup(first, (group, change) => this.#change(group, change))
    else this.#applyMany(changes)
  }

  /** Applies changes, at most one for each record. Updates each long list in one pass. */
  #applyMany(changes: readonly Change<Row>[]): void {
    const replacements = new Map<Row, Row>()
    const byGroup = new Map<GroupId, GroupChange<Row>[]>()
    const add = (group: GroupId, change: GroupChange<Row>) => {
      const known = byGroup.get(group)
      if (known === undefined) byGroup.set(group, [change])
      else known.push(change)
    }
    for (const change of changes) {
      const { before, after } = change
      this.#forEachGroup(change, add)
      if (before !== undefined && after !== undefined) replacements.set(before, after)
    }
    for (const [group, ofGroup] of byGroup) {
      const size = this.#groups.get(group)?.size ?? 0
      if (ofGroup.length > 1 && ofGroup.length * rowsPerSingleChange > size)
        this.#changeMany(group, ofGroup, replacements)
      else for (const change of ofGroup) this.#change(group, change)
    }
  }

  #change(group: GroupId, { before, after }: GroupChange<Row>): void {
    const list = this.#groups.get(group) ?? SortedList.fromSorted([], this.#definition.order)
    if (before === undefined) this.#set(group, after === undefined ? list : list.with(after))
    else
      this.#set(group, after === undefined ? list.without(before) : list.replacing(before, after))
  }

  /** @param replacements The new versions of changed rows. All groups share them. */
  #changeMany(
    group: GroupId,
    changes: readonly GroupChange<Row>[],
    replacements: ReadonlyMap<Row, Row>,
  ): void {
    const list = this.#groups.get(group) ?? SortedList.fromSorted([], this.#definition.order)
    const removed = new Set<Row>()
    const added: Row[] = []
    for (const { before, after } of changes) {
      if (before === undefined) added.push(after as Row)
      else if (after === undefined) removed.add(before)
    }
    this.#set(group, list.changing(replacements, removed, added))
  }

  /**
   * Calls a function for each group that a change affects. A row that moves to another rank is
   * removed from its groups and added again.
   */
  #forEachGroup(
    change: Change<Row>,
    visit: (group: GroupId, change: GroupChange<Row>) => void,
  ): void {
    const { before, after } = change
    const oldGroups = before === undefined ? none : getGroups(this.#definition, before)
    const newGroups = after === undefined ? none : getGroups(this.#definition, after)
    const keepsRank =
      before !== undefined && after !== undefined && this.#definition.order(before, after) === 0
    for (const group of oldGroups)
      visit(group, keepsRank && newGroups.includes(group) ? change : { before })
    for (const group of newGroups)
      if (!keepsRank || !oldGroups.includes(group)) visit(group, { after })
  }

  #set(group: GroupId, list: SortedList<Row>): void {
    if (list.size === 0) this.#groups.delete(group)
    else this.#groups.set(group, list)
  }
}

const none: readonly GroupId[] = []

/**
 * Changes that are not applied to an index yet. Of a record that is written again and again, keeps
 * only one change, because each change keeps an earlier version of the record in memory.
 */
class WaitingChanges<Row extends { id: Id }> {
  /** Changes of writes to many records, oldest first. */
  readonly #batches: (readonly Change<Row>[])[] = []
  /** Later changes of writes to one record. */
  #single = new Map<Id, Change<Row>>()
  #batchedCount = 0

  get count(): number {
    return this.#batchedCount + this.#single.size
  }

  /** Adds the changes of a write, at most one for each record. */
  add(changes: readonly Change<Row>[]): void {
    const [first] = changes
    if (changes.length === 1 && first !== undefined) {
      mergeChange(this.#single, first)
      return
    }
    if (this.#single.size > 0) this.#addBatch(listChanges(this.#single))
    this.#single = new Map()
    this.#addBatch(changes)
  }

  /** Returns all changes, merged to one for each record. */
  merge(): readonly Change<Row>[] {
    const [only] = this.#batches
    if (only === undefined) return listChanges(this.#single)
    if (this.#batches.length === 1 && this.#single.size === 0) return only
    const merged = new Map<Id, Change<Row>>()
    for (const batch of this.#batches) for (const change of batch) mergeChange(merged, change)
    for (const change of listChanges(this.#single)) mergeChange(merged, change)
    return listChanges(merged)
  }

  copy(): WaitingChanges<Row> {
    const copy = new WaitingChanges<Row>()
    for (const batch of this.#batches) copy.#addBatch(batch)
    copy.#single = new Map(this.#single)
    return copy
  }

  #addBatch(changes: readonly Change<Row>[]): void {
    this.#batches.push(changes)
    this.#batchedCount += changes.length
  }
}

function mergeChange<Row extends { id: Id }>(
  merged: Map<Id, Change<Row>>,
  change: Change<Row>,
): void {
  const { before, after } = change
  const { id } = (after ?? before) as Row
  const earlier = merged.get(id)
  merged.set(id, earlier === undefined ? change : { before: earlier.before, after })
}

/** Omits records that were added and then removed, or changed back by a rollback. */
function listChanges<Row>(merged: ReadonlyMap<Id, Change<Row>>): readonly Change<Row>[] {
  return [...merged.values()].filter(({ before, after }) => before !== after)
}

function getGroups<Row>({ group }: IndexDefinition<Row>, row: Row): readonly GroupId[] {
  const groups = group(row)
  if (groups === null) return none
  return typeof groups === 'object' ? groups : [groups]
}

import type { Change } from './changes.ts'
import { SortedList } from './sorted-list.ts'
import type { Comparator } from './sorted-list.ts'

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

/** An index of a table: the sorted rows of each group. */
export class TableIndex<Row> {
  readonly #definition: IndexDefinition<Row>
  #groups: Map<GroupId, SortedList<Row>>
  /** True if another index uses the same map. In that case, a write must copy the map first. */
  #isShared: boolean

  private constructor(
    definition: IndexDefinition<Row>,
    groups: Map<GroupId, SortedList<Row>>,
    isShared: boolean,
  ) {
    this.#definition = definition
    this.#groups = groups
    this.#isShared = isShared
  }

  /** Builds the index of the given rows. */
  static build<Row>(definition: IndexDefinition<Row>, rows: readonly Row[]): TableIndex<Row> {
    const members = new Map<GroupId, Row[]>()
    for (const row of rows)
      for (const group of getGroups(definition, row)) {
        const list = members.get(group)
        if (list === undefined) members.set(group, [row])
        else list.push(row)
      }
    const groups = new Map<GroupId, SortedList<Row>>()
    for (const [group, list] of members) groups.set(group, SortedList.from(list, definition.order))
    return new TableIndex(definition, groups, false)
  }

  /** Returns the rows of a group. Returns undefined if there are none. */
  get(group: GroupId): SortedList<Row> | undefined {
    return this.#groups.get(group)
  }

  /** Returns an index with the same groups. Do not write to the original index afterwards. */
  copy(): TableIndex<Row> {
    return new TableIndex(this.#definition, this.#groups, true)
  }

  /** Updates the index after a change. */
  apply(change: Change<Row>): void {
    this.#ownGroups()
    const { before, after } = change
    const { left, kept, joined } = this.#compareGroups(change)
    for (const group of left) this.#set(group, this.#groups.get(group)?.without(before as Row))
    for (const group of kept)
      this.#set(group, this.#groups.get(group)?.replacing(before as Row, after as Row))
    for (const group of joined) this.#add(group, after as Row)
  }

  /**
   * Updates the index after several changes, at most one for each row. Updates each list in one
   * pass. `replacements` maps each updated row to its new version.
   */
  applyMany(changes: readonly Change<Row>[], replacements: ReadonlyMap<Row, Row>): void {
    this.#ownGroups()
    const removed = new Map<GroupId, Set<Row>>()
    const added: [GroupId, Row][] = []
    for (const change of changes) {
      const { left, kept, joined } = this.#compareGroups(change)
      for (const group of kept) if (!removed.has(group)) removed.set(group, new Set())
      for (const group of left) {
        const rows = removed.get(group) ?? new Set()
        removed.set(group, rows.add(change.before as Row))
      }
      for (const group of joined) added.push([group, change.after as Row])
    }
    for (const [group, rows] of removed)
      this.#set(group, this.#groups.get(group)?.replacingMany(replacements, rows))
    for (const [group, row] of added) this.#add(group, row)
  }

  /**
   * Compares a row's groups before and after a change. Returns three lists: the groups that the row
   * leaves, those in which it keeps its rank, and those that it joins.
   */
  #compareGroups({ before, after }: Change<Row>): {
    left: readonly GroupId[]
    kept: readonly GroupId[]
    joined: readonly GroupId[]
  } {
    const oldGroups = before === undefined ? none : getGroups(this.#definition, before)
    const newGroups = after === undefined ? none : getGroups(this.#definition, after)
    if (oldGroups.length === 0) return { left: none, kept: none, joined: newGroups }
    const keepsRank =
      before !== undefined && after !== undefined && this.#definition.order(before, after) === 0
    if (!keepsRank) return { left: oldGroups, kept: none, joined: newGroups }
    if (isSame(oldGroups, newGroups)) return { left: none, kept: oldGroups, joined: none }
    return {
      left: oldGroups.filter((group) => !newGroups.includes(group)),
      kept: oldGroups.filter((group) => newGroups.includes(group)),
      joined: newGroups.filter((group) => !oldGroups.includes(group)),
    }
  }

  /** Copies the groups before the first write if another index shares them. */
  #ownGroups(): void {
    if (!this.#isShared) return
    this.#groups = new Map(this.#groups)
    this.#isShared = false
  }

  #add(group: GroupId, row: Row): void {
    const { order } = this.#definition
    this.#groups.set(
      group,
      this.#groups.get(group)?.with(row) ?? SortedList.fromSorted([row], order),
    )
  }

  #set(group: GroupId, list: SortedList<Row> | undefined): void {
    if (list === undefined || list.size === 0) this.#groups.delete(group)
    else this.#groups.set(group, list)
  }
}

const none: readonly GroupId[] = []

function getGroups<Row>({ group }: IndexDefinition<Row>, row: Row): readonly GroupId[] {
  const groups = group(row)
  if (groups === null) return none
  return typeof groups === 'object' ? groups : [groups]
}

function isSame(some: readonly GroupId[], others: readonly GroupId[]): boolean {
  return some.length === others.length && some.every((group, place) => group === others[place])
}

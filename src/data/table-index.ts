import type { Change } from './changes.ts'
import { SortedList } from './sorted-list.ts'
import type { Comparator } from './sorted-list.ts'

/** The id of a group of rows. */
export type GroupId = number | string

/**
 * A secondary index: sorted groups of rows. A row belongs to no group (`null`), to one, or to many.
 */
export interface IndexDefinition<Row> {
  group: (row: Row) => GroupId | readonly GroupId[] | null
  order: Comparator<Row>
}

/** More changes than this are merged into each list in one pass. */
const maxSingleChanges = 8

/** An index of a table: the sorted rows of each group. */
export class TableIndex<Row> {
  readonly #definition: IndexDefinition<Row>
  #groups: Map<GroupId, SortedList<Row>>
  /** True if another index uses the same map, so that a write must copy it first. */
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

  /** Builds the index of some rows. */
  static build<Row>(definition: IndexDefinition<Row>, rows: readonly Row[]): TableIndex<Row> {
    const members = new Map<GroupId, Row[]>()
    for (const row of rows)
      for (const group of groupsOf(definition, row)) {
        const list = members.get(group)
        if (list === undefined) members.set(group, [row])
        else list.push(row)
      }
    const groups = new Map<GroupId, SortedList<Row>>()
    for (const [group, list] of members) groups.set(group, SortedList.from(list, definition.order))
    return new TableIndex(definition, groups, false)
  }

  /** The rows of a group; undefined if there are none. */
  get(group: GroupId): SortedList<Row> | undefined {
    return this.#groups.get(group)
  }

  /** An index with the same groups. This one must not be written to any more. */
  copy(): TableIndex<Row> {
    return new TableIndex(this.#definition, this.#groups, true)
  }

  /** Brings the index up to date with changes of different rows. */
  apply(changes: readonly Change<Row>[]): void {
    if (this.#isShared) {
      this.#groups = new Map(this.#groups)
      this.#isShared = false
    }
    if (changes.length > maxSingleChanges) this.#applyMany(changes)
    else for (const change of changes) this.#applyOne(change)
  }

  #applyOne(change: Change<Row>): void {
    const { before, after } = change
    const { left, kept, joined } = this.#compareGroups(change)
    for (const group of left) this.#set(group, this.#groups.get(group)?.without(before as Row))
    for (const group of kept)
      this.#set(group, this.#groups.get(group)?.replacing(before as Row, after as Row))
    for (const group of joined) this.#add(group, after as Row)
  }

  #applyMany(changes: readonly Change<Row>[]): void {
    const replacements = new Map<GroupId, Map<Row, Row | undefined>>()
    const replace = (group: GroupId, before: Row, after: Row | undefined) => {
      const known = replacements.get(group)
      if (known === undefined) replacements.set(group, new Map([[before, after]]))
      else known.set(before, after)
    }
    const added: [GroupId, Row][] = []
    for (const change of changes) {
      const { before, after } = change
      const { left, kept, joined } = this.#compareGroups(change)
      for (const group of left) replace(group, before as Row, undefined)
      for (const group of kept) replace(group, before as Row, after)
      for (const group of joined) added.push([group, after as Row])
    }
    for (const [group, rows] of replacements)
      this.#set(group, this.#groups.get(group)?.replacingMany(rows))
    for (const [group, row] of added) this.#add(group, row)
  }

  /** The groups that a row left, those in which it kept its rank, and those that it joined. */
  #compareGroups({ before, after }: Change<Row>): {
    left: readonly GroupId[]
    kept: readonly GroupId[]
    joined: readonly GroupId[]
  } {
    const oldGroups = before === undefined ? none : groupsOf(this.#definition, before)
    const newGroups = after === undefined ? none : groupsOf(this.#definition, after)
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

  #add(group: GroupId, row: Row): void {
    const { order } = this.#definition
    this.#groups.set(group, this.#groups.get(group)?.with(row) ?? SortedList.ofSorted([row], order))
  }

  #set(group: GroupId, list: SortedList<Row> | undefined): void {
    if (list === undefined || list.size === 0) this.#groups.delete(group)
    else this.#groups.set(group, list)
  }
}

const none: readonly GroupId[] = []

function groupsOf<Row>({ group }: IndexDefinition<Row>, row: Row): readonly GroupId[] {
  const groups = group(row)
  if (groups === null) return none
  return typeof groups === 'object' ? groups : [groups]
}

function isSame(some: readonly GroupId[], others: readonly GroupId[]): boolean {
  return some.length === others.length && some.every((group, place) => group === others[place])
}

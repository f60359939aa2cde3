import { SortedList } from './sorted-list.ts'
import type { Comparator } from './sorted-list.ts'

/** Counts the changes of several tables: what was worked out from them holds while the count stays. */
export interface Changes {
  count: number
}

/** What identifies a group of rows. */
export type GroupId = number | string

/** A secondary index: groups of rows, each group kept in order. A row is in no group (`null`), one, or many. */
export interface IndexDefinition<Row> {
  group: (row: Row) => GroupId | readonly GroupId[] | null
  order: Comparator<Row>
}

/** The rows of each group, in order. */
export type Groups<Row> = Map<GroupId, SortedList<Row>>

/** An index at work: its groups are built when somebody first looks. */
export interface Index<Row> extends IndexDefinition<Row> {
  groups: Groups<Row> | undefined
  isShared: boolean
}

function groupsOf<Row>(index: IndexDefinition<Row>, row: Row): readonly GroupId[] {
  const group = index.group(row)
  if (group === null) return []
  return typeof group === 'object' ? group : [group]
}

/** Puts rows into their groups. */
export function buildGroups<Row>(index: IndexDefinition<Row>, rows: readonly Row[]): Groups<Row> {
  const members = new Map<GroupId, Row[]>()
  for (const row of rows) {
    for (const group of groupsOf(index, row)) {
      const list = members.get(group)
      if (list === undefined) members.set(group, [row])
      else list.push(row)
    }
  }
  const groups: Groups<Row> = new Map()
  for (const [group, list] of members) groups.set(group, SortedList.from(list, index.order))
  return groups
}

/** Takes a row that was changed from its old groups into its new ones. */
export function moveInIndex<Row>(index: Index<Row>, before: Row | undefined, after: Row | undefined): void {
  if (index.groups === undefined) return
  if (index.isShared) {
    index.groups = new Map(index.groups)
    index.isShared = false
  }
  const { groups } = index
  const [left, joined] = [before === undefined ? [] : groupsOf(index, before), after === undefined ? [] : groupsOf(index, after)]
  const isInPlace = before !== undefined && after !== undefined && index.order(before, after) === 0
  for (const group of left) {
    const stays = isInPlace && joined.includes(group)
    const list = stays ? groups.get(group)?.replacing(before, after) : groups.get(group)?.without(before as Row)
    if (list === undefined || list.size === 0) groups.delete(group)
    else groups.set(group, list)
  }
  for (const group of joined) {
    if (isInPlace && left.includes(group)) continue
    groups.set(group, groups.get(group)?.with(after as Row) ?? SortedList.from([after as Row], index.order))
  }
}

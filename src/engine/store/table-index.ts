import type { z } from 'zod'
import { SandboxError } from '../../errors.ts'
import { SortedList } from './sorted-list.ts'
import type { Comparator } from './sorted-list.ts'

/** Counts the changes of several tables: what was worked out from them holds while the count stays. */
export interface Changes {
  count: number
  /** What takes back each change since somebody began to attempt something, oldest first. */
  undo?: (() => void)[]
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
  const groups = ownGroups(index)
  if (groups === undefined) return
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

/** The test that a pattern stands for: the fields of a record equal its fields. */
export function toPredicate<Row>(match: Partial<Row> | ((row: Row) => boolean), schema: z.ZodType, verb: string): (row: Row) => boolean {
  if (typeof match === 'function') return match
  requireFields(match, schema, verb)
  const fields = Object.entries(match) as [keyof Row, unknown][]
  return (row) => fields.every(([field, value]) => row[field] === value)
}

/** The schema drops what it does not know: a misspelt field must not be lost without a word. @throws {SandboxError} that names the fields that there are. */
export function requireFields(fields: object, schema: z.ZodType, verb: string): void {
  const { shape = {} } = schema as Partial<z.ZodObject>
  for (const field in fields) {
    if (!Object.hasOwn(shape, field))
      throw new SandboxError(`Failed to ${verb} (${field}): its records have no such field. They have ${Object.keys(shape).join(', ')}.`)
  }
}

/** Keeps the groups that a change of a row touches; the function that it returns puts them back. */
export function keepGroups<Row>(index: Index<Row>, before: Row | undefined, after: Row | undefined): () => void {
  const { groups } = index
  if (groups === undefined) return () => (index.groups = undefined)
  const kept = [before, after].flatMap((row) =>
    row === undefined ? [] : groupsOf(index, row).map((group) => [group, groups.get(group)] as const),
  )
  return () => {
    const own = ownGroups(index)
    for (const [group, list] of kept) {
      if (list === undefined) own?.delete(group)
      else own?.set(group, list)
    }
  }
}

/** The groups as they may be written to: a copy, where a snapshot has them too. */
function ownGroups<Row>(index: Index<Row>): Groups<Row> | undefined {
  if (index.groups !== undefined && index.isShared) {
    index.groups = new Map(index.groups)
    index.isShared = false
  }
  return index.groups
}

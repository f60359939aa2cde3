import type { z } from 'zod'
import { SandboxError } from '../errors.ts'
import type { DependencyTracker } from './dependencies.ts'
import type { ChangeLog } from './change-log.ts'
import { requireObject } from './require.ts'
import { SortedList } from './sorted-list.ts'
import type { Comparator } from './sorted-list.ts'

/**
 * The changes of several tables. What was computed from the tables stays valid while the count
 * stays the same.
 */
export interface Changes {
  count: number
  /** During an attempt: the functions that take its changes back, the oldest change first. */
  undo?: (() => void)[]
  /** Is told what is read. */
  tracker?: DependencyTracker
  /** Notes what changed the records. */
  changeLog?: ChangeLog
}

/** The id of a group of rows. */
export type GroupId = number | string

/**
 * A secondary index: sorted groups of rows. A row belongs to no group (`null`), to one, or to many.
 */
export interface IndexDefinition<Row> {
  group: (row: Row) => GroupId | readonly GroupId[] | null
  order: Comparator<Row>
}

/** The sorted rows of each group. */
export type Groups<Row> = Map<GroupId, SortedList<Row>>

/** An index of a table. */
export interface Index<Row> extends IndexDefinition<Row> {
  /** What a group is that has no rows. */
  readonly empty: SortedList<Row>
  /** Undefined until somebody first reads the index. */
  groups: Groups<Row> | undefined
  /** Whether a snapshot holds the same groups, so that they must be copied before a change. */
  isShared: boolean
  /** How many of the moves that its table keeps are in the groups. */
  moves: number
}

function groupsOf<Row>(index: IndexDefinition<Row>, row: Row): readonly GroupId[] {
  const group = index.group(row)
  if (group === null) return []
  return typeof group === 'object' ? group : [group]
}

/** Puts rows into their groups. */
export function buildGroups<Row>(index: IndexDefinition<Row>, rows: readonly Row[]): Groups<Row> {
  const members = new Map<GroupId, Row[]>()
  for (const row of rows)
    for (const group of groupsOf(index, row)) {
      const list = members.get(group)
      if (list === undefined) members.set(group, [row])
      else list.push(row)
    }
  const groups: Groups<Row> = new Map()
  for (const [group, list] of members)
    groups.set(group, SortedList.ofSorted(list.toSorted(index.order), index.order))
  return groups
}

/** A change of a row: `before` is undefined for a new row, `after` for a removed one. */
export interface Move<Row> {
  readonly before: Row | undefined
  readonly after: Row | undefined
}

/** Moves changed rows, in the order of the changes, from their old groups to their new ones. */
export function moveInIndex<Row extends { id: GroupId }>(
  index: Index<Row>,
  moves: readonly Move<Row>[],
): void {
  const groups = writableGroups(index)
  if (groups === undefined) return
  if (moves.length > oneByOne) moveMany(groups, index, moves)
  else for (const move of moves) moveOne(groups, index, move)
}

/** So few changes are made one after the other. */
const oneByOne = 4

function moveOne<Row>(groups: Groups<Row>, index: Index<Row>, { before, after }: Move<Row>): void {
  const oldGroups = before === undefined ? [] : groupsOf(index, before)
  const newGroups = after === undefined ? [] : groupsOf(index, after)
  const keepsRank = before !== undefined && after !== undefined && index.order(before, after) === 0
  for (const group of oldGroups) {
    const isReplaced = keepsRank && newGroups.includes(group)
    const list = isReplaced
      ? groups.get(group)?.replacing(before, after)
      : groups.get(group)?.without(before as Row)
    setGroup(groups, group, list)
  }
  for (const group of newGroups) {
    if (keepsRank && oldGroups.includes(group)) continue
    groups.set(group, (groups.get(group) ?? index.empty).with(after as Row))
  }
}

function moveMany<Row extends { id: GroupId }>(
  groups: Groups<Row>,
  index: Index<Row>,
  moves: readonly Move<Row>[],
): void {
  const changes = new Map<GroupId, { removed: Set<Row>; added: Row[] }>()
  const changesOf = (group: GroupId) => {
    const known = changes.get(group) ?? { removed: new Set(), added: [] }
    changes.set(group, known)
    return known
  }
  for (const { before, after } of inAll(moves)) {
    if (before === after) continue
    if (before !== undefined)
      for (const group of groupsOf(index, before)) changesOf(group).removed.add(before)
    if (after !== undefined)
      for (const group of groupsOf(index, after)) changesOf(group).added.push(after)
  }
  for (const [group, { removed, added }] of changes)
    setGroup(groups, group, (groups.get(group) ?? index.empty).changed(removed, added))
}

/** What changes come to: one of each row. */
function inAll<Row extends { id: GroupId }>(moves: readonly Move<Row>[]): Iterable<Move<Row>> {
  const all = new Map<GroupId, Move<Row>>()
  for (const move of moves) {
    const { id } = (move.after ?? move.before) as Row
    const earlier = all.get(id)
    all.set(id, earlier === undefined ? move : { before: earlier.before, after: move.after })
  }
  return all.values()
}

function setGroup<Row>(
  groups: Groups<Row>,
  group: GroupId,
  list: SortedList<Row> | undefined,
): void {
  if (list === undefined || list.size === 0) groups.delete(group)
  else groups.set(group, list)
}

/** Makes the test of a pattern: a record passes when its fields equal those of the pattern. */
export function toPredicate<Row>(
  match: Partial<Row> | ((row: Row) => boolean),
  table: { schema: z.ZodType },
  verb: string,
): (row: Row) => boolean {
  if (typeof match === 'function') return match
  requireObject(match, verb)
  requireFields(match, table.schema, verb)
  const fields = Object.entries(match) as [keyof Row, unknown][]
  return (row) => fields.every(([field, value]) => row[field] === value)
}

/**
 * Requires that a schema has all fields of an object. Without this check the schema would drop a
 * misspelt field silently.
 * @throws {SandboxError} that lists the fields of the schema.
 */
export function requireFields(fields: object, schema: z.ZodType, verb: string): void {
  const { shape = {} } = schema as Partial<z.ZodObject>
  for (const field in fields) {
    if (!Object.hasOwn(shape, field))
      throw new SandboxError(
        `Failed to ${verb} (${field}): its records have no such field. They have ` +
          `${Object.keys(shape).join(', ')}.`,
      )
  }
}

/** The fields of records that must be given: those without a default. */
export function requiredFields(schema: z.ZodType): string[] {
  const { shape = {} } = schema as Partial<z.ZodObject>
  return Object.entries(shape).flatMap(([field, { def }]) =>
    ['default', 'optional'].includes((def as { type: string }).type) ? [] : [field],
  )
}

/** The fields of a schema, in its order. */
export interface Fields {
  names: readonly string[]
  /** The fields that a row may lack. */
  optional: ReadonlySet<string>
  /** Undefined where the schema has rules over several fields. */
  schemas: Readonly<Record<string, z.ZodType>> | undefined
}

/** Lists the fields of the schema of a table. */
export function fieldsOf(schema: z.ZodType): Fields {
  const { shape = {} } = schema as Partial<z.ZodObject>
  const { type, checks = [] } = schema.def as { type: string; checks?: readonly unknown[] }
  // Without a prototype: what everything has, such as `constructor`, is no field.
  const schemas: Record<string, z.ZodType> = Object.assign(Object.create(null), shape)
  const names = Object.keys(schemas)
  const optional = new Set(names.filter((name) => schemas[name]?.def.type === 'optional'))
  return {
    names,
    optional,
    schemas: type === 'object' && checks.length === 0 ? schemas : undefined,
  }
}

/** Whether a row has all fields that it must have, in the order of its schema, and no others. */
export function isWhole(row: object, { names, optional }: Fields): boolean {
  let place = 0
  const passAbsent = (until?: string) => {
    while (place < names.length && names[place] !== until && optional.has(names[place] ?? ''))
      place += 1
  }
  for (const field in row) {
    if (field !== names[place]) passAbsent(field)
    if (field !== names[place]) return false
    place += 1
  }
  passAbsent()
  return place === names.length
}

/**
 * The groups of an index, ready for a change. They are copied first when a snapshot holds the same
 * ones.
 */
function writableGroups<Row>(index: Index<Row>): Groups<Row> | undefined {
  if (index.groups !== undefined && index.isShared) {
    index.groups = new Map(index.groups)
    index.isShared = false
  }
  return index.groups
}

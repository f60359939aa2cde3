import { Collection, Query } from '@msw/data'
import type { z } from 'zod'
import { atCaller, describe, SandboxError } from '../errors.ts'
import { once } from '../lib/once.ts'
import { containersOf, deepFreeze, freezeRow } from './freeze.ts'
import { Records } from './records.ts'
import { findWrongName } from './references.ts'
import type { AnyReferences, LookUp, References } from './references.ts'
import { requireCount, requireId, requireObject } from './require.ts'
import { compareIds, isTooLarge, maxId, placeOf, replaceRows } from './rows.ts'
import type { Id } from './rows.ts'
import { SortedList } from './sorted-list.ts'
import type { Comparator } from './sorted-list.ts'
import {
  buildGroups,
  fieldsOf,
  isWhole,
  moveInIndex,
  requiredFields,
  requireFields,
  toPredicate,
} from './table-index.ts'
import type { Changes, Fields, Groups, Index, IndexDefinition, Move } from './table-index.ts'

type RowSchema = z.ZodObject<{ id: z.ZodType<Id> }>

/** What a table is made of: the schema of its records and its indexes. */
export interface TableDefinition<Schema extends RowSchema, Name extends string> {
  schema: Schema
  indexes: Record<Name, IndexDefinition<z.output<Schema>>>
  /** What its records name in other tables. */
  references?: References<z.output<Schema>>
  /**
   * The fields that hold epoch seconds, as a whole number or as a text with six decimals: they move
   * with a scenario.
   */
  epochSeconds?: readonly (keyof z.output<Schema> & string)[]
  /** Where its ids begin: as long as the platform's, and apart from those of other tables. */
  firstId?: number
  /**
   * Set where it follows other tables and is built from them; `remembers`: it keeps what they no
   * longer tell, so a snapshot has it.
   */
  derived?: 'rebuilt' | 'remembers'
  /** The fields that may hold objects or arrays: only these need a look when rows are frozen. */
  containers: readonly string[]
}

/**
 * Declares a table; its record type and index names are inferred. A lazy schema is made when
 * somebody first needs it.
 */
export function defineTable<Schema extends RowSchema, Name extends string>({
  schema,
  ...definition
}: Omit<TableDefinition<Schema, Name>, 'containers' | 'schema'> & {
  schema: Schema | z.ZodLazy<Schema>
}): TableDefinition<Schema, Name> {
  const toSchema = once(() => (isLazy(schema) ? schema.unwrap() : schema))
  const toContainers = once(() => containersOf(toSchema()))
  return {
    ...definition,
    get schema() {
      return toSchema()
    },
    get containers() {
      return toContainers()
    },
  }
}

function isLazy<Schema extends RowSchema>(
  schema: Schema | z.ZodLazy<Schema>,
): schema is z.ZodLazy<Schema> {
  return schema.def.type === 'lazy'
}

/** The table that a definition makes. */
export type TableOf<Definition> =
  Definition extends TableDefinition<infer Schema, infer Name>
    ? Table<z.output<Schema>, Name, z.input<Schema> & { id: Id }>
    : never

/** What a table shares with the other tables of its world. */
export interface TableContext {
  changes?: Changes
  /** Finds what records name. Without it no names are checked. */
  lookUp?: LookUp
  /**
   * Fills in what a record lacks. Without it a record must have all fields that have no default.
   */
  complete?: (values: Readonly<Record<string, unknown>>) => object
}

/**
 * Told of every change: `before` is undefined on insert, `after` on remove; `load` when all records
 * were replaced.
 */
export interface TableWatcher<Row> {
  change: (before: Row | undefined, after: Row | undefined) => void
  load?: () => void
  /**
   * The derived table that it keeps: many rows at once outdate it, and while it is outdated it
   * needs no change.
   */
  keeps?: { readonly isOutdated: boolean; outdate: () => void }
}

/**
 * A table's state at one time, to be handed to `restore`: pointers to records, no copies of them.
 */
export interface TableSnapshot<Row extends { id: Id }> {
  token: Token<Row>
  records: Records<Row>
  isOutdated: boolean
}

/**
 * Stands for the records of a table at one time, and holds the indexes that were built of them:
 * whoever has the same records, in this world or in another one, takes them from here.
 */
interface Token<Row> {
  /** Made with the first of them: there is a new token with every change. */
  indexes?: Map<string, Groups<Row>>
}

/**
 * The records of one kind, in an @msw/data collection whose live array is kept in the order of the
 * ids. What the library lacks stands here: unique ids, sorted indexes, synchronous writes that
 * cannot be lost, frozen records, snapshots of pointers.
 */
export class Table<
  Row extends { id: Id },
  Name extends string = string,
  Input extends { id: Id } = Row,
> {
  readonly name: string
  readonly #definition: { schema: z.ZodType<Row>; containers: readonly string[] }
  readonly #collection: Collection<z.ZodType<Row>>
  readonly #rows: Row[]
  /** Asked when records are frozen. */
  readonly #containers = () => this.#definition.containers as (keyof Row)[]
  readonly #indexes: Map<string, Index<Row>>
  /** The last changes: an index takes them when somebody next reads it, all at once. */
  readonly #moves: Move<Row>[] = []
  readonly #watchers: TableWatcher<Row>[] = []
  readonly #changes: Changes
  readonly #references: AnyReferences
  /** True if it is built from other tables. @internal */
  readonly isDerived: boolean
  readonly #lookUp: LookUp | undefined
  readonly #complete: TableContext['complete']
  /** The fields without a default. They are listed when a record first comes in. */
  #required: readonly string[] | undefined
  /** The fields by name. They are listed when a record is first changed. */
  #fields: Fields | undefined
  #token: Token<Row> = {}
  #build: (() => readonly Row[]) | undefined
  /** Writes what changes of the table that this one follows come to. */
  #take: ((moves: readonly Move<object>[]) => void) | undefined
  /** Changes of that table which are still to be taken. */
  #untaken: Move<object>[] = []
  #isOutdated = false
  /** Records that replace all others when somebody next looks. */
  #waiting: Records<Row> | undefined

  /** @internal */
  constructor(
    name: string,
    definition: {
      schema: z.ZodType<Row>
      indexes: Record<Name, IndexDefinition<Row>>
      references?: AnyReferences
      derived?: 'rebuilt' | 'remembers'
      containers: readonly string[]
    },
    { changes = { count: 0 }, lookUp, complete }: TableContext = {},
  ) {
    this.name = name
    this.#changes = changes
    this.#references = definition.references ?? {}
    this.isDerived = definition.derived !== undefined
    this.#lookUp = lookUp
    this.#complete = complete
    this.#definition = definition
    this.#collection = new Collection({
      get schema() {
        return definition.schema
      },
    })
    // @note `all()` hands out the library's own array: writing to it is how a write avoids the
    // library's scans and awaits.
    this.#rows = this.#collection.all()
    this.#indexes = new Map(
      Object.entries<IndexDefinition<Row>>(definition.indexes).map(([index, { group, order }]) => [
        index,
        {
          group,
          order,
          groups: undefined,
          isShared: false,
          moves: 0,
          empty: SortedList.ofSorted<Row>([], order),
        },
      ]),
    )
  }

  get #schema(): z.ZodType<Row> {
    return this.#definition.schema
  }

  /** How many records there are. */
  get size(): number {
    this.#noteAll()
    return this.#present().length
  }

  /**
   * Another object after every change, the same one until then: tells whether what was made from
   * the table still holds. @internal
   */
  get token(): object {
    return this.#token
  }

  /**
   * The token, while no records have to be built: what was read at one holds as long as it is the
   * same. @internal
   */
  get version(): object | undefined {
    return this.#isOutdated ? undefined : this.#token
  }

  /** The record of that id. */
  get(id: Id): Row | undefined {
    requireId(id, 'read', this.name)
    const row = this.#at(id)
    this.#changes.tracker?.current?.add(this, undefined, id, row)
    return row
  }

  /** All records in the order of their ids. */
  all(): readonly Row[] {
    this.#noteAll()
    return this.#present().slice()
  }

  /** The records from one place on, in the order of their ids. */
  slice(offset: number, limit: number): readonly Row[] {
    requireCount(offset, 'offset', this.name)
    requireCount(limit, 'limit', this.name)
    this.#noteAll()
    return this.#present().slice(offset, offset + limit)
  }

  /**
   * Every record that matches; a pattern matches records whose fields equal its fields. It looks at
   * every record of the table.
   */
  where(match: Partial<Row> | ((row: Row) => boolean)): Row[] {
    this.#noteAll()
    this.#present()
    try {
      return this.#collection.findMany(
        new Query<Row>(toPredicate(match, this.#definition, `search ${this.name}`)),
      )
    } catch (error) {
      throw atCaller(error, this.where)
    }
  }

  /** The first record, by id, that matches. It looks at every record of the table. */
  find(match: Partial<Row> | ((row: Row) => boolean)): Row | undefined {
    this.#noteAll()
    this.#present()
    try {
      return this.#collection.findFirst(
        new Query<Row>(toPredicate(match, this.#definition, `search ${this.name}`)),
      )
    } catch (error) {
      throw atCaller(error, this.find)
    }
  }

  /** The rows of one group of an index, in the index's order. @internal */
  in(index: Name, group: Id): SortedList<Row> {
    const { groups, empty } = this.#built(index)
    const rows = groups.get(group)
    this.#changes.tracker?.current?.add(this, index, group, rows)
    return rows ?? empty
  }

  /**
   * What a read finds now, for who read it before: a record, the rows of a group, or what stands
   * for all records. @internal
   */
  look(index: string | undefined, key: Id | undefined): unknown {
    if (key === undefined) return this.#present() && this.#token
    return index === undefined ? this.#at(key) : this.#built(index as Name).groups.get(key)
  }

  /**
   * Adds a record and returns it as stored; a field that has a default may be left out. @throws
   * {SandboxError} when it does not fit the schema, the id is taken or too large, or it names a
   * record that is not there.
   */
  insert(values: Input): Row {
    try {
      return this.#insert(values)
    } catch (error) {
      throw atCaller(error, this.insert)
    }
  }

  #insert(values: Input): Row {
    this.#present()
    const row = this.#parse(this.#completed(values), 'insert into')
    const place = this.#freePlace(row)
    this.#requireNamed(row, 'insert into')
    return this.#enter(row, place)
  }

  /**
   * Adds a record that code of the sandbox made whole: it has all fields, as its schema orders
   * them, and what it names is there. To look at them again takes a fifth of a write. @throws
   * {SandboxError} when the id is taken or too large. @internal
   */
  add(row: Row): Row {
    this.#present()
    const place = this.#freePlace(row)
    freezeRow(row, this.#containers())
    return this.#enter(row, place)
  }

  #enter(row: Row, place: number): Row {
    this.#rows.splice(place, 0, row)
    this.#changed(undefined, row)
    return row
  }

  /**
   * Where a new record comes to stand. @throws {SandboxError} when the id is taken or too large.
   */
  #freePlace(row: Row): number {
    const newest = this.#rows.at(-1)
    const place =
      newest !== undefined && compareIds(newest.id, row.id) < 0
        ? this.#rows.length
        : placeOf(this.#rows, row.id)
    if (this.#rows[place]?.id === row.id) {
      throw new SandboxError(
        `Failed to insert into ${this.name}: the id ${describe(row.id)} is taken. Choose ` +
          `another, or update that record.`,
      )
    }
    if (isTooLarge(row.id))
      throw new SandboxError(
        `Failed to insert into ${this.name} (id: ${row.id}): later records get larger ids, so ` +
          `it must be at most ${maxId}.`,
      )
    return place
  }

  /**
   * Changes some fields of a record and returns it as stored. @throws {SandboxError} when there is
   * no such record, it no longer fits the schema, or a changed field names a record that is not
   * there.
   */
  update(id: Id, changes: Partial<Row>): Row {
    try {
      return this.#update(id, changes)
    } catch (error) {
      throw atCaller(error, this.update)
    }
  }

  #update(id: Id, changes: Partial<Row>): Row {
    requireId(id, 'update', this.name)
    requireObject(changes, `update ${this.name}`)
    this.#present()
    const place = placeOf(this.#rows, id)
    const before = this.#rows[place]
    if (before?.id !== id)
      throw new SandboxError(
        `Failed to update ${this.name}: there is no record with the id ${describe(id)}.`,
      )
    const after = this.#replaced(before, changes) ?? this.#reparsed(before, changes)
    if (after === before) return before
    this.#requireNamed(after, 'update', changes)
    this.#rows[place] = after
    this.#changed(before, after, changes)
    return after
  }

  /**
   * Adds a record, or puts it in the place of the one with its id. @throws {SandboxError} when it
   * does not fit the schema.
   */
  put(values: Input): Row {
    try {
      requireObject(values, `insert into ${this.name}`)
      return this.get(values.id) === undefined
        ? this.insert(values)
        : this.update(values.id, values as unknown as Partial<Row>)
    } catch (error) {
      throw atCaller(error, this.put)
    }
  }

  /**
   * Removes a record and returns it; undefined when there was none. @note Nobody looks who names
   * it: `sandbox.check()` tells.
   */
  remove(id: Id): Row | undefined {
    requireId(id, 'remove from', this.name)
    this.#present()
    const place = placeOf(this.#rows, id)
    const row = this.#rows[place]
    if (row?.id !== id) return undefined
    this.#rows.splice(place, 1)
    this.#changed(row, undefined)
    return row
  }

  /**
   * Whether a record to insert lacks a field that has no default, or says by `at` when it came to
   * be: then it is to be completed.
   */
  lacks(values: object): boolean {
    this.#required ??= requiredFields(this.#schema)
    const fields = values as Readonly<Record<string, unknown>>
    return fields['at'] !== undefined || this.#required.some((field) => fields[field] === undefined)
  }

  /**
   * Replaces all records by these, which are trusted to fit the schema: how seeds and checked
   * snapshots come in. @internal
   */
  load(rows: readonly Row[]): void {
    const records = new Records(rows, this.#containers)
    this.#keepAll()
    this.#isOutdated = false
    this.#replaceAll(records)
    for (const { keeps, load } of this.#watchers) {
      keeps?.outdate()
      load?.()
    }
  }

  /**
   * Makes this a table that follows others: `build` gives its records, whenever somebody looks
   * after it was outdated. @internal
   */
  derive(build: () => readonly Row[]): void {
    this.#build = build
  }

  /**
   * Makes this a table that takes the changes of another one when somebody next looks, all at once:
   * `take` writes what they come to. It may depend on nothing but them and on this table. Returns
   * what to watch the other table with. @internal
   */
  following<Source extends object>(
    take: (moves: readonly Move<Source>[]) => void,
  ): TableWatcher<Source> {
    this.#take = take as (moves: readonly Move<object>[]) => void
    return { keeps: this, change: (before, after) => this.#leave({ before, after }) }
  }

  /** Builds an outdated table, and all indexes of a large one, ahead of the first read. @internal */
  prepare(): void {
    const rows = this.#present()
    if (!this.isLarge) return
    for (const [name, index] of this.#indexes)
      if (this.#known(name, index) === undefined) this.#share(name, index, buildGroups(index, rows))
  }

  /**
   * Whether it holds so many records that to build an index takes longer than a request may wait.
   * @internal
   */
  get isLarge(): boolean {
    return this.knownSize >= largeTable
  }

  /** How many records it holds. One that is outdated is not built for that. @internal */
  get knownSize(): number {
    return (this.#waiting?.unsorted ?? this.#rows).length
  }

  /** Whether it is to be built when somebody looks. @internal */
  get isOutdated(): boolean {
    return this.#isOutdated
  }

  /** What it follows was replaced. @internal */
  outdate(): void {
    this.#keepAll()
    this.#untaken.length = 0
    this.#isOutdated = true
  }

  /** Tells the watcher of every later change; it may write to other tables. @internal */
  watch(watcher: TableWatcher<Row>): void {
    this.#watchers.push(watcher)
  }

  /**
   * The state now. Costs a copy of pointers; the indexes are shared until either side writes.
   * @internal
   */
  snapshot(): TableSnapshot<Row> {
    this.#takeLeft()
    for (const [name, index] of this.#indexes) {
      const groups = this.#known(name, index)
      if (groups !== undefined) this.#share(name, index, groups)
    }
    const records = this.#waiting ?? new Records(this.#rows.slice())
    return {
      token: this.#token,
      records,
      isOutdated: this.#isOutdated,
    }
  }

  /**
   * Goes back to a snapshot of this table or of its twin in another world. Watchers are not told:
   * their tables go back too. @internal
   */
  restore(snapshot: TableSnapshot<Row>): void {
    if (snapshot.token === this.#token && snapshot.isOutdated === this.#isOutdated) return
    this.#untaken.length = 0
    this.#changes.count += 1
    this.#token = snapshot.token
    this.#isOutdated = snapshot.isOutdated
    this.#waiting = snapshot.records
    this.#forgetIndexes()
  }

  /**
   * Completes a record that lacks something. Nearly all records come from code of the sandbox and
   * lack nothing.
   */
  #completed(values: Input): object {
    requireObject(values, `insert into ${this.name}`)
    if (this.#complete === undefined || !this.lacks(values)) return values
    return this.#complete(values as unknown as Readonly<Record<string, unknown>>)
  }

  /**
   * A record with these changes: the same one where they change nothing. Of one that is as its
   * schema writes it, only what changes needs a look. Undefined where the whole of it does, as for
   * every change that does not fit.
   */
  #replaced(before: Row, changes: Partial<Row>): Row | undefined {
    this.#fields ??= fieldsOf(this.#schema)
    const { schemas } = this.#fields
    if (schemas === undefined || !isWhole(before, this.#fields)) return undefined
    let after: Row | undefined
    for (const field in changes) {
      const value = changes[field]
      if (value === undefined || !(field in before)) return undefined
      if (field === 'id' || value === before[field]) continue
      const result = schemas[field]?.safeParse(value)
      if (result?.success !== true) return undefined
      after ??= { ...before }
      after[field] = deepFreeze(result.data) as Row[typeof field]
    }
    return after === undefined ? before : Object.freeze(after)
  }

  /**
   * The same, for what needs a look at the whole record. @throws {SandboxError} where the changes
   * do not fit.
   */
  #reparsed(before: Row, changes: Partial<Row>): Row {
    requireFields(changes, this.#schema, `update ${this.name}`)
    // A default is for what was never given: an undefined value would reset the field without a
    // word.
    for (const field in changes)
      if (changes[field] === undefined)
        throw new SandboxError(
          `Failed to update ${this.name} (${field}): it is undefined. Leave the field out, or ` +
            `give it a value.`,
        )
    return this.#parse({ ...before, ...changes, id: before.id }, 'update')
  }

  #parse(values: unknown, verb: string): Row {
    const result = this.#schema.safeParse(values)
    if (result.success) return deepFreeze(result.data)
    const problems = result.error.issues.map(
      (issue) => `${issue.path.join('.') || 'record'}: ${issue.message}`,
    )
    throw new SandboxError(`Failed to ${verb} ${this.name}: ${problems.join('; ')}.`)
  }

  #requireNamed(row: Row, verb: string, fields?: Partial<Row>): void {
    if (this.#lookUp === undefined) return
    const wrong = findWrongName(row, this.#references, { lookUp: this.#lookUp, fields })
    if (wrong !== undefined)
      throw new SandboxError(
        `Failed to ${verb} ${this.name} (${wrong.what}): ${wrong.why}. ${nameAdvice}`,
      )
  }

  #changed(before: Row | undefined, after: Row | undefined, among?: Partial<Row>): void {
    this.#changes.undo?.push(this.#undoing(before, after))
    this.#changes.count += 1
    if (!this.isDerived) this.#changes.changeLog?.note(this.name, before, after, among)
    this.#keepMove({ before, after })
    if (this.#watchers.length === 0) return
    // What is built while they are told has seen this change already: whom to tell is decided
    // before.
    for (const watcher of this.#watchers.filter(isToBeTold)) watcher.change(before, after)
  }

  /** Keeps a change for the indexes. */
  #keepMove(move: Move<Row>): void {
    // Those that others have built of the records as they were take it from there.
    if (this.#token.indexes !== undefined)
      for (const [name, index] of this.#indexes)
        if (index.groups === undefined) this.#known(name, index)
    this.#token = {}
    if (this.#moves.push(move) < maxMoves) return
    for (const index of this.#indexes.values()) this.#catchUp(index)
    this.#forgetMoves()
  }

  /** Lets an index take the changes that came since somebody read it. */
  #catchUp(index: Index<Row>): void {
    if (index.moves < this.#moves.length && index.groups !== undefined)
      moveInIndex(index, index.moves === 0 ? this.#moves : this.#moves.slice(index.moves))
    index.moves = this.#moves.length
  }

  #forgetMoves(): void {
    this.#moves.length = 0
    for (const index of this.#indexes.values()) index.moves = 0
  }

  /** What takes a change back: watchers are not told, their tables take back their own. */
  #undoing(before: Row | undefined, after: Row | undefined): () => void {
    const token = this.#token
    return () => {
      this.#takeWaiting()
      const place = placeOf(this.#rows, (before ?? (after as Row)).id)
      this.#rows.splice(
        place,
        after === undefined ? 0 : 1,
        ...(before === undefined ? [] : [before]),
      )
      this.#keepMove({ before: after, after: before })
      this.#token = token
      this.#changes.count += 1
    }
  }

  /**
   * Leaves a change of the table that this one follows to whoever looks next. What may be taken
   * back is taken at once.
   */
  #leave(move: Move<object>): void {
    if (this.#changes.undo !== undefined) {
      this.#takeLeft()
      this.#take?.([move])
      return
    }
    this.#token = {}
    if (this.#untaken.push(move) >= maxMoves) this.#takeLeft()
  }

  /**
   * Takes the changes that are left. They were counted when they were made, and what is taken back
   * now came after them.
   */
  #takeLeft(): void {
    if (this.#untaken.length === 0) return
    const { count, undo, tracker } = this.#changes
    const take = () => this.#take?.(this.#untaken.splice(0))
    this.#changes.undo = undefined
    try {
      if (tracker === undefined) take()
      else tracker.untracked(take)
    } finally {
      this.#changes.count = count
      this.#changes.undo = undo
    }
  }

  /** Before all records are replaced: keeps them, in case that it is taken back. */
  #keepAll(): void {
    if (this.#changes.undo === undefined) return
    const snapshot = this.snapshot()
    this.#changes.undo.push(() => this.restore(snapshot))
  }

  #at(id: Id): Row | undefined {
    const row = this.#present()[placeOf(this.#rows, id)]
    return row?.id === id ? row : undefined
  }

  /** Somebody reads all records. */
  #noteAll(): void {
    const reads = this.#changes.tracker?.current
    if (reads === undefined) return
    this.#present()
    reads.add(this, undefined, undefined, this.#token)
  }

  /** The records, rebuilt if they are outdated. */
  #present(): readonly Row[] {
    if (this.#isOutdated) this.#rebuild()
    if (this.#untaken.length > 0) this.#takeLeft()
    this.#takeWaiting()
    return this.#rows
  }

  /**
   * Builds a derived table again. A view that reads this table depends on it, and not on its
   * sources.
   */
  #rebuild(): void {
    const { tracker } = this.#changes
    const built = tracker === undefined ? this.#build?.() : tracker.untracked(() => this.#build?.())
    const records = new Records(built ?? [], this.#containers)
    records.prepare()
    this.#keepAll()
    this.#isOutdated = false
    this.#replaceAll(records)
  }

  #takeWaiting(): void {
    if (this.#waiting === undefined) return
    replaceRows(this.#rows, this.#waiting.rows)
    this.#waiting = undefined
  }

  #replaceAll(records: Records<Row>): void {
    this.#untaken.length = 0
    this.#waiting = records
    this.#forgetIndexes()
    this.#changes.count += 1
    this.#token = {}
  }

  #forgetIndexes(): void {
    for (const index of this.#indexes.values()) index.groups = undefined
    this.#forgetMoves()
  }

  /** The groups of an index, where somebody has built them of the same records. */
  #known(name: string, index: Index<Row>): Groups<Row> | undefined {
    this.#catchUp(index)
    if (index.groups !== undefined) return index.groups
    const groups = this.#token.indexes?.get(name)
    if (groups !== undefined) this.#share(name, index, groups)
    return groups
  }

  #share(name: string, index: Index<Row>, groups: Groups<Row>): void {
    index.groups = groups
    index.isShared = true
    this.#token.indexes ??= new Map()
    this.#token.indexes.set(name, groups)
  }

  #built(name: Name): BuiltIndex<Row> {
    const rows = this.#present()
    const index = this.#indexes.get(name)
    if (index === undefined)
      throw new SandboxError(`Failed to read ${this.name}: it has no index ${describe(name)}.`)
    if (this.#known(name, index) === undefined) this.#share(name, index, buildGroups(index, rows))
    return index as BuiltIndex<Row>
  }
}

/** An index that somebody has read. */
type BuiltIndex<Row> = Index<Row> & { groups: Groups<Row> }

/** Whether a watcher needs a change: the table that it keeps may have to be built anew anyway. */
function isToBeTold({ keeps }: { readonly keeps?: { readonly isOutdated: boolean } }): boolean {
  return keeps?.isOutdated !== true
}

const largeTable = 5_000
/** How many changes wait for indexes that nobody reads. */
const maxMoves = 512
const nameAdvice = 'Insert that one first, or name another.'

/** Orders rows by the first comparator, and those that it leaves equal by the second. */
export function orderBy<Row>(first: Comparator<Row>, second: Comparator<Row>): Comparator<Row> {
  return (a, b) => first(a, b) || second(a, b)
}

/** Smaller values first. */
export function ascending<Row>(field: (row: Row) => Id): Comparator<Row> {
  return (a, b) => compareIds(field(a), field(b))
}

/** Larger values first. */
export function descending<Row>(field: (row: Row) => Id): Comparator<Row> {
  return (a, b) => compareIds(field(b), field(a))
}

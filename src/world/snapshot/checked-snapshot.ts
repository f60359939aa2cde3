import { z } from 'zod'
import { cut, describe, SandboxError } from '../../errors.ts'
import { FaultList } from '../fault.ts'
import { jsonSize } from '../../lib/json-size.ts'
import { maxNotes, Note } from '../notes.ts'
import { KeptRows } from './kept-rows.ts'
import { copyJson } from '../../lib/plain-json.ts'
import { readAt } from '../../lib/read-at.ts'
import { maxRecordCharacters, maxRecords, snapshotFormat, storedTables } from './snapshot.ts'
import { stopEarly } from '../../lib/stop-early.ts'
import { findBrokenReference } from '../../data/references.ts'
import { isTooLarge, maxId } from '../../data/rows.ts'
import type { Id } from '../../data/rows.ts'
import { anyTable } from '../../data/tables.ts'
import type { AnyTableDefinition, TableDefinitions } from '../../data/tables.ts'
import { parseMoment } from '../../lib/time.ts'
import { inUnits } from '../work.ts'
import type { Work } from '../work.ts'
import { mainId, worldIdForm } from '../world-name.ts'
import type { World } from '../world.ts'
import type { WorldRules } from '../world-options.ts'
import type { WorldState } from '../world-state.ts'
import { readingWritten, WrittenSnapshot } from './written-snapshot.ts'
import type { WorldJson } from './written-snapshot.ts'

type Rules = Pick<WorldRules<TableDefinitions, never>, 'definitions' | 'services'>

/** The shape of a snapshot. Made when it is needed: few sandboxes are restored. */
export function snapshotSchema({ definitions, services }: Rules) {
  const instant = z
    .string()
    .max(100)
    .refine((text) => parseMoment(text) !== undefined, { error: 'it must be an RFC 3339 instant' })
  const clock = z.strictObject({
    now: instant,
    mode: z.enum(['frozen', 'running', 'follow']),
    rate: z.number().positive().max(1_000_000),
  })
  const limits = z
    .array(
      z.tuple([
        z.int(),
        z.strictObject({
          minute: z.int(),
          minuteUsed: z.int().min(0),
          day: z.int(),
          dayUsed: z.int().min(0),
        }),
      ]),
    )
    .max(10_000)
  // Each is checked for itself, by the schema of its table, and held to `maxRecordCharacters`.
  const records = z.array(z.unknown()).max(maxRecords)
  return z.strictObject({
    version: z.literal(snapshotFormat),
    scenario: z.string().max(200),
    world: z
      .string()
      .max(100)
      .regex(worldIdForm, { error: 'it must be the id of a world, such as main or _worker-3' })
      .default(mainId),
    seed: z.int(),
    start: instant.optional(),
    worldState: z.strictObject({
      clock,
      random: z.array(z.int()).length(4),
      sequences: z
        .partialRecord(z.enum(Object.keys(definitions)), z.int().min(0).max(maxId))
        .meta({ maxProperties: Object.keys(definitions).length }) as unknown as z.ZodType<
        WorldState['sequences']
      >,
      limits,
      faults: z.strictObject({ lastId: z.int().min(0), faults: FaultList }),
      ...Object.fromEntries(services.map(({ name, schema }) => [name, schema])),
      scriptPosition: z.int().min(0).default(0),
      writes: z.int().min(0).default(0),
      notes: z.array(Note).max(maxNotes).default([]),
    }) satisfies z.ZodType<WorldState>,
    tables: z.strictObject(
      Object.fromEntries(
        storedTables(definitions).map(([name, { derived }]) => [
          name,
          derived === undefined ? records : records.optional(),
        ]),
      ),
    ),
    digest: z.string().max(100).optional(),
  })
}

/**
 * Checks a whole snapshot, every record included, unless this version wrote it and nobody has
 * changed it since.
 * @throws {SandboxError} that names the table, the id and the field.
 */
export function* parsingSnapshot(
  json: unknown,
  { rules, release, kept }: { rules: Rules; release: string; kept: KeptRows },
): Work<WorldJson> {
  if (WrittenSnapshot.isUnchanged(json)) return json
  const written = yield* readingWritten(json, release, kept)
  if (written !== undefined) return written
  if (typeof json === 'string')
    throw new SandboxError(
      `Failed to restore the snapshot (a text of ${json.length} characters): it must be the ` +
        `value that the text stands for. Parse ` +
        'it first: restore(JSON.parse(text)).',
    )
  const { version } = (json ?? {}) as { version?: unknown }
  if (version !== snapshotFormat && Number.isInteger(version)) {
    throw new SandboxError(
      `Failed to restore the snapshot (version is ${String(version)}): this version of the ` +
        `sandbox reads the format ` +
        `${snapshotFormat}. Restore it with the version that wrote it, or make it anew.`,
    )
  }
  const result = snapshotSchema(rules).safeParse(json, stopEarly)
  if (!result.success) throw refusal('', result.error, json)
  const tables: [string, unknown[]][] = []
  for (const [name, { schema }] of storedTables(rules.definitions)) {
    const records = result.data.tables[name]
    if (records !== undefined)
      tables.push([name, yield* readingRecords({ name, schema, kept }, records)])
  }
  const snapshot = { ...result.data, tables: Object.fromEntries(tables) } as WorldJson
  yield* checkingNames(snapshot, rules)
  return snapshot
}

/**
 * Checks that all that the records name is there. @throws {SandboxError} that names the table, the
 * id, the field and the missing id.
 */
function* checkingNames({ tables }: WorldJson, { definitions }: Rules): Work {
  const byId = new Map<string, ReadonlyMap<Id, object>>()
  const lookUp = (table: string, id: Id) => {
    const known =
      byId.get(table) ?? new Map((tables[table] ?? []).map((record) => [record.id, record]))
    byId.set(table, known)
    return known.get(id)
  }
  for (const [table, records] of Object.entries(tables)) {
    const { references } = definitions[table] as AnyTableDefinition
    if (references === undefined) continue
    yield* inUnits(records, (record) => {
      const wrong = findBrokenReference(record, references, { lookUp })
      if (wrong !== undefined)
        throw new SandboxError(
          `Failed to restore the snapshot (${table} ${wrong.what}): ${wrong.why}. Put that ` +
            `record in too, or name another.`,
        )
    })
  }
}

/**
 * Prepares to replace everything of a world by a checked snapshot, which the returned function
 * does. Its origin stays.
 */
export function* loadingJson(world: World, snapshot: WorldJson): Work<() => void> {
  const { tables, worldState } = snapshot
  const kept = KeptRows.of(world)
  // Its records are frozen ones of a table.
  const isOurs = WrittenSnapshot.isUnchanged(snapshot)
  const loads: (() => void)[] = []
  // The records are the caller's: a copy keeps the tables from freezing them. Records that are as
  // at the origin are taken from there.
  for (const [name, { derived }] of storedTables(world.rules.definitions)) {
    const rows = tables[name]
    if (rows === undefined && derived !== undefined) continue
    const own: { id: Id }[] = []
    yield* inUnits(rows ?? [], (row) => {
      own.push(kept.find(name, row) ?? (isOurs ? row : copyJson(row)))
    })
    loads.push(() => anyTable(world.db, name).load(own))
  }
  for (const [name, { derived }] of Object.entries(world.rules.definitions))
    if (derived !== undefined && tables[name] === undefined)
      loads.push(() => anyTable(world.db, name).rebuild())
  return () => {
    for (const load of loads) load()
    world.restoreState(worldState)
    world.sequences.raise()
    // What was done here is not what was done there.
    world.actionLog.dropAfter(0)
    world.changeLog.dropAfter(0)
    world.journal.tally.dropAfter(world.clock.now())
  }
}

/**
 * Checks the records of a table, and fills in the defaults of fields that they lack: they may have
 * been written before these fields were added.
 */
function* readingRecords(
  {
    name,
    schema,
    kept: keptRows,
  }: { name: string; schema: AnyTableDefinition['schema']; kept: KeptRows },
  records: readonly unknown[],
): Work<unknown[]> {
  const ids = new Set<Id>()
  const read: unknown[] = []
  yield* inUnits(records, (record) => {
    const index = read.length
    const id = (record as { id?: unknown } | null)?.id
    const place = `${name} ${typeof id === 'number' || typeof id === 'string' ? id : `[${index}]`}`
    const kept = keptRows.find(name, record)
    if (kept !== undefined) {
      requireOnce(kept.id, { ids, place })
      read.push(kept)
      return
    }
    if (jsonSize(record, maxRecordCharacters) > maxRecordCharacters) {
      throw new SandboxError(
        `Failed to restore the snapshot (${cut(place)}): a record has at most ` +
          `${maxRecordCharacters} characters as JSON. Take it out.`,
      )
    }
    const result = schema.safeParse(record, stopEarly)
    if (!result.success) throw refusal(place, result.error, record)
    const extra = extraKey(record, result.data)
    if (extra !== undefined) {
      throw new SandboxError(
        `Failed to restore the snapshot (${cut(place)}: ${cut(extra)}): its table has no such ` +
          `field. Take the field out, or make the ` +
          'snapshot anew with this version.',
      )
    }
    requireOnce(result.data.id, { ids, place })
    if (isTooLarge(result.data.id))
      throw new SandboxError(
        `Failed to restore the snapshot (${cut(place)}: id): later records get larger ids, so ` +
          `it must be at most ${maxId}. ` +
          'Give it another.',
      )
    // Most records lack nothing: those stay as they came, with their keys in the order that they
    // came in.
    read.push(extraKey(result.data, record) === undefined ? record : result.data)
  })
  return read
}

function requireOnce(id: Id, { ids, place }: { ids: Set<Id>; place: string }): void {
  if (ids.has(id))
    throw new SandboxError(
      `Failed to restore the snapshot (${cut(place)}: id): the id is there twice. Take one of ` +
        `the two out.`,
    )
  ids.add(id)
}

/**
 * The path of the first key that a value has and another one lacks, such as `spans.0.price`;
 * undefined when there is none.
 */
function extraKey(given: unknown, known: unknown, path = ''): string | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  for (const [key, value] of Object.entries(given)) {
    const inner = path === '' ? key : `${path}.${key}`
    if (!Object.hasOwn(known as object, key)) return inner
    const extra = extraKey(value, (known as Record<string, unknown>)[key], inner)
    if (extra !== undefined) return extra
  }
  return undefined
}

function refusal(place: string, { issues: [issue] }: z.ZodError, value: unknown): SandboxError {
  const path = issue?.path ?? []
  const received = readAt(value, path)
  const shown = typeof received === 'object' && received !== null ? '' : ` is ${describe(received)}`
  const where = [cut(place), cut(path.join('.'))].filter((part) => part !== '').join(': ')
  const advice =
    received === undefined && place !== ''
      ? ' Give the record that field, or make the snapshot anew with this version.'
      : ''
  return new SandboxError(
    `Failed to restore the snapshot${where === '' ? '' : ` (${where}${shown})`}: ` +
      `${issue?.message ?? 'it is not one'}.${advice}`,
  )
}

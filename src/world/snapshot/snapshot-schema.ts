import { z } from 'zod'
import { maxId } from '../../data/rows.ts'
import type { TableDefinitions } from '../../data/tables.ts'
import { parseSandboxTime } from '../../lib/time.ts'
import { FaultList } from '../fault-input.ts'
import { maxNotes, Note } from '../world-state.ts'
import { worldIdForm } from '../world-name.ts'
import type { WorldRules } from '../world-options.ts'
import type { WorldState } from '../world-state.ts'
import { maxRecords, snapshotFormat, listStoredTables } from './snapshot.ts'

/** The rules of a world that determine the contents of snapshots. */
export type SnapshotRules = Pick<WorldRules<TableDefinitions, never>, 'definitions' | 'services'>

type SnapshotSchemas = ReturnType<typeof createSnapshotSchemas>

/** Cached, because creating and compiling the schemas takes longer than restoring a snapshot. */
const cache = new WeakMap<SnapshotRules, SnapshotSchemas>()

/**
 * Returns the schemas for both forms of a snapshot. Records are validated separately, with the
 * schemas of their tables.
 */
export function getSnapshotSchemas(rules: SnapshotRules): SnapshotSchemas {
  const cached = cache.get(rules)
  if (cached !== undefined) return cached
  const schemas = createSnapshotSchemas(rules)
  cache.set(rules, schemas)
  return schemas
}

function createSnapshotSchemas({ definitions, services }: SnapshotRules) {
  const timestamp = z
    .string()
    .max(100)
    .refine((text) => parseSandboxTime(text) !== undefined, {
      error: 'it must be an RFC 3339 time',
    })
  const clock = z.strictObject({
    now: timestamp,
    mode: z.enum(['frozen', 'running', 'follow']),
    rate: z.number().positive().max(1_000_000),
  })
  const count = z.int().min(0)
  const window = z.strictObject({
    minute: z.int(),
    minuteUsed: count,
    day: z.int(),
    dayUsed: count,
  })
  const records = z.array(z.unknown()).max(maxRecords)
  const tables = listStoredTables(definitions)
  const head = {
    version: z.literal(snapshotFormat),
    scenario: z.string().max(200),
    world: z
      .string()
      .max(100)
      .regex(worldIdForm, { error: 'it must be the id of a world, such as main or _worker-3' }),
    seed: z.int(),
    start: timestamp,
    worldState: z.strictObject({
      clock,
      random: z.array(z.int()).length(4),
      sequences: z
        .partialRecord(z.enum(Object.keys(definitions)), z.int().min(0).max(maxId))
        .meta({ maxProperties: Object.keys(definitions).length }) as unknown as z.ZodType<
        WorldState['sequences']
      >,
      limits: z.array(z.tuple([z.int(), window])).max(10_000),
      faults: z.strictObject({ lastId: count, faults: FaultList }),
      ...Object.fromEntries(services.map(({ name, schema }) => [name, schema])),
      scriptPosition: count,
      writes: count,
      notes: z.array(Note).max(maxNotes),
    }) satisfies z.ZodType<WorldState>,
  }
  const rowChanges = z.strictObject({
    rows: records,
    removed: z.array(z.union([z.int(), z.string().max(1_000)])).max(maxRecords),
  })
  return {
    whole: z.strictObject({
      ...head,
      tables: z.strictObject(
        Object.fromEntries(
          tables.map(([name, { derived }]) => [
            name,
            derived === undefined ? records : records.optional(),
          ]),
        ),
      ),
    }),
    changes: z.strictObject({
      ...head,
      form: z.literal('changes'),
      base: z.string().max(100),
      changes: z.strictObject(
        Object.fromEntries(tables.map(([name]) => [name, rowChanges.optional()])),
      ),
    }),
  }
}

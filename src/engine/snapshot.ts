import { z } from 'zod'
import { SandboxError } from '../errors.ts'
import { readAt } from './read-at.ts'
import { parseMoment } from './time.ts'
import { Fault, mostFaults } from './faults.ts'
import { mostNotes, Note } from './notes.ts'
import type { Id } from './store/table.ts'
import { anyTable, derivedTables, rememberingTables, tableDefinitions, tableNames } from '../world/tables.ts'
import type { TableName } from '../world/tables.ts'
import type { World, WorldState } from '../world/world.ts'

/** A world as JSON: what `restore` takes back. Tables that can be built from others are left out. */
export interface WorldJson {
  version: 1
  /** The name of the scenario. */
  scenario: string
  /** The id of the world that it was made of. */
  world: string
  seed: number
  worldState: WorldState
  tables: Readonly<Record<string, readonly { id: Id }[]>>
}

const storedTables = tableNames.filter((name) => !derivedTables.includes(name) || rememberingTables.includes(name))

/** Made when it is first needed: few sandboxes are restored. */
const WorldJson = z.lazy(() => {
  const clock = z.strictObject({
    now: z.string().refine((text) => parseMoment(text) !== undefined, { error: 'it must be an RFC 3339 instant' }),
    mode: z.enum(['frozen', 'running', 'follow']),
    rate: z.number().positive().max(1_000_000),
  })
  const limits = z.array(z.tuple([z.int(), z.strictObject({ minute: z.int(), minuteUsed: z.int().min(0), day: z.int(), dayUsed: z.int().min(0) })]))
  const mediaLinks = z.strictObject({
    windows: z.array(z.tuple([z.int(), z.int()])),
    loads: z.array(z.tuple([z.int(), z.strictObject({ minute: z.int(), count: z.int().min(0), seen: z.array(z.tuple([z.string(), z.int()])) })])),
  })
  return z.strictObject({
    version: z.literal(1),
    scenario: z.string(),
    world: z.string().default('main'),
    seed: z.int(),
    worldState: z.strictObject({
      clock,
      random: z.array(z.int()).length(4),
      sequences: z.partialRecord(z.enum(tableNames), z.int().min(0)),
      limits,
      faults: z.strictObject({ lastId: z.int().min(0), faults: z.array(Fault).max(mostFaults) }),
      mediaLinks,
      scriptPosition: z.int().min(0).default(0),
      writes: z.int().min(0).default(0),
      notes: z.array(Note).max(mostNotes).default([]),
    }) satisfies z.ZodType<WorldState>,
    tables: z.strictObject(Object.fromEntries(storedTables.map((name) => [name, rememberingTables.includes(name) ? z.array(z.unknown()).optional() : z.array(z.unknown())]))),
  })
})

/** Writes a world down as JSON. */
export function toJson(world: World, scenario: string): WorldJson {
  const tables = Object.fromEntries(storedTables.map((name) => [name, anyTable(world.db, name).all()]))
  return { version: 1, scenario, world: world.id, seed: world.options.seed, worldState: world.state(), tables }
}

/** Checks a whole snapshot, every record included. @throws {SandboxError} that names the table, the id and the field. */
export function parseJson(json: unknown): WorldJson {
  if (typeof json === 'string') throw new SandboxError(`Failed to restore the snapshot (a text of ${json.length} characters): it must be the value that the text stands for. Parse it first: restore(JSON.parse(text)).`)
  const result = WorldJson.safeParse(json)
  if (!result.success) throw refusal('', result.error, json)
  for (const name of storedTables) checkRecords(name, result.data.tables[name] ?? [])
  return result.data as WorldJson
}

/** Replaces everything of a world by a checked snapshot. Its origin, which `reset` goes back to, stays. */
export function loadJson(world: World, { tables, worldState }: WorldJson): void {
  // The records are the caller's: a copy keeps the tables from freezing them.
  for (const name of storedTables) {
    const rows = tables[name]
    // Without rows a derived table is built from the others, which come before it.
    if (rows !== undefined || !derivedTables.includes(name)) anyTable(world.db, name).load(structuredClone(rows ?? []))
  }
  world.restoreState(worldState)
  world.sequences.raise()
  world.mediaLinks.forget()
  // What was done here is not what was done there.
  world.actionLog.dropAfter(0)
  world.journal.tally.dropAfter(world.clock.now())
}

function checkRecords(name: TableName, records: readonly unknown[]): void {
  const { schema } = tableDefinitions[name] as { schema: z.ZodType<{ id: Id }> }
  const ids = new Set<Id>()
  for (const [index, record] of records.entries()) {
    const id = (record as { id?: unknown } | null)?.id
    const place = `${name} ${typeof id === 'number' || typeof id === 'string' ? id : `[${index}]`}`
    const result = schema.safeParse(record)
    if (!result.success) throw refusal(place, result.error, record)
    const extra = extraKey(record, result.data)
    if (extra !== undefined) throw new SandboxError(`Failed to restore the snapshot (${place}: ${extra}): its table has no such field.`)
    if (ids.has(result.data.id)) throw new SandboxError(`Failed to restore the snapshot (${place}: id): the id is there twice.`)
    ids.add(result.data.id)
  }
}

/** A schema drops the keys that it does not know: what it returns must be all that came. */
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
  const shown = typeof received === 'object' && received !== null ? '' : ` is ${String(JSON.stringify(received) ?? 'missing').slice(0, 80)}`
  const where = [place, path.join('.')].filter((part) => part !== '').join(': ')
  return new SandboxError(`Failed to restore the snapshot${where === '' ? '' : ` (${where}${shown})`}: ${issue?.message ?? 'it is not one'}.`)
}

import { Digest } from '../../lib/digest.ts'
import type { Id } from '../../data/rows.ts'
import { finish, inUnits } from '../work.ts'
import type { Work } from '../work.ts'
import type { WorldState } from '../world-state.ts'

/**
 * A world as JSON: what `restore` takes back. Tables that can be built from others are left out.
 */
export interface WorldJson {
  /** The format that it is written in, `snapshotFormat`. */
  version: number
  /** The name of the scenario. */
  scenario: string
  /** The id of the world that it was made of. */
  world: string
  seed: number
  /** When its clock started, RFC 3339. Absent in what older versions wrote. */
  start?: string | undefined
  worldState: WorldState
  tables: Readonly<Record<string, readonly { id: Id }[]>>
  /**
   * Tells the version that wrote it whether it is unchanged: then its records need not be checked
   * again. JSON has it.
   */
  digest?: string
}

/** A snapshot that this process wrote. It knows whether it still is what was written. */
export class WrittenSnapshot implements WorldJson {
  readonly version: number
  readonly scenario: string
  readonly world: string
  readonly seed: number
  readonly start: string | undefined
  readonly worldState: WorldState
  readonly tables: WorldJson['tables']
  readonly #release: string
  readonly #head: string
  readonly #tables: readonly (readonly [string, readonly object[]])[]

  /** @param release The version of the sandbox. */
  constructor(
    { version, scenario, world, seed, start, worldState, tables }: WorldJson,
    release: string,
  ) {
    this.version = version
    this.scenario = scenario
    this.world = world
    this.seed = seed
    this.start = start
    this.worldState = worldState
    this.tables = tables
    this.#release = release
    this.#head = headOf(this)
    this.#tables = Object.entries(tables).map(([name, rows]) => [name, Object.freeze(rows)])
  }

  /** Whether a value is such a snapshot, and nobody has changed it. Its records are frozen. */
  static isUnchanged(value: unknown): value is WrittenSnapshot {
    if (typeof value !== 'object' || value === null || !(#head in value)) return false
    const { tables } = value
    return (
      headOf(value) === value.#head && value.#tables.every(([name, rows]) => tables[name] === rows)
    )
  }

  /** What JSON has of it: all of it, and its digest. */
  toJSON(): WorldJson {
    return { ...this, digest: finish(digesting(this, this.#release)) }
  }

  /** Its digest, as its JSON has it; undefined for what no version writes. */
  digesting(): Work<string | undefined> {
    return digesting(this, this.#release)
  }

  /** Writes it as the bytes of its JSON. */
  *writing(): Work<readonly Uint8Array[]> {
    const encoder = new TextEncoder()
    const pieces: Uint8Array[] = []
    for (const text of jsonPieces(this)) {
      pieces.push(encoder.encode(text))
      yield
    }
    const digest = yield* digesting(this, this.#release)
    return [...pieces, encoder.encode(`},"digest":"${digest}"}`)]
  }
}

/** What finds a record again that is held already, and knows its digest. */
export interface RowDigests {
  take: (table: string, record: { id: Id }) => { row: { id: Id }; digest: number }
}

/**
 * Reads the JSON of a snapshot that this version wrote, with the records that are held already in
 * place of those that say the same; undefined where its digest says that it is another value.
 */
export function* readingWritten(
  value: unknown,
  release: string,
  rows: RowDigests,
): Work<WorldJson | undefined> {
  if (typeof value !== 'object' || value === null) return undefined
  const { digest: given, ...json } = value as Partial<WorldJson>
  const { tables } = json
  if (
    typeof given !== 'string' ||
    typeof tables !== 'object' ||
    tables === null ||
    !Object.values(tables).every(Array.isArray)
  )
    return undefined
  const found = new Map<string, { id: Id }[]>(Object.keys(tables).map((table) => [table, []]))
  const take = (table: string, record: { id: Id }) => {
    const { row, digest } = rows.take(table, record)
    found.get(table)?.push(row)
    return digest
  }
  const digest = yield* digesting({ ...json, tables } as WorldJson, release, take)
  return digest === given
    ? ({ ...json, tables: Object.fromEntries(found) } as WorldJson)
    : undefined
}

/** The digest of a snapshot that a version wrote; undefined for a value that no version writes. */
function* digesting(
  { tables, ...head }: WorldJson,
  release: string,
  digestOf: (table: string, record: { id: Id }) => number = createRowDigest(),
): Work<string | undefined> {
  const digest = new Digest()
  digest.add([release, head, Object.keys(tables)])
  for (const [table, rows] of Object.entries(tables)) {
    digest.add(rows.length)
    yield* inUnits(rows, (row) => {
      const number = digestOf(table, row)
      digest.add(number)
      if (Number.isNaN(number)) digest.isTooDeep = true
    })
  }
  return digest.isTooDeep ? undefined : digest.text
}

function createRowDigest(): (table: string, record: object) => number {
  const digest = new Digest()
  return (_, record) => digest.of(record)
}

/** How many records go into a piece of the text of a snapshot. */
const rowsPerPiece = 256

/** The text of a snapshot in pieces, up to the end of its records. */
function* jsonPieces({ tables, ...head }: WorldJson): Generator<string, void, undefined> {
  yield `${JSON.stringify(head).slice(0, -1)},"tables":{`
  for (const [index, [name, rows]] of Object.entries(tables).entries()) {
    yield `${index === 0 ? '' : ','}${JSON.stringify(name)}:[`
    for (let start = 0; start < rows.length; start += rowsPerPiece)
      yield `${start === 0 ? '' : ','}${JSON.stringify(rows.slice(start, start + rowsPerPiece)).slice(1, -1)}`
    yield ']'
  }
}

function headOf({ version, scenario, world, seed, start, worldState }: WorldJson): string {
  return JSON.stringify([version, scenario, world, seed, start, worldState])
}

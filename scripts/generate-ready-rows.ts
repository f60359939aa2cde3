import { existsSync, readFileSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'
import { createWorld } from '../src/resources/create-world.ts'
import { tableDefinitions, tableNames } from '../src/resources/all-tables.ts'
import { getTable } from '../src/data/tables.ts'
import type { AnyTableDefinition } from '../src/data/tables.ts'
import { fillTexts } from '../src/scenario/fill-texts.ts'
import { loadShippedScenario } from '../src/scenario/prepare.ts'
import { seedWorld, tenancyTables } from '../src/scenario/seed-world.ts'
import { loadSeedSources } from '../src/scenario/seed-sources.ts'
import type { PackedScenario } from '../src/seed/ready-rows.ts'
import type { GeneratedFile } from './generated-file.ts'
import { packRows } from './pack-rows.ts'
import { digestSeedSources } from './source-digest.mjs'
import { toFileUrl } from './generated-file.ts'

const index = 'src/generated/ready-rows.ts'

/**
 * Scenarios that are seeded at each start: reading the records of `large` would not be faster, and
 * the two stories of the agency would add a sixth to the package.
 */
const seededLive: ReadonlySet<string> = new Set(['large', 'agency-morning', 'viral-post'])

/**
 * Generates the records of the shipped scenarios, and an index with a digest of everything that
 * determines them. Skips the work if the digest is the same.
 */
export async function generateReadyRows(): Promise<GeneratedFile[]> {
  const { shippedScenarios } = await import('../src/generated/scenario-index.ts')
  const shipped = shippedScenarios.filter(({ name }) => !seededLive.has(name))
  const digest = digestSeedSources()
  const files: GeneratedFile[] = [{ path: index, content: renderIndex(shipped, digest) }]
  for (const scenario of shipped) {
    const path = toPath(scenario.name)
    const known = isCurrent(digest, path)
    files.push({
      path,
      content: known ?? (await packScenario(scenario)),
    })
  }
  return files
}

type Shipped = (typeof import('../src/generated/scenario-index.ts').shippedScenarios)[number]

/** Returns a file that is up to date, or undefined. */
function isCurrent(digest: string, path: string): string | undefined {
  const isKnown = existsSync(toFileUrl(index)) && read(index).includes(digest)
  return isKnown && existsSync(toFileUrl(path)) ? read(path) : undefined
}

function read(path: string): string {
  return readFileSync(toFileUrl(path), 'utf8')
}

/** Seeds a scenario with its own seed, start and sizes, and packs its records. */
async function packScenario(shipped: Shipped): Promise<string> {
  const { seed } = shipped
  const start = Date.parse(shipped.now)
  const scenario = await fillTexts(await loadShippedScenario(shipped), { seed, start })
  const world = createWorld({
    seed,
    start,
    clock: { mode: 'frozen', rate: 1 },
    baseUrl: 'http://127.0.0.1',
    transcodingMs: shipped.transcodingSeconds * 1000,
    journalSize: 0,
  })
  const keys = (organisation: number, role: string) => ({
    key: `${role} ${organisation}`,
    permissions: [],
  })
  await seedWorld(world, scenario, { sources: await loadSeedSources(scenario), keys })
  const { random, sequences } = world.state()
  const shapes: string[][] = []
  const tables = tableNames
    .filter((name) => !tenancyTables.has(name) && !isRebuilt(name))
    .map((name) => [name, getTable(world.db, name).all()] as const)
    .filter(([, rows]) => rows.length > 0)
    .map(([name, rows]) => [name, packRows(rows, shapes)] as const)
  return renderRows({ random, sequences, tables: Object.fromEntries(tables) }, shapes)
}

function isRebuilt(name: keyof typeof tableDefinitions): boolean {
  return (tableDefinitions[name] as AnyTableDefinition).derived === 'rebuilt'
}

function toPath(name: string): string {
  return `src/generated/ready/${name}.ts`
}

function renderRows(scenario: PackedScenario, shapes: readonly (readonly string[])[]): string {
  // V8 reads a string of ASCII characters faster, and it takes half the memory.
  const json = JSON.stringify(scenario).replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const rows = deflateRawSync(json, { level: 9 }).toString('base64')
  const functions = shapes.map(
    (fields) => `(c, i) => ({ ${fields.map((field, at) => `${field}: c[${at}][i]`).join(', ')} })`,
  )
  return `${header}
// @ts-nocheck All columns of a shape exist.

export const files = {
  shapes: [
    ${functions.join(',\n    ')},
  ],
  rows: '${rows}',
}
`
}

function renderIndex(shipped: readonly Shipped[], digest: string): string {
  const entries = shipped.map(
    ({ name, seed, now, transcodingSeconds }) =>
      `  { name: '${name}', seed: ${seed}, start: ${Date.parse(now)}, transcodingMs: ${transcodingSeconds * 1000}, load: () => import('./ready/${name}.ts') },`,
  )
  return `${header}
/** Creates the record at an index from the values of its fields. */
export type Shape = (columns: readonly (readonly unknown[])[], index: number) => object

/** The contents of a file. */
export interface ReadyFile {
  /** The records by column, as JSON, compressed (\`inflateText\`). */
  rows: string
  /**
   * Functions that create records, one for each list of fields. An object literal is several times
   * faster than assigning fields by name.
   */
  shapes: readonly Shape[]
}

/** A digest of everything that determines the records. */
export const digest = '${digest}'

/** The scenarios whose records were generated in advance, with the options that determine them. */
export const readyRows: readonly {
  name: string
  seed: number
  start: number
  transcodingMs: number
  load: () => Promise<{ files: ReadyFile }>
}[] = [
${entries.join('\n')}
]
`
}

const header = '// Generated by `npm run generate` from the seeds. Do not edit.\n'

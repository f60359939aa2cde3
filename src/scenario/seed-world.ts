import { toPictureUrl } from '../world/public-files.ts'
import { Random } from '../world/random.ts'
import type { Id } from '../data/rows.ts'
import { getTable, listTables } from '../data/tables.ts'
import type { AnyTableDefinition } from '../data/tables.ts'
import type { Account, ApiKey } from '../world/tenancy/tenancy.table.ts'
import { toIsoTime } from '../lib/time.ts'
import { createSlicePause } from '../world/work.ts'
import type { PausePolicy } from '../world/work.ts'
import type { Scenario, ScenarioAccount } from './schema.ts'
import { checkManualRecords, insertManualRecord } from '../resources/references.ts'
import { Fakers } from '../seed/faker.ts'
import { getPersonaName } from '../seed/personas.ts'
import { allResources } from '../resources/all-resources.ts'
import { accountSeeds, organisationSeeds } from '../resources/all-seeds.ts'
import type { SeededRows } from '../seed/ready-rows.ts'
import { setSources } from './seed-sources.ts'
import type { OnProgress, Seeded, SeedSources } from './seed-sources.ts'
import { startSeeding, getTimeDaysAgo, getHistoryStart } from '../resources/seeding.ts'
import type { OrganisationPlan, Rows, SeedContext } from '../resources/seeding.ts'
import { derivedTables, tableDefinitions, tableNames } from '../resources/all-tables.ts'
import type { TableName } from '../resources/all-tables.ts'
import { getPersona } from '../seed/texts.ts'
import type { World } from '../resources/world.ts'

/** Tables that are not derived from other tables. */
const plainTables = tableNames.filter((name) => !derivedTables.includes(name))

/** Tables whose records depend on the keys and options of a sandbox. */
export const tenancyTables: ReadonlySet<string> = new Set(['organisations', 'accounts', 'apiKeys'])

/** Returns the API key of a role. */
type Keys = (organisation: number, role: string) => Pick<ApiKey, 'key' | 'permissions'>

/** Options for seeding a world. */
export interface SeedOptions {
  sources: SeedSources
  /** Returns the API key of a role. */
  keys: Keys
  /** Records that were generated in advance. Organisations and accounts are always created. */
  ready?: SeededRows | undefined
  onProgress?: OnProgress | undefined
  /**
   * Set on a server. Seeding then runs in slices, so that the server can handle requests in
   * between.
   */
  pace?: PausePolicy | undefined
}

/**
 * Fills a world with the data of a scenario. The records depend only on the scenario, the seed and
 * the start time of the clock.
 * @throws {SandboxError} if a record in the scenario refers to a record that does not exist
 */
export async function seedWorld(
  world: World,
  scenario: Scenario,
  { sources, keys, ready, onProgress = () => {}, pace }: SeedOptions,
): Promise<Seeded> {
  const { options } = world
  setSources(world, sources)
  const accounts = scenario.organisations.flatMap((organisation) => organisation.accounts)
  const seeding = startSeeding(
    { random: new Random(options.seed), texts: sources.texts },
    {
      accounts,
      now: options.start,
      transcodingMs: options.transcodingMs,
      fakers: await Fakers.load(
        ready === undefined ? listLocales(sources.texts) : [],
        options.start,
      ),
      requireRows: (count) => requireSeedingRoom(world, count),
    },
  )
  seedOrganisations(seeding, scenario, {
    keys,
    steps: ready === undefined ? organisationSeeds : [],
  })
  const made = [seeding.common]
  let stepsDone = 0
  const stepCount = accounts.length * accountSeeds.length + tableNames.length
  const pause = createSlicePause(pace)
  const onStep = () => {
    onProgress((stepsDone += 1) / stepCount)
    return pause()
  }
  if (ready === undefined) {
    for (const [index, account] of accounts.entries())
      made.push(await seedAccount(seeding.atAccount(index), account, onStep))
    await loadTables(world, scenario, { made, onStep, pause })
  } else await loadReadyTables(world, scenario, { ready, common: seeding.common, onStep })
  for (const table of listTables(world.db)) table.setAsBase()
  world.saveAsOrigin()
  return { scenario, sources, origin: world.origin }
}

/** Returns the locales of all countries, and `en` for texts. */
function listLocales({ countries }: SeedSources['texts']): string[] {
  return ['en', ...countries.flatMap(({ locales }) => locales)]
}

/** Number of rows between checks of the process memory. */
const rowsPerLook = 8_192

/**
 * Checks the memory limit before rows are created, so that seeding stops before the limit is
 * exceeded.
 * @throws {MemoryLimitError}
 */
function requireSeedingRoom({ options: { memory } }: World, rowCount: number): void {
  memory?.requireRows(rowCount, 'seed the scenario')
  if (rowCount % rowsPerLook === 0) memory?.require('seed the scenario')
}

/** Creates the records of an account. */
async function seedAccount(
  seeding: SeedContext,
  { id, data: sizes }: ScenarioAccount,
  onStep: () => Promise<void>,
): Promise<Rows> {
  const account = seeding.common.accounts.find((candidate) => candidate.id === id)
  if (account === undefined) return seeding.rows
  // The type of a step lists only the sizes that it reads, but the plan contains the sizes of all
  // resources.
  const plan = {
    account,
    sizes,
    persona: getPersona(seeding.texts, account),
    since: getHistoryStart(seeding, account),
  }
  for (const { name, seed } of accountSeeds) {
    seed(seeding.branch(name, id), plan as never)
    await onStep()
  }
  return seeding.rows
}

/**
 * Loads all records into the tables: the records of organisations and accounts, and the records
 * that the scenario lists.
 */
async function loadTables(
  world: World,
  { records }: Pick<Scenario, 'records'>,
  {
    made,
    onStep,
    pause,
  }: { made: readonly Rows[]; onStep: () => Promise<void>; pause: () => Promise<void> },
): Promise<void> {
  const finished = new Map(
    tableNames.map((name) => [name, getFinishedRecords(world, name, records[name] ?? [])]),
  )
  for (const name of plainTables) {
    // `concat` copies whole arrays, which is twenty times faster than a function call for each row.
    const none: readonly { id: Id }[] = []
    const seeded = none.concat(...made.map((rows): readonly { id: Id }[] => rows[name]))
    const rows = addManualRecords(seeded, records[name] ?? [], finished.get(name) ?? [])
    getTable(world.db, name).load(rows)
    await onStep()
  }
  for (const name of derivedTables) {
    getTable(world.db, name).rebuild()
    await onStep()
  }
  if (Object.keys(records).length === 0) return
  await completeRecords(world, records, pause)
  for (const [name, given] of finished) checkManualRecords(world, name, given)
  for (const resource of allResources) resource.completeRecords?.(world)
  // Restoring a snapshot derives these tables from all records, so seeding must also derive them.
  for (const name of derivedTables) {
    if (tableDefinitions[name].derived === 'rebuilt') getTable(world.db, name).rebuild()
    await pause()
  }
}

/** Loads records that were generated in advance, and the new records of organisations. */
async function loadReadyTables(
  world: World,
  { records }: Pick<Scenario, 'records'>,
  { ready, common, onStep }: { ready: SeededRows; common: Rows; onStep: () => Promise<void> },
): Promise<void> {
  for (const name of tableNames) {
    const table = getTable(world.db, name)
    const packed = ready.tables.get(name)
    if (tenancyTables.has(name)) {
      const given = records[name] ?? []
      table.load(addManualRecords(common[name], given, getFinishedRecords(world, name, given)))
    } else if (packed !== undefined) {
      world.options.memory?.requireRows(packed.count, 'seed the scenario')
      table.loadLater(packed)
    }
    await onStep()
  }
  for (const name of derivedTables)
    if (tableDefinitions[name].derived === 'rebuilt') getTable(world.db, name).rebuildLater()
  world.random.restore(ready.random)
  world.sequences.restore(ready.sequences)
}

/** A record that the scenario lists, with some or all of its fields. */
type ManualRecord = Readonly<Record<string, unknown>>

/**
 * Returns the records that the scenario lists with all required fields, and adds defaults for their
 * other fields.
 */
function getFinishedRecords(
  world: World,
  name: TableName,
  records: readonly ManualRecord[],
): readonly { id: Id }[] {
  if (records.length === 0) return []
  const table = getTable(world.db, name)
  const { schema }: AnyTableDefinition = tableDefinitions[name]
  const fields = Object.keys(schema.shape)
  const isWhole = (record: ManualRecord) => fields.every((field) => record[field] !== undefined)
  return records
    .filter((record) => !table.lacks(record))
    .map((record) => (isWhole(record) ? (record as { id: Id }) : schema.parse(record)))
}

/**
 * Fills in missing required fields of records that the scenario lists. Loads each table after the
 * tables that it references.
 * @throws {SandboxError}
 */
async function completeRecords(
  world: World,
  records: Scenario['records'],
  pause: () => Promise<void>,
): Promise<void> {
  for (const { table: name } of world.factories?.kinds ?? []) {
    const table = getTable(world.db, name)
    for (const [index, record] of (records[name] ?? []).entries()) {
      if (!table.lacks(record)) continue
      insertManualRecord(world, { table: name as TableName, index, record })
      await pause()
    }
  }
}

/**
 * Adds the scenario's complete records to the seeded records. A record in the scenario replaces the
 * seeded record with the same id, even if it is incomplete.
 */
function addManualRecords(
  seeded: readonly { id: Id }[],
  handmade: readonly ManualRecord[],
  finished: readonly { id: Id }[],
): readonly { id: Id }[] {
  if (handmade.length === 0) return seeded
  const ids = new Set(handmade.map(({ id }) => id))
  return [...seeded.filter(({ id }) => !ids.has(id)), ...finished]
}

function seedOrganisations(
  seeding: SeedContext,
  { organisations }: Scenario,
  { keys, steps }: { keys: Keys; steps: typeof organisationSeeds },
): void {
  const { rows } = seeding
  for (const [
    index,
    { name, limits, credits, isSubscriptionActive, tags, roles, accounts },
  ] of organisations.entries()) {
    const id = index + 1
    rows.organisations.push({ id, name, limits, credits, isSubscriptionActive })
    const plan: OrganisationPlan = {
      id,
      tags,
      accounts: accounts.map((account) => ({
        id: account.id,
        fans: account.data.fans,
        joinedAt: drawJoinTime(seeding, account),
      })),
    }
    for (const step of steps) {
      const branch = seeding.atOrganisation(index).branch(step.name, 'organisation', id)
      step.seed(branch, plan as never)
    }
    for (const role of Object.keys(roles))
      rows.apiKeys.push({ id: rows.apiKeys.length + 1, role, organisation: id, ...keys(id, role) })
    rows.accounts.push(...accounts.map((account) => toAccount(seeding, account, id)))
  }
}

function toAccount(
  seeding: SeedContext,
  scenarioAccount: ScenarioAccount,
  organisation: number,
): Account {
  const { id, username, name, about, subscribePrice, session, connected, persona } = scenarioAccount
  const personaName = getPersonaName({ id, persona })
  const avatar = toPictureUrl(id)
  return {
    id,
    organisation,
    username,
    name,
    avatar,
    about: about === '' ? (seeding.texts.personas[personaName]?.about ?? '') : about,
    subscribePrice,
    joinDate: toIsoTime(drawJoinTime(seeding, scenarioAccount)),
    session,
    connected,
    persona: personaName,
  }
}

/**
 * Returns the time when an account joined the platform, epoch ms. This time is some weeks or months
 * before the account's first data, unless the account is young.
 */
function drawJoinTime(seeding: SeedContext, { id, daysOld }: ScenarioAccount): number {
  const { random } = seeding.branch('joined', id)
  const days = daysOld ?? random.integer(762, 1100)
  return getTimeDaysAgo(seeding, days) - random.integer(0, 86_399) * 1000
}

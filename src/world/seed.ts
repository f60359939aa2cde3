import type { Maker } from '../engine/factory.ts'
import { pictureAddress } from '../engine/public-files.ts'
import { Random } from '../engine/random.ts'
import type { Need, Put, Rest } from '../engine/rest.ts'
import type { Id } from '../engine/store/rows.ts'
import { anyTable, countRows, restoreTables } from '../engine/store/tables.ts'
import type { AnyTableDefinition } from '../engine/store/tables.ts'
import { tenancyTables } from '../engine/tenancy/tenancy.table.ts'
import type { Account, ApiKey } from '../engine/tenancy/tenancy.table.ts'
import { toIso } from '../engine/time.ts'
import type { Work } from '../engine/work.ts'
import type { WorldSnapshot } from '../engine/world.ts'
import type { Scenario, ScenarioAccount } from '../scenario/schema.ts'
import { checkHandmade, insertHandmade } from './references.ts'
import { loadPersonas, personaNameOf } from './personas.ts'
import type { PersonaChoices } from './personas.ts'
import { allResources } from './resources.ts'
import type { SeedTexts } from './seed-texts.ts'
import { startSeeding, daysAgo } from './seeding.ts'
import type { OrganisationPlan, Seeding } from './seeding.ts'
import { Sowing, steps, stepsOf } from './sowing.ts'
import { derivedTables, tableDefinitions, tableNames } from './tables.ts'
import type { TableName } from './tables.ts'
import type { World } from './world.ts'

/** What a world was seeded with, for another one that would be seeded alike. */
export interface Seeded {
  scenario: Scenario
  sources: SeedSources
  /** The records, as far as they are there. Undefined where all of them came at once. */
  sowing: Sowing | undefined
  /** The state of the first world that has all records. */
  origin: WorldSnapshot | undefined
}

/** How many records there are of what a world was seeded with. */
export function countSeeded({ origin, sowing }: Seeded): number {
  return origin === undefined ? (sowing?.size ?? 0) : countRows(origin.tables)
}

/** The tables that are not derived from others. */
const plainTables = tableNames.filter((name) => !derivedTables.includes(name))

/** Gives the API key of each role. */
type Keys = (organisation: number, role: string) => Pick<ApiKey, 'key' | 'permissions'>

/** What data are made with, besides the scenario. */
export interface SeedSources {
  texts: SeedTexts
  maker: Maker
}

/** Loads what the data of a scenario are made with. */
export async function loadSeedSources(scenario: PersonaChoices): Promise<SeedSources> {
  const [{ seedTexts }, { maker }, personas] = await Promise.all([
    import('../generated/texts/index.ts'),
    import('./factories.ts'),
    loadPersonas(scenario),
  ])
  return { texts: { ...seedTexts, personas }, maker }
}

/**
 * Fills a world with what another one was seeded with: the same scenario, seed, keys and clock
 * start.
 */
export function beginWith(world: World, seeded: Seeded): void {
  useSources(world, seeded.sources)
  if (seeded.origin !== undefined) world.beginWith(seeded.origin)
  else if (seeded.sowing !== undefined) beginWithRest(world, seeded, seeded.sowing)
}

/**
 * Fills a world with the data of a scenario. `keys` gives the API key of each role. The same seed
 * and the same clock start give the same records. Where `isLazy`, the records of an account are
 * made when somebody reads it, if that is possible: where the scenario has neither records by hand
 * nor a story.
 *
 * @throws {SandboxError} when a record by hand names one that is not there.
 */
export function* seedingWorld(
  world: World,
  scenario: Scenario,
  { sources, keys, isLazy = false }: { sources: SeedSources; keys: Keys; isLazy?: boolean },
): Work<Seeded> {
  const { options } = world
  useSources(world, sources)
  const accounts = scenario.organisations.flatMap((organisation) => organisation.accounts)
  const seeding = startSeeding(
    { random: new Random(options.seed), texts: sources.texts },
    {
      accounts: accounts.length,
      now: options.start,
      transcodingMs: options.transcodingMs,
      spend: createSpending(world),
    },
  )
  seedOrganisations(seeding, scenario, keys)
  const sowing = new Sowing(seeding, scenario)
  if (isLazy && scenario.timeline.length === 0 && Object.keys(scenario.records).length === 0) {
    const seeded: Seeded = { scenario, sources, sowing, origin: undefined }
    beginWithRest(world, seeded, sowing)
    return seeded
  }
  yield* sowing.making()
  yield* loading(world, scenario, sowing)
  world.requireBudget('seed the scenario')
  world.keepAsOrigin()
  return { scenario, sources, sowing: undefined, origin: world.origin }
}

function useSources(world: World, { texts, maker }: SeedSources): void {
  world.texts = texts
  world.maker = maker
}

/** Puts the records of all accounts into the tables, and those by hand. */
function* loading(world: World, { records }: Pick<Scenario, 'records'>, sowing: Sowing): Work {
  const finished = new Map(
    tableNames.map((name) => [name, finishedRecords(world, name, records[name] ?? [])]),
  )
  for (const name of plainTables) {
    const rows = withHandmade(sowing.rowsOf(name), records[name] ?? [], finished.get(name) ?? [])
    const put = yield* anyTable(world.db, name).loading(rows)
    put()
  }
  yield* makeUnfinished(world, { records })
  for (const [name, given] of finished) checkHandmade(world, name, given)
  if (Object.keys(records).length > 0)
    for (const { completeRecords } of allResources) completeRecords?.(world)
}

/**
 * Lets a world begin with the records of its organisations. Those of its accounts are made when
 * somebody reads them.
 */
function beginWithRest(world: World, seeded: Seeded, sowing: Sowing): void {
  const own = plainTables.filter((name) => !isTenancy(name))
  /** The accounts whose records are in each table. */
  const loaded = new Map(own.map((name) => [name, new Set<number>()]))
  for (const name of plainTables) anyTable(world.db, name).load(sowing.rowsOf(name, new Set()))
  function* loadingTable(name: TableName, ids: readonly number[]): Work<Put> {
    const accounts = loaded.get(name) ?? new Set()
    const added = ids.filter((id) => !accounts.has(id))
    // Where the new accounts have no records, what is there stays, with its indexes.
    const rows = sowing.hasRows(name, added)
      ? sowing.rowsOf(name, new Set([...accounts, ...added]))
      : undefined
    const put = rows && (yield* anyTable(world.db, name).loading(rows))
    return () => {
      put?.()
      for (const id of added) accounts.add(id)
    }
  }
  const rest: Rest = {
    within: undefined,
    has: (table, ids) =>
      !stepsOf.has(table) || ids.every((id) => loaded.get(table as TableName)?.has(id)),
    early: (table, id, ids) => sowing.find(table as TableName, id, ids),
    *making(need) {
      // All of them another world has made already.
      if (need !== undefined || seeded.origin === undefined) yield* sowing.making(need)
    },
    *loading({ accountIds, table }: Partial<Need> = {}) {
      const { origin } = seeded
      if (accountIds === undefined && origin !== undefined)
        return () =>
          restoreTables(world.db, new Map([...origin.tables].filter(([name]) => !isTenancy(name))))
      const puts: Put[] = []
      for (const name of table === undefined ? own : [table as TableName])
        puts.push(yield* loadingTable(name, accountIds ?? sowing.accountIds))
      return () => {
        for (const put of puts) put()
      }
    },
    give: () => world.whole(),
    done() {
      Object.assign(seeded, { origin: world.origin, sowing: undefined })
    },
  }
  world.beginWithRest(
    rest,
    tableNames.filter((name) => !isTenancy(name)),
  )
}

/** Whether a table has organisations, keys or accounts, which are there from the start. */
function isTenancy(table: string): boolean {
  return Object.hasOwn(tenancyTables, table)
}

/** Stops a seeding whose records do not fit into the budget, before they are made. */
function createSpending({ meter }: World): ((bytes: number) => void) | undefined {
  if (meter === undefined) return undefined
  let spent = 0
  return (bytes) => {
    spent += bytes
    meter.budget.require(spent, 'seed the scenario')
  }
}

/** A record of a scenario: with some or all of its fields. */
type Handmade = Readonly<Record<string, unknown>>

/**
 * The handmade records that lack nothing. Where fields with a default are left out, these are
 * filled in.
 */
function finishedRecords(
  world: World,
  name: TableName,
  records: readonly Handmade[],
): readonly { id: Id }[] {
  if (records.length === 0) return []
  const table = anyTable(world.db, name)
  const { schema }: AnyTableDefinition = tableDefinitions[name]
  const fields = Object.keys(schema.shape)
  const isWhole = (record: Handmade) => fields.every((field) => record[field] !== undefined)
  return records
    .filter((record) => !table.lacks(record))
    .map((record) => (isWhole(record) ? (record as { id: Id }) : schema.parse(record)))
}

/**
 * Makes the handmade records that lack something, each table behind those that its records name.
 * @throws {SandboxError}
 */
function* makeUnfinished(world: World, { records }: Pick<Scenario, 'records'>): Work {
  for (const { table: name } of world.maker?.kinds ?? []) {
    const table = anyTable(world.db, name)
    for (const [index, record] of (records[name] ?? []).entries()) {
      if (!table.lacks(record)) continue
      insertHandmade(world, { table: name as TableName, index, record })
      yield
    }
  }
}

/**
 * Adds the finished handmade records to the seeded ones. A handmade record, finished or not,
 * replaces the seeded one with the same id.
 */
function withHandmade(
  seeded: readonly { id: Id }[],
  handmade: readonly Handmade[],
  finished: readonly { id: Id }[],
): readonly { id: Id }[] {
  if (handmade.length === 0) return seeded
  const ids = new Set(handmade.map(({ id }) => id))
  return [...seeded.filter(({ id }) => !ids.has(id)), ...finished]
}

function seedOrganisations(seeding: Seeding, { organisations }: Scenario, keys: Keys): void {
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
      accounts: accounts.map((account) => ({ id: account.id, fans: account.data.fans })),
    }
    for (const step of steps)
      step.organisation?.(
        seeding.atOrganisation(index).branch(step.name, 'organisation', id),
        plan as never,
      )
    for (const role of Object.keys(roles))
      rows.apiKeys.push({ id: rows.apiKeys.length + 1, role, organisation: id, ...keys(id, role) })
    rows.accounts.push(...accounts.map((account) => toAccount(seeding, account, id)))
  }
}

function toAccount(
  seeding: Seeding,
  { id, username, name, about, subscribePrice, session, connected, persona }: ScenarioAccount,
  organisation: number,
): Account {
  const personaName = personaNameOf({ id, persona })
  const avatar = pictureAddress(id)
  return {
    id,
    organisation,
    username,
    name,
    avatar,
    about: about === '' ? (seeding.texts.personas[personaName]?.about ?? '') : about,
    subscribePrice,
    joinDate: toIso(joinedAt(seeding, id)),
    session,
    connected,
    persona: personaName,
  }
}

/** When an account joined: some weeks or months before its first data. Epoch ms. */
function joinedAt(seeding: Seeding, id: number): number {
  const { random } = seeding.branch('joined', id)
  return daysAgo(seeding, random.integer(762, 1100)) - random.integer(0, 86_399) * 1000
}

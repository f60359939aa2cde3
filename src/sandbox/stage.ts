import { createPipeline } from '../engine/pipeline/handle.ts'
import { createMatcher, toRouter } from '../engine/pipeline/match.ts'
import type { Call, Reply, Route, RouteNames, RouteMatcher } from '../engine/route.ts'
import { loadingJson } from '../engine/snapshot.ts'
import type { WorldJson } from '../engine/snapshot.ts'
import { levelOf } from '../engine/source.ts'
import { rowsIn } from '../engine/store/tables.ts'
import type { ApiKey } from '../engine/tenancy/tenancy.table.ts'
import { parseInstant } from '../engine/time.ts'
import { finish } from '../engine/work.ts'
import type { Work } from '../engine/work.ts'
import type { WorldSnapshot } from '../engine/world.ts'
import { grantedPermissions, toApiKey } from '../scenario/keys.ts'
import { prepareScenario } from '../scenario/prepare.ts'
import type { PreparedScenario, ScenarioHeader } from '../scenario/prepare.ts'
import type { Scenario } from '../scenario/schema.ts'
import { expandTimeline } from '../scenario/timeline.ts'
import type { Step, Timeline } from '../scenario/timeline.ts'
import { createWorld } from '../world/create.ts'
import { allResources } from '../world/resources.ts'
import { routes } from '../world/routes.ts'
import { seedWorld } from '../world/seed.ts'
import type { World } from '../world/world.ts'
import { createFileLoader } from './media-files.ts'
import type { ResolvedOptions } from './options.ts'
import { createScript } from './story.ts'

// Created at import, which costs little, so that the first request does not wait for them.
const router = toRouter(routes)
const matcher = createMatcher(routes, router)
const documentedMatcher = createMatcher(routes, router, ({ source }) => levelOf(source) === 'documented')
const knownMatcher = createMatcher(routes, router, ({ source }) => levelOf(source) !== 'inferred')
const permissions = [...new Set(routes.flatMap(({ permission }) => permission ?? []))]

const routeNames = toNames(matcher)

/** The routes that a sandbox of those options answers. */
export function servedRoutes(options: ResolvedOptions): readonly Route[] {
  return matcherOf(options).routes
}

/** The routes that a sandbox of those options answers by name, as faults and the journal have them. */
export function servedNames(options: ResolvedOptions): RouteNames {
  return toNames(matcherOf(options))
}

/** Finds the route of a method and path. */
export const matchRoute = matcher.match

/** A scenario that runs: its world, the keys to it, and the function that answers from it. */
export interface Stage {
  /** The name of the scenario. */
  scenario: string
  /** The source of the stage: a name, or the scenario itself. */
  source: string | Scenario
  world: World
  /** The timeline as it is written. Empty before the data are there. */
  steps: readonly Step[]
  /** The timeline as it plays. Empty before the data are there. */
  timeline: Timeline
  /** The API keys by role. */
  keys: Readonly<Record<string, string>>
  /** Resolves when the data are there. */
  ready: Promise<void>
  isReady: boolean
  answer: (call: Call) => Promise<Reply>
}

const mainId = 'main'
const noTimeline: Timeline = { moments: [], chapters: [], captions: [], durationMs: 0 }

/** Sets up the scenario of the options in a world with this id. Everything but the data is there at once; `run` does the work for them. */
export function createStage(
  options: ResolvedOptions,
  { id = mainId, run = finish }: { id?: string; run?: (work: Work) => void | Promise<void> } = {},
): Stage {
  const prepared = prepareScenario(options.scenario, options.library)
  const world = toWorld(options, prepared.header, id)
  const stage: Stage = {
    scenario: prepared.header.name,
    source: options.scenario,
    world,
    steps: [],
    timeline: noTimeline,
    keys: toKeys(prepared.header, world.options.seed),
    ready: Promise.resolve(),
    isReady: false,
    answer: createAnswer(options, world),
  }
  stage.ready = seed(world, prepared, { options, run }).then(({ timeline, now }) => {
    stage.steps = timeline
    stage.timeline = expandTimeline(timeline, { start: now, seed: world.options.seed })
    // The story may use all routes, even where `documentedOnly` lets the sandbox answer fewer.
    world.script = createScript(stage.timeline, { matcher, bodyLimit: options.bodyLimit, routes: routeNames })
    if (id !== mainId) {
      renewSecrets(world)
      world.keepAsOrigin()
    }
    readKeys(stage)
    stage.isReady = true
  })
  // Callers of `ready` and requests see the error. Without this line it would also be an unhandled rejection.
  stage.ready.catch(() => {})
  return stage
}

/**
 * Makes another stage with the same data. A stage with a new `id` gets keys of its own.
 * @throws {SandboxError} before the data are there.
 */
export function forkStage(stage: Stage, options: ResolvedOptions, id?: string): Stage {
  const world = stage.world.fork(id, (fork) => id !== undefined && renewSecrets(fork))
  const fork: Stage = { ...stage, world, answer: createAnswer(options, world) }
  readKeys(fork)
  return fork
}

/** Loads a checked snapshot of the scenario into a stage. A snapshot of another world does not bring the keys and secrets of that world. */
export function* adoptingSnapshot(stage: Stage, snapshot: WorldJson): Work {
  const { world } = stage
  const load = yield* loadingJson(world, snapshot)
  load()
  if (snapshot.world !== world.id) renewSecrets(world, world.origin)
  readKeys(stage)
}

/** Reads the keys by role from the table again, after records were replaced. */
export function readKeys(stage: Stage): void {
  stage.keys = Object.fromEntries(stage.world.db.apiKeys.all().map(({ role, key }) => [role, key]))
}

function createAnswer(options: ResolvedOptions, world: World): Stage['answer'] {
  const { bodyLimit, log = () => {} } = options
  return createPipeline({ world, matcher: matcherOf(options), bodyLimit, loadFile: createFileLoader(), log })
}

function toNames({ routes: found, nearMisses }: RouteMatcher): RouteNames {
  return { ids: new Set(found.map(({ id }) => id)), nearMisses }
}

function matcherOf({ documentedOnly, noGuesses }: ResolvedOptions): RouteMatcher {
  if (documentedOnly) return documentedMatcher
  return noGuesses ? knownMatcher : matcher
}

function toWorld(options: ResolvedOptions, header: ScenarioHeader, id: string): World {
  return createWorld({
    id,
    seed: options.seed ?? header.seed,
    start: parseInstant(options.now ?? header.now) ?? 0,
    clock: { mode: options.clock, rate: options.rate },
    baseUrl: options.baseUrl,
    transcodingMs: header.transcodingSeconds * 1000,
    journalSize: options.journalSize,
  })
}

async function seed(
  world: World,
  prepared: PreparedScenario,
  { options: { data }, run }: { options: ResolvedOptions; run: (work: Work) => void | Promise<void> },
): Promise<Scenario> {
  const scenario = await prepared.load()
  const organisations = scenario.organisations.map((organisation) => ({
    ...organisation,
    accounts: organisation.accounts.map((account) => ({ ...account, data: { ...account.data, ...data } })),
  }))
  const keys = (index: number, role: string) => {
    const { name = '', roles = {} } = organisations[index - 1] ?? {}
    return {
      key: toApiKey(role, { seed: world.options.seed, organisation: name }),
      permissions: grantedPermissions(roles[role] ?? [], permissions),
    }
  }
  await seedWorld(world, { ...scenario, organisations }, keys, run)
  return scenario
}

/** Replaces keys and other secrets of another world. The world gets back those of its origin, where they exist, and otherwise new ones. */
function renewSecrets(world: World, origin?: WorldSnapshot): void {
  renewKeys(world, origin === undefined ? [] : rowsIn<ApiKey>(origin.tables, 'apiKeys'))
  for (const { renewSecrets: renew } of allResources) renew?.(world, origin)
}

function renewKeys({ db, id, options }: World, known: readonly ApiKey[]): void {
  for (const { id: keyId, role, organisation } of db.apiKeys.all()) {
    const derived = toApiKey(role, { seed: options.seed, organisation: `${organisation}/${keyId} of the world ${id}` })
    db.apiKeys.update(keyId, { key: known.find((key) => key.id === keyId)?.key ?? derived })
  }
}

function toKeys({ organisations }: ScenarioHeader, seed: number): Record<string, string> {
  return Object.fromEntries(
    organisations.flatMap(({ name, roles }) => roles.map((role) => [role, toApiKey(role, { seed, organisation: name })])),
  )
}

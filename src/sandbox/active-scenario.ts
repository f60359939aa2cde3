import { importModules } from '../lib/import-modules.ts'
import type { MemoryLimit } from '../world/memory-limit.ts'
import { HttpDateFormatter } from '../api/envelope.ts'
import { previewReply } from '../api/handle-request.ts'
import type { Pipeline } from '../api/handle-request.ts'
import { looksLikeLiveKey } from '../api/admission.ts'
import { EmptyQueryCache } from '../api/validate.ts'
import type { Call } from '../api/route.ts'
import { createNotReadyError } from '../errors.ts'
import { CredentialPatterns, decodeUtf8 } from '../lib/credentials.ts'
import { Digest } from '../lib/digest.ts'
import type { WorldJson } from '../world/snapshot/snapshot.ts'
import type { TableChangesToLoad } from '../world/snapshot/read-snapshot.ts'
import { getRealTime } from '../world/real-time.ts'
import { countSnapshotRows } from '../data/tables.ts'
import type { PausePolicy } from '../world/work.ts'
import { mainId } from '../world/world-name.ts'
import { forkWorld } from '../world/fork.ts'
import type { ForkOptions } from '../world/fork.ts'
import { listGrantedPermissions } from '../api/api-keys.ts'
import { shiftScenario } from '../scenario/shift-scenario.ts'
import { prepareScenario } from '../scenario/prepare.ts'
import type { AccountName, PreparedScenario, ScenarioHeader } from '../scenario/prepare.ts'
import type { Scenario } from '../scenario/schema.ts'
import type { StoryHeader } from '../scenario/player.ts'
import { resolveClockStart } from '../scenario/summary.ts'
import { expandTimeline } from '../scenario/expand-timeline.ts'
import type { ScenarioTimeline, Step } from '../scenario/expand-timeline.ts'
import type { Shapes } from '../variation/response-variator.ts'
import { version } from '../generated/version.ts'
import { createWorld } from '../resources/create-world.ts'
import { allPermissions } from '../resources/all-resources.ts'
import { loadReadyRows } from '../seed/ready-rows.ts'
import { copySeedData, loadSeedSources } from '../scenario/seed-sources.ts'
import type { OnProgress, Seeded } from '../scenario/seed-sources.ts'
import type { World } from '../resources/world.ts'
import { createFileLoader } from '../pictures/media-files.ts'
import type { ResolvedOptions } from './options.ts'
import type { SeedCache } from './seed-cache.ts'
import { createMatcher, matcher, routeNames } from './served-routes.ts'
import { getKeyRecords, renewKeys, renewSecrets, toKeys } from './world-keys.ts'
import { createWorldTimeline } from './world-timeline.ts'

/**
 * The scenario that a sandbox uses: its world, its keys, and the pipeline that handles requests.
 * Its data is loaded when `ready` resolves.
 */
export interface ActiveScenario {
  /** The name of the scenario. */
  scenario: string
  /** The story's description. `watch` is empty until the data is loaded. */
  storyHeader: StoryHeader
  /** Name of a shipped scenario, or the scenario itself. */
  source: string | Scenario
  world: World
  /** Scenario fields whose values changed when the scenario was moved to another start time. */
  moved: Partial<Pick<Scenario, 'records' | 'anchor'>>
  /** Steps from the scenario file, with shifted times. Empty before `ready`. */
  fileSteps: readonly Step[]
  /** The expanded timeline. Empty before `ready`. */
  timeline: ScenarioTimeline
  /** The API keys by role. */
  keys: Readonly<Record<string, string>>
  /** The accounts of the scenario. */
  accounts: readonly AccountName[]
  /** Resolves after the data is loaded. */
  ready: Promise<void>
  isReady: boolean
  /** True if the scenario must be read before its seed, start, keys and accounts are known. */
  isUnread: boolean
  /**
   * Id of the base rows against which changes are recorded. It is derived from everything that
   * determines these rows.
   */
  baseName: string
  /** The seeded data of this world, which other worlds can copy. */
  seeded?: Seeded
  pipeline: Pipeline
}

/** Maximum length of a cache key, characters. Longer scenarios are not cached. */
const maxKeyLength = 100_000
const noTimeline: ScenarioTimeline = expandTimeline([], { start: '', seed: 0 })

/** Replaces newly seeded rows with stored base rows. */
export interface BaseAdopter {
  adopt: (active: ActiveScenario, options: ResolvedOptions) => Promise<void>
}

/** Options for loading a scenario. */
export interface LoadContext {
  /** Seeded data of earlier worlds. */
  seeds: SeedCache
  memory?: MemoryLimit | undefined
  /**
   * Id of the world.
   * @default the main world
   */
  id?: string
  /** Set on servers, which seed in slices. */
  pace?: PausePolicy | undefined
  /** Provides the stored base rows if worlds are saved. */
  bases?: BaseAdopter | undefined
  onProgress?: OnProgress | undefined
}

/** Loads the scenario in the options. Everything except the data is available immediately. */
export function loadScenario(
  options: ResolvedOptions,
  { memory, id = mainId, pace, seeds, bases, onProgress }: LoadContext,
): ActiveScenario {
  const prepared = prepareScenario(options.scenario, options.library)
  const active = createUnloaded(options, prepared, { id, memory })
  const { world } = active
  const makeSeed = () => seed(world, prepared, { options, pace, onProgress })
  const key = toSeedKey(world, prepared, options)
  const reading = options.overlaid.read()?.then(() => {
    active.pipeline = createPipeline(options, world)
  })
  const seeding = key === undefined ? makeSeed() : seeds.get(key, makeSeed)
  active.ready = (
    reading === undefined ? seeding : Promise.all([seeding, reading]).then(([seeded]) => seeded)
  ).then(async (seeded) => {
    if (!world.isSeeded) copySeedData(world, seeded)
    await bases?.adopt(active, options)
    const { timeline, now, records, anchor, watch, client } = seeded.scenario
    active.storyHeader = { ...active.storyHeader, watch, client }
    active.seeded = seeded
    if (anchor === 'today') active.moved = { anchor: 'date' }
    if (now !== prepared.header.now && Object.keys(records).length > 0)
      active.moved = { ...active.moved, records }
    active.fileSteps = timeline
    active.timeline = expandTimeline(timeline, { start: now, seed: world.options.seed })
    const [misplaced] = active.timeline.misplaced
    if (misplaced !== undefined && id === mainId)
      options.log?.(
        `Warning: timeline[${misplaced}] of the scenario ${prepared.header.name} is earlier ` +
          'than a previous step. The sandbox sorted the steps by time.',
        'note',
      )
    // Gives the story all routes, even with `documentedOnly`.
    world.timeline = createWorldTimeline(active.timeline, {
      matcher,
      bodyLimit: options.bodyLimit,
      defaults: new EmptyQueryCache(),
      routes: routeNames,
    })
    if (id !== mainId) {
      renewSecrets(world)
      world.saveAsOrigin()
    }
    refreshKeys(active)
    active.isReady = true
  })
  // Prevents an unhandled rejection. Code that awaits `ready`, and requests, still receive the
  // error.
  active.ready.catch(() => {})
  return active
}

/**
 * Creates an empty world for a scenario that must be read first. Set its `ready`. Its keys and
 * accounts throw.
 */
export function createUnreadScenario(
  options: ResolvedOptions,
  memory: MemoryLimit | undefined,
): ActiveScenario {
  return {
    ...createUnloaded(options, prepareScenario('empty'), { id: mainId, memory }),
    scenario: '',
    isUnread: true,
    get keys(): ActiveScenario['keys'] {
      throw createNotReadyError('read the keys')
    },
    get accounts(): ActiveScenario['accounts'] {
      throw createNotReadyError('read the accounts')
    },
  }
}

function createUnloaded(
  options: ResolvedOptions,
  prepared: PreparedScenario,
  shared: { id: string; memory: MemoryLimit | undefined },
): ActiveScenario {
  const { name, title, description, accounts } = prepared.header
  const world = toWorld(options, prepared.header, shared)
  return {
    scenario: name,
    storyHeader: { title, description, watch: [] },
    source: options.scenario,
    world,
    moved: {},
    fileSteps: [],
    timeline: noTimeline,
    keys: toKeys(prepared.header, options.keys, world.options.seed),
    accounts,
    ready: Promise.resolve(),
    isReady: false,
    isUnread: false,
    baseName: createBaseName(world, prepared, options),
    pipeline: createPipeline(options, world),
  }
}

/**
 * Copies a scenario with its current or seeded data. With a new `id`, the copy's keys are
 * the same keys with the world's name appended.
 *
 * @throws {SandboxError} before `ready`
 */
export function forkScenario(
  active: ActiveScenario,
  options: ResolvedOptions,
  { id, ...rest }: Omit<ForkOptions<World>, 'change'> = {},
): ActiveScenario {
  const world = forkWorld(active.world, {
    ...rest,
    id,
    change: (fork) => id !== undefined && renewSecrets(fork),
  })
  const timeline = { ...active.timeline, steps: active.timeline.steps.again() }
  const fork: ActiveScenario = {
    ...active,
    world,
    timeline,
    pipeline: createPipeline(options, world),
  }
  refreshKeys(fork)
  return fork
}

/** Copies data from `other` to `active`, which must have the same scenario. Keys stay the same. */
export function copyScenarioData(active: ActiveScenario, other: ActiveScenario): void {
  active.world.replaceWith(other.world, renewSecrets)
  refreshKeys(active)
}

/**
 * Checks that there is enough memory for the rows of a snapshot.
 *
 * @throws {MemoryLimitError}
 */
export function requireMemoryForSnapshot(
  { world }: ActiveScenario,
  changes: TableChangesToLoad,
): void {
  const { memory } = world.options
  let rows = countSnapshotRows(world.origin.tables)
  for (const { length } of changes.values()) rows += length
  memory?.require('restore the snapshot')
  memory?.requireRows(rows, 'restore the snapshot')
}

/**
 * Renews keys and secrets after a snapshot is loaded. Replaces secrets that came from another
 * world. Keeps keys that the options set.
 */
export function renewKeysAfterRestore(
  active: ActiveScenario,
  snapshot: Pick<WorldJson, 'world'>,
  options: ResolvedOptions,
): void {
  const { world } = active
  if (snapshot.world !== world.id) renewSecrets(world, { id: snapshot.world, origin: world.origin })
  else if (options.keys.isOwn) renewKeys(world, getKeyRecords(world.origin), ({ key }) => key)
  refreshKeys(active)
}

/** True if a key exists in the seeded state and is accepted. */
export function hasSeededKey({ world }: ActiveScenario, sent: string): boolean {
  if (looksLikeLiveKey(world, sent)) return false
  const texts = [sent, decodeUtf8(sent)]
  return getKeyRecords(world.origin).some(({ key }) => texts.includes(key))
}

/** Updates the map of keys by role from the table of keys, after records were replaced. */
export function refreshKeys(active: ActiveScenario): void {
  active.keys = Object.fromEntries(
    active.world.db.apiKeys.all().map(({ role, key }) => [role, key]),
  )
}

function createPipeline(options: ResolvedOptions, world: World): Pipeline {
  const { bodyLimit, realTime, log = () => {} } = options
  const shapes: Shapes = new Map()
  const isAccount = (id: number) => world.db.accounts.get(id) !== undefined
  const pipeline: Pipeline = {
    world,
    matcher: createMatcher(options),
    bodyLimit,
    loadFile: createFileLoader(),
    log,
    realTime,
    async loadVariator(choice) {
      const { createResponseVariator } = await importModules(
        () => import('../variation/response-variator.ts'),
      )
      const preview = (call: Call) => previewReply(pipeline, call)
      const delays = world.faults
      return createResponseVariator(choice, { shapes, isAccount, delays, previewReply: preview })
    },
    defaults: new EmptyQueryCache(),
    date: new HttpDateFormatter(),
  }
  return pipeline
}

function toWorld(
  options: ResolvedOptions,
  header: ScenarioHeader,
  shared: { id: string; memory: MemoryLimit | undefined },
): World {
  return createWorld({
    ...shared,
    seed: options.seed ?? header.seed,
    start: resolveClockStart(header, { ...options, real: getRealTime() }),
    clock: { mode: options.clock, rate: options.rate },
    baseUrl: options.baseUrl,
    transcodingMs: header.transcodingSeconds * 1000,
    journalSize: options.journalSize,
    variation: options.variation,
    documentedOnly: options.documentedOnly,
    conditions: options.conditions,
    credentials: new CredentialPatterns(options),
  })
}

async function seed(
  world: World,
  prepared: PreparedScenario,
  {
    options: { data, keys },
    pace,
    onProgress,
  }: { options: ResolvedOptions } & Pick<LoadContext, 'pace' | 'onProgress'>,
): Promise<Seeded> {
  const [written, { seedWorld }, { fillTexts }] = await importModules(() =>
    Promise.all([
      prepared.load(),
      import('../scenario/seed-world.ts'),
      import('../scenario/fill-texts.ts'),
    ]),
  )
  const { seed, start, transcodingMs, memory } = world.options
  const [sources, ready] = await Promise.all([
    loadSeedSources(written),
    loadReadyRows({ source: prepared.source, seed, start, transcodingMs, data }),
  ])
  const shifted = shiftScenario(written, start)
  const scenario = await fillTexts(shifted, { seed, start, memory, pace })
  const organisations = scenario.organisations.map((organisation) => ({
    ...organisation,
    accounts: organisation.accounts.map((account) => ({
      ...account,
      data: { ...account.data, ...data },
    })),
  }))
  const keyOf = (index: number, role: string) => {
    const { name = '', roles = {} } = organisations[index - 1] ?? {}
    return {
      key: keys.getKey(role, { seed: world.options.seed, organisation: name }),
      permissions: listGrantedPermissions(roles[role] ?? [], allPermissions),
    }
  }
  return seedWorld(
    world,
    { ...scenario, organisations },
    { sources, keys: keyOf, ready, onProgress, pace },
  )
}

/**
 * Returns the cache key of the seeded data, built from everything that determines the data. Returns
 * undefined if the keys are random.
 */
function toSeedKey(
  { options: { seed, start, transcodingMs } }: World,
  { source }: PreparedScenario,
  { data, keys: { identity } }: ResolvedOptions,
): string | undefined {
  if (identity === undefined) return undefined
  const key = JSON.stringify([source, seed, start, transcodingMs, data, identity])
  return key.length > maxKeyLength ? undefined : key
}

/**
 * Returns the identifier of base rows: the version, and a digest of everything that determines the
 * rows.
 */
function createBaseName(
  { options: { seed, start, transcodingMs } }: World,
  { source }: PreparedScenario,
  { data }: ResolvedOptions,
): string {
  const digest = new Digest()
  digest.add([source, seed, start, transcodingMs, data])
  return `${version}/${digest.text}`
}

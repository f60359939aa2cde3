import { toIsoTime } from '../lib/time.ts'
import { isSameJson } from '../lib/plain-json.ts'
import { SandboxError } from '../errors.ts'
import { parseClockStart } from '../world/real-time.ts'
import { mainId } from '../world/world-name.ts'
import type { SandboxOptions } from '../sandbox/options.ts'
import type { ServedSandbox } from '../sandbox/served-sandbox.ts'
import { readKeyRecords } from '../sandbox/state/saved-world.ts'
import { StoredBases } from '../sandbox/state/stored-bases.ts'
import { WorldSaver } from '../sandbox/state/world-saver.ts'
import type { ServeFlags } from './flags.ts'
import type { WorldStore } from '../sandbox/state/world-store.ts'
import { gzipCodec, openStateFolder } from './state-folder.ts'

/** State stored at the location given by `--state`. */
export interface State {
  store: WorldStore
  bases: StoredBases
  /** Scenario, seed and start time of the main world, or undefined for a new store. */
  saved: SavedStart | undefined
}

/** Scenario, seed and start time of a main world. */
export interface SavedStart {
  scenario: string
  source: SandboxOptions['scenario']
  seed: number
  /** RFC 3339. */
  start: string
  /** Records of the world's keys. Later records replace earlier records of the same role. */
  keyRecords: readonly unknown[]
}

/** The flags for saved state. */
type StateFlags = Pick<
  ServeFlags,
  'state' | 'stateReset' | 'statePrefix' | 'statePasswordEnv' | 'worldTtl'
>

/**
 * Opens the state at the location given by `--state`. Returns undefined without the flag.
 *
 * @throws {SandboxError}
 */
export async function openState(
  flags: StateFlags,
  log: (message: string) => void,
): Promise<State | undefined> {
  const { state: path } = flags
  const isRedis = path !== undefined && /^rediss?:\/\//.test(path)
  const requires = (flag: string, isGiven: boolean, needed: string) => {
    if (isGiven)
      throw new SandboxError(`Failed to serve with ${flag}: it needs ${needed}. Add ${needed}.`)
  }
  requires('--state-reset', flags.stateReset === true && path === undefined, '--state')
  const needed = '--state redis://HOST:PORT'
  requires('--state-prefix', flags.statePrefix !== undefined && !isRedis, needed)
  requires('--state-password-env', flags.statePasswordEnv !== undefined && !isRedis, needed)
  if (path === undefined) return undefined
  if (!isRedis && /^[a-z][a-z\d+.-]*:\/\//i.test(path))
    throw new SandboxError(
      `Failed to read --state (${path.slice(0, path.indexOf('/'))}//…): it must be a folder, or ` +
        'a URL that starts with redis:// or rediss://.',
    )
  const store = isRedis ? await openRedis(path, flags, log) : await openStateFolder(path)
  return readState(store, flags)
}

/**
 * Connects to the Redis server given by `--state`.
 *
 * @throws {SandboxError}
 */
async function openRedis(
  url: string,
  { statePrefix: prefix = 'creator-api-sandbox', statePasswordEnv, worldTtl }: StateFlags,
  log: (message: string) => void,
): Promise<WorldStore> {
  const password = statePasswordEnv === undefined ? undefined : process.env[statePasswordEnv]
  if (statePasswordEnv !== undefined && (password ?? '') === '')
    throw new SandboxError(
      `Failed to read --state-password-env (${JSON.stringify(statePasswordEnv)}): the ` +
        `environment variable is not set. Set it to the password of Redis.`,
    )
  const { openRedisStore } = await import('./state-redis.ts')
  return openRedisStore({ url, password, prefix, worldTtlMs: worldTtl, log })
}

async function readState(store: WorldStore, { stateReset }: StateFlags): Promise<State> {
  const bases = new StoredBases(store, gzipCodec)
  try {
    try {
      return { store, bases, saved: await readSavedStart(store, bases) }
    } catch (error) {
      if (stateReset !== true || !(error instanceof SandboxError)) throw error
      await resetState(store)
      return { store, bases, saved: undefined }
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Reads scenario, seed and start time of the main world, or returns undefined for a new store. */
async function readSavedStart(
  store: WorldStore,
  bases: StoredBases,
): Promise<SavedStart | undefined> {
  const key = await bases.mainKey()
  if (key === undefined) return undefined
  const head = await bases.head(key)
  const bytes = await store.load(mainId)
  const keyRecords = await bases.keyRecords(key)
  if (bytes !== undefined) keyRecords.push(...readKeyRecords(bytes))
  return { ...head, keyRecords }
}

/**
 * Rejects flags whose scenario, seed or start time differ from the saved state.
 *
 * @throws {SandboxError} with both values
 */
export function rejectDifferentStart(
  { store: { place }, saved }: State,
  { scenario, seed, now }: Pick<SandboxOptions, 'scenario' | 'seed' | 'now'>,
): void {
  if (saved === undefined) return
  const refuse = (was: string, is: string, flag: string) => {
    throw new SandboxError(
      `Failed to use the state (${place}): ${was}, not ${is}. Remove ${flag}, use another ` +
        '--state, or delete the state with --state-reset.',
    )
  }
  if (scenario !== undefined && !isSameJson(scenario, saved.source)) {
    const name = typeof scenario === 'string' ? scenario : scenario.name
    if (name === saved.scenario)
      refuse(
        `it was created with another version of the scenario ${name}`,
        'with this one',
        '--scenario',
      )
    refuse(`it was created with the scenario ${saved.scenario}`, `with ${name}`, '--scenario')
  }
  if (seed !== undefined && seed !== saved.seed)
    refuse(`it was created with seed ${saved.seed}`, `with seed ${seed}`, '--seed')
  const start = now === undefined ? undefined : parseClockStart(now)
  if (start !== undefined && toIsoTime(start) !== saved.start)
    refuse(`its clock started at ${saved.start}`, `at ${toIsoTime(start)}`, '--now')
}

/**
 * Deletes all data in a store. Used for `--state-reset`.
 *
 * @throws {SandboxError} if other servers use the store
 */
export async function resetState(store: WorldStore): Promise<void> {
  if (store.leases?.hasOthers === true)
    throw new SandboxError(
      `Failed to reset the state (${store.place}): other servers are using it. Stop them ` +
        'first, or use another --state-prefix.',
    )
  for (const { name } of await store.list()) await store.remove(name)
}

/** Restores saved worlds, and starts saving all worlds. */
export async function startSavingWorlds(
  served: ServedSandbox,
  { store, bases }: State,
  { flags, log }: { flags: ServeFlags; log: (message: string) => void },
): Promise<WorldSaver> {
  const saver = new WorldSaver(store, {
    bases,
    now: () => performance.timeOrigin + performance.now(),
    log,
    onHealthChange: (failure) => served.reportState(failure),
    closeWorld: (id) => served.closeWorld(id),
    saveBase: () => served.saveBase(bases),
    reloadMain: () => served.reloadMain(saver, bases),
    worldTtlMs: flags.worldTtl,
  })
  const isNew = (await bases.mainKey()) === undefined
  if (isNew) await saveFirstBase(served, bases, store)
  // After the main world's base rows are known, so that those of a killed first save are removed.
  await saver.open()
  const hasMain = await served.keepIn(saver)
  const { clock, rate, variation } = flags
  const { sandbox } = served
  if (!hasMain) {
    if (clock !== undefined || rate !== undefined || variation !== undefined)
      log(
        'Another server owns the main world, so the flags for its clock and variation have no ' +
          'effect. Set them with POST /_sandbox/clock and /_sandbox/actions.',
      )
  } else if (!isNew) {
    if (clock === 'frozen') sandbox.clock.freeze()
    if (clock === 'running' || rate !== undefined) sandbox.clock.run(rate)
    if (variation !== undefined) {
      const { delayMs, ...choice } = variation
      sandbox.act({ type: 'variation.set', ...choice, delay_ms: delayMs })
    }
  }
  await saver.saveAll()
  return saver
}

async function saveFirstBase(
  served: ServedSandbox,
  bases: StoredBases,
  { place }: WorldStore,
): Promise<void> {
  try {
    await served.saveBase(bases)
  } catch (error) {
    throw new SandboxError(
      `Failed to save the state (${place}): ${(error as Error).message}. Use another --state.`,
      { cause: error },
    )
  }
}

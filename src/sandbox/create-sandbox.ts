import { importModules } from '../lib/import-modules.ts'
import { mebibyte, MemoryLimit } from '../world/memory-limit.ts'
import type { PausePolicy } from '../world/work.ts'
import { trimStackToCaller } from '../errors.ts'
import type {
  SandboxOptions,
  Scenario as ScenarioInput,
  ScenarioName,
  ExtendedScenario,
  Scenario,
} from '../generated/inputs.ts'
import type { OnProgress } from '../scenario/seed-sources.ts'
import { Sandbox } from './sandbox.ts'
import type { SandboxOf } from './sandbox.ts'
import { createUnreadScenario, loadScenario } from './active-scenario.ts'
import type { BaseAdopter } from './active-scenario.ts'
import { parseOptions } from './options.ts'
import type { ResolvedOptions } from './options.ts'
import { Runtime } from './runtime.ts'
import { SeedCache } from './seed-cache.ts'

/** Functions and settings that a server provides to its sandbox. */
interface ServerHost {
  pace: PausePolicy
  /** Returns the memory used by the process, bytes. Garbage counts only up to `limit`. */
  processMemory?: (limit: number) => number
  onProgress?: OnProgress | undefined
  /**
   * Provides the stored base rows.
   * @default worlds are not saved
   */
  bases?: BaseAdopter | undefined
}

/**
 * A cache of seeded data that all sandboxes in the process share to save time. It does not change
 * their data.
 */
const seeds = new SeedCache()

/**
 * Creates a sandbox: the whole API with seeded data, in memory. Returns immediately and loads the
 * data in the background (`await sandbox.ready`). Requests wait until the data is loaded.
 *
 * @throws {SandboxError} if an option is unknown or out of range
 * @example
 * const sandbox = createSandbox({
 *   baseUrl: 'https://api.example.test',
 *   scenario: 'agency',
 *   seed: 7,
 * })
 */
export function createSandbox<Name extends ScenarioName = 'agency'>(
  options?: SandboxOptions & { scenario?: Name },
): SandboxOf<Name>
export function createSandbox<Path extends string>(
  options: Omit<SandboxOptions, 'scenario'> & { scenario: string extends Path ? Path : never },
): Sandbox
export function createSandbox<const Library extends readonly ScenarioInput[] = readonly []>(
  options?: SandboxOptions<Library>,
): Sandbox
export function createSandbox(options: SandboxOptions<readonly ScenarioInput[]> = {}): Sandbox {
  try {
    return open(parseOptions(options))
  } catch (error) {
    throw trimStackToCaller(error, createSandbox)
  }
}

/**
 * Creates a sandbox for a server, which can handle other requests while data is being seeded. With
 * `beginsNow`, the clock starts at the current UTC minute, unless `now` or the scenario sets a
 * start. This also applies to scenarios loaded later. With `cuesStories`, stories loaded later wait
 * until they are played.
 */
export function createServedSandbox(
  options: SandboxOptions<readonly ScenarioInput[]>,
  host: Pick<ResolvedOptions, 'beginsNow' | 'cuesStories'> & ServerHost,
): Sandbox {
  const { beginsNow, cuesStories } = host
  return open({ ...parseOptions(options), beginsNow, cuesStories }, host)
}

function open(
  options: ResolvedOptions,
  { pace, processMemory, onProgress, bases }: Partial<ServerHost> = {},
): Sandbox {
  const { maxMemory, unread } = options
  const memory =
    maxMemory === undefined ? undefined : new MemoryLimit(maxMemory * mebibyte, processMemory)
  const active =
    unread === undefined
      ? loadScenario(options, { memory, seeds, pace, bases, onProgress })
      : createUnreadScenario(options, memory)
  const runtime = new Runtime(options, { active, seeds, pace, bases })
  if (unread !== undefined) {
    // Occupies the queue, so that operations that do not wait for `ready` run later.
    active.ready = runtime.queue.replace('seeding', async () => {
      const { readScenarioSource } = await importModules(
        () => import('../scenario/scenario-file.ts'),
      )
      await runtime.replaceScenario(await readScenarioSource(unread, options.library), options)
    })
    // Prevents an unhandled rejection. Code that awaits `ready`, and requests, still receive it.
    active.ready.catch(() => {})
  }
  return Sandbox.of(runtime)
}

/**
 * Returns a scenario unchanged. Types all its fields, including the records of each table and the
 * actions of the timeline.
 *
 * @example
 * const mine = defineScenario({ extends: 'solo', records: { tags: [{ name: 'VIP' }] } })
 * const sandbox = createSandbox({ scenario: mine })
 */
export function defineScenario(scenario: ExtendedScenario): ExtendedScenario
export function defineScenario<const Name extends string>(
  scenario: Scenario & { name: Name },
): Scenario & { name: Name }
export function defineScenario(scenario: Scenario | ExtendedScenario): Scenario | ExtendedScenario {
  return scenario
}

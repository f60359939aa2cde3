import { mebibyte, MemoryLimit } from '../world/memory-limit.ts'
import type { Pace } from '../world/work.ts'
import { atCaller } from '../errors.ts'
import type {
  SandboxOptions,
  Scenario as ScenarioInput,
  ScenarioName,
} from '../generated/inputs.ts'
import type { OnProgress } from '../seed/seed.ts'
import { sandboxOf } from './sandbox.ts'
import type { Sandbox, SandboxOf } from './sandbox.ts'
import { loadScenario } from './loaded-scenario.ts'
import type { BaseAdopter } from './loaded-scenario.ts'
import { parseOptions } from './options.ts'
import type { ResolvedOptions } from './options.ts'
import { Runtime } from './runtime.ts'
import { SeedCache } from './seed-cache.ts'

/** The parts of a server that its sandbox uses. */
interface ServerHost {
  pace: Pace
  /** Measures the memory of the process, bytes. */
  processMemory?: () => number
  onProgress?: OnProgress | undefined
  /** The rows of saved worlds. @default worlds are not saved */
  bases?: BaseAdopter | undefined
}

/** Shared by all sandboxes of the process. It saves time and changes no data. */
const seeds = new SeedCache()

/**
 * Creates a sandbox: the whole API on seeded data, in memory. It exists at once, and its data
 * follow (`await sandbox.ready`). Requests wait for the data by themselves.
 *
 * @throws {SandboxError} when an option is unknown or out of range.
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
export function createSandbox<const Library extends readonly ScenarioInput[] = readonly []>(
  options?: SandboxOptions<Library>,
): Sandbox
export function createSandbox(options: SandboxOptions<readonly ScenarioInput[]> = {}): Sandbox {
  try {
    return open(parseOptions(options))
  } catch (error) {
    throw atCaller(error, createSandbox)
  }
}

/**
 * Creates the sandbox of a server, which answers other requests while it is seeded. With
 * `beginsNow` its clock starts now, to the UTC minute, unless `now` or its scenario gives a start;
 * so do scenarios that are loaded later.
 */
export function createServedSandbox(
  options: SandboxOptions<readonly ScenarioInput[]>,
  { beginsNow, ...host }: { beginsNow: boolean } & ServerHost,
): Sandbox {
  return open({ ...parseOptions(options), beginsNow }, host)
}

function open(
  options: ResolvedOptions,
  { pace, processMemory, onProgress, bases }: Partial<ServerHost> = {},
): Sandbox {
  const { maxMemory } = options
  const memory =
    maxMemory === undefined ? undefined : new MemoryLimit(maxMemory * mebibyte, processMemory)
  const loaded = loadScenario(options, { memory, seeds, pace, bases, onProgress })
  return sandboxOf(new Runtime(options, { loaded, seeds, pace, bases }))
}

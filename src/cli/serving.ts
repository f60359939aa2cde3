import { nodePace } from '../hosts/pace.ts'
import { readQuery, splitUrl } from '../lib/url.ts'
import { SandboxError } from '../errors.ts'
import { shippedScenarios } from '../generated/scenario-index.ts'
import { createServedSandbox } from '../sandbox/create-sandbox.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { ServedSandbox } from '../sandbox/served-sandbox.ts'
import type { SandboxOptions } from '../sandbox/options.ts'
import { listen } from '../hosts/server/listen.ts'
import { loadMetrics } from '../hosts/server/load-metrics.ts'
import type { OpenPort } from '../hosts/server/port.ts'
import { warnOfSeededKeys } from '../hosts/server/seeded-keys.ts'
import { describeToken } from './control-token.ts'
import { defaultMaxMemory } from './flags.ts'
import type { ServeFlags } from './flags.ts'
import { createLog, endingSignals } from './host.ts'
import type { Host } from './host.ts'
import { chooseKeys, tellOfUnusedKeys } from './keys.ts'
import type { Library } from './scenario-file.ts'
import { measureGrowth } from './process-memory.ts'
import { createProgress } from './progress.ts'
import { openStateFile, restoreState } from './state-file.ts'
import type { SavedState, StateFile } from './state-file.ts'
import type { StateFolder } from './state-folder.ts'
import { createStateWriter } from './state-writer.ts'
import type { StateWriter } from './state-writer.ts'
import { describeServer } from './welcome.ts'

/** Hooks for when the server listens and before it closes. */
export interface ServeHooks {
  /** Replaces the usual output. `header` is the header for the control plane, for a shell. */
  describe?: (sandbox: Sandbox, header: string | undefined) => string
  /** Called when the data are loaded, before the first answer. */
  onReady?: (sandbox: Sandbox) => void
  /** Called before the server closes. */
  onClose?: () => void
}

/** An open port, and what to serve on it. */
interface Opened {
  flags: ServeFlags
  controlToken: string | undefined
  port: OpenPort
}

/** Serves a sandbox on a port that is open. @throws {SandboxError} as `serve` does. */
export async function serveFrom(opened: Opened, host: Host, hooks: ServeHooks): Promise<Sandbox> {
  const state = await openState(opened.flags.state)
  try {
    return await serveWith({ ...opened, ...state }, host, hooks)
  } catch (error) {
    state.file?.lock.release()
    throw error
  }
}

/** The target of `--state`: nothing, a file for the main world, or a folder for all worlds. */
interface State {
  /** The file of the main world. */
  file?: StateFile
  folder?: StateFolder
}

async function openState(name: string | undefined): Promise<State> {
  if (name === undefined) return {}
  const { isFolder, openStateFolder } = await import('./state-folder.ts')
  return isFolder(name) ? openStateFolder(name) : { file: await openStateFile(name) }
}

async function serveWith(
  { flags, controlToken, port, file, folder }: State & Opened,
  host: Host,
  { describe = describeServer, onReady = () => {}, onClose = () => {} }: ServeHooks,
): Promise<Sandbox> {
  const { host: address = '127.0.0.1', quiet = false } = flags
  const log = createLog(host)
  const options = await toSandboxOptions(flags, file?.saved, log)
  // A state of an older version has no start time: it began when its scenario does.
  const beginsNow = file?.saved === undefined || file.saved.start !== undefined
  const sandbox = createServedSandbox(options, {
    beginsNow,
    pace: nodePace,
    processMemory: measureGrowth(),
    onProgress: quiet ? undefined : createProgress(log, nodePace.now),
  })
  await sandbox.ready
  const served = new ServedSandbox(sandbox)
  const writer = file && (await keepState(served, { file, folder }, { flags, log }))
  await served.prepare()
  onReady(sandbox)
  const { allowHost, allowOrigin, noCors = false, baseUrl, metrics = false } = flags
  const count = metrics ? await loadMetrics(served) : undefined
  listen(served, port, {
    host: address,
    baseUrl,
    allowHosts: allowHost,
    allowOrigins: allowOrigin,
    cors: !noCors,
    controlToken,
    onRequest: writer && ((method, url) => touchState(method, url, { writer, folder })),
    observe: count,
  })
  writer?.start()
  closeOnSignal(host, port, async () => {
    onClose()
    await writer?.close()
    if (flags.audit !== true) return false
    const { printAudit } = await import('./print-audit.ts')
    return printAudit(sandbox, flags.failOn, host)
  })
  warnOfSeededKeys(sandbox, address, log)
  tellOfUnusedKeys(options.keys, sandbox, log)
  host.stdout.write(quiet ? `${sandbox.baseUrl}\n` : describe(sandbox, describeToken(flags)))
  return sandbox
}

/**
 * Real time when the process began, epoch ms. Read once, because each read is as slow as reading
 * the clock.
 */
const { timeOrigin } = performance

async function toSandboxOptions(
  {
    scenario,
    scenarios,
    seed,
    now,
    clock = 'running',
    rate,
    baseUrl,
    liveKeyPrefix: liveKeyPrefixes,
    allowLiveLookingKeys,
    onlyDocumented,
    noGuesses,
    overlay,
    journalSize,
    variation,
    maxMemory,
    maxWorlds,
    quiet = false,
    ...flags
  }: ServeFlags,
  saved: SavedState | undefined,
  log: (message: string) => void,
): Promise<SandboxOptions> {
  if (clock === 'frozen' && rate !== undefined)
    throw new SandboxError(
      `Failed to serve with --rate ${rate}: the clock stands with --clock frozen. Give one of ` +
        `the two.`,
    )
  const library =
    scenarios === undefined
      ? undefined
      : await (await import('./scenario-file.ts')).readLibrary(scenarios, log)
  const source =
    scenario === undefined ? savedScenario(saved, library) : await findScenario(scenario, library)
  const isSaved = (typeof source === 'object' ? source.name : source) === saved?.scenario
  return {
    scenario: source,
    library,
    seed: seed ?? (isSaved ? saved?.seed : undefined),
    now: now ?? (isSaved ? saved?.start : undefined),
    clock,
    rate,
    baseUrl,
    documentedOnly: onlyDocumented,
    noGuesses,
    overlay,
    keys: chooseKeys(
      { ...flags, liveKeyPrefixes, allowLiveLookingKeys },
      { scenario: source, library, saved },
    ),
    liveKeyPrefixes,
    allowLiveLookingKeys,
    journalSize,
    variation,
    maxMemory: maxMemory ?? defaultMaxMemory,
    maxWorlds,
    realTime: () => timeOrigin + performance.now(),
    log: (message, level) => {
      if (!quiet || level === 'error') log(message)
    },
  }
}

/** The scenario that a state file was made from, from the library or shipped. */
function savedScenario(
  saved: SavedState | undefined,
  library: Library,
): SandboxOptions['scenario'] {
  const own = library?.find(({ name }) => name === saved?.scenario)
  if (
    own !== undefined ||
    saved === undefined ||
    shippedScenarios.some(({ name }) => name === saved.scenario)
  )
    return own ?? saved?.scenario
  throw new SandboxError(
    `Failed to restore the state: it was made from the scenario ` +
      `${JSON.stringify(saved.scenario)}, which is not a shipped one. ` +
      'Give its file with --scenario.',
  )
}

async function findScenario(
  scenario: string,
  library: Library,
): Promise<SandboxOptions['scenario']> {
  // Avoids loading the YAML parser for a shipped scenario.
  if (library === undefined && shippedScenarios.some(({ name }) => name === scenario))
    return scenario
  return (await import('./scenario-file.ts')).findScenario(scenario, library)
}

/** Restores the saved state, or saves the current one. */
async function keepState(
  served: ServedSandbox,
  { file: { saved, ...file }, folder }: State & { file: StateFile },
  { flags: { clock, rate, variation }, log }: { flags: ServeFlags; log: (message: string) => void },
): Promise<StateWriter> {
  const { name } = file
  // Releases the saved state after restoring it.
  const writer = createStateWriter(served.sandbox, file, {
    log,
    onCondition: (since) => served.reportState(since),
    folder,
  })
  if (saved !== undefined) await restoreSaved(served, saved, { name, clock, rate, variation })
  // Also after restoring. This checks that the file can be written, and later writes reuse its
  // unchanged parts.
  await writer.write()
  if (folder !== undefined) served.storeWorlds(folder)
  return writer
}

/** Marks the state as dirty after a control request. Worlds report API requests themselves. */
function touchState(
  method: string,
  url: string,
  { writer, folder }: { writer: StateWriter; folder: StateFolder | undefined },
): void {
  writer.touch(method)
  if (folder === undefined || !url.startsWith('/_sandbox')) return
  const { world } = readQuery(url.slice(splitUrl(url).path.length))
  if (typeof world === 'string') folder.touchBy(world, method)
}

async function restoreSaved(
  served: ServedSandbox,
  saved: SavedState,
  {
    name,
    clock,
    rate,
    variation,
  }: Pick<ServeFlags, 'clock' | 'rate' | 'variation'> & { name: string },
): Promise<void> {
  const { scenario, seed, start } = served.madeFrom
  if (saved.scenario !== scenario || saved.seed !== seed) {
    const made =
      `it was made from the scenario ${saved.scenario} with seed ${saved.seed}, not ` +
      `from ${scenario} with seed ${seed}`
    throw new SandboxError(
      `Failed to restore the state file (${name}): ${made}. Leave --scenario and --seed out, or ` +
        `give another --state.`,
    )
  }
  if (saved.start !== undefined && saved.start !== start) {
    const made = `its clock started at ${saved.start}, not at ${start}`
    throw new SandboxError(
      `Failed to restore the state file (${name}): ${made}. Leave --now out, or give another ` +
        `--state.`,
    )
  }
  const { sandbox } = served
  await restoreState(served, name, saved)
  if (clock === 'frozen') sandbox.clock.freeze()
  if (clock === 'running' || rate !== undefined) sandbox.clock.run(rate)
  if (variation === undefined) return
  const { delayMs, ...choice } = variation
  sandbox.act({ type: 'variation.set', ...choice, delay_ms: delayMs })
}

/** `finish` returns true if it found a failure. */
function closeOnSignal(host: Host, port: OpenPort, finish: () => Promise<boolean>): void {
  let isClosing = false
  const shutDown = async () => {
    // A second signal means that the user does not want to wait.
    if (isClosing) return host.exit(1)
    isClosing = true
    await port.close()
    try {
      host.exit((await finish()) ? 1 : 0)
    } catch (error) {
      createLog(host)(String((error as Error).message))
      host.exit(1)
    }
  }
  for (const signal of endingSignals) host.on(signal, () => void shutDown())
}

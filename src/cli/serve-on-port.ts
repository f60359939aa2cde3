import { nodePace } from '../hosts/pace.ts'
import { SandboxError } from '../errors.ts'
import { shippedScenarios } from '../generated/scenario-index.ts'
import { createServedSandbox } from '../sandbox/create-sandbox.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { ServedSandbox } from '../sandbox/served-sandbox.ts'
import type { SandboxOptions } from '../sandbox/options.ts'
import { listen } from '../hosts/server/listen.ts'
import { addMetrics } from '../hosts/server/load-metrics.ts'
import type { OpenPort } from '../hosts/server/port.ts'
import { warnAboutSeededKeys } from '../hosts/server/network-exposure.ts'
import { formatTokenHeader } from './control-token.ts'
import { defaultMaxMemory } from './flags.ts'
import type { ServeFlags } from './flags.ts'
import { createLogger, endingSignals } from './host.ts'
import type { Host } from './host.ts'
import { chooseKeys, warnAboutUnusedKeys } from './keys.ts'
import type { Library } from './scenario-file.ts'
import { onStdinEnd } from './parent-process.ts'
import { collectGarbageEarly, measureMemoryGrowth } from './process-memory.ts'
import { createProgressPrinter, formatStartupText } from './startup-text.ts'
import type { SavedStart, State } from './state.ts'

/** Hooks that are called when the server starts and stops. */
export interface ServeHooks {
  /** Replaces the default output. `header` is the control token header, quoted for a shell. */
  describe?: (sandbox: Sandbox, header: string | undefined) => string
  /** True if stories that are loaded later wait until they are played. */
  cuesStories?: boolean
  /** Called after the data is loaded and before the first response. */
  onReady?: (sandbox: Sandbox) => void
  /** Called before the server closes. */
  onClose?: () => void | Promise<void>
}

/** An open port, and the flags of the server. */
interface OpenServer {
  flags: ServeFlags
  controlToken: string | undefined
  port: OpenPort
}

/**
 * Serves a sandbox on an open port.
 *
 * @throws {SandboxError} for the same reasons as `serve`
 */
export async function serveOnPort(
  opened: OpenServer,
  host: Host,
  hooks: ServeHooks,
): Promise<Sandbox> {
  const { state: path, stateReset, statePrefix, statePasswordEnv } = opened.flags
  // Loads the code for saved states only if it is needed.
  const stateFlags = [path, stateReset, statePrefix, statePasswordEnv]
  const state = stateFlags.every((flag) => flag === undefined)
    ? undefined
    : await (await import('./state.ts')).openState(opened.flags, createLogger(host))
  if (state === undefined) return serveWith(opened, host, hooks)
  try {
    return await serveWith({ ...opened, state }, host, hooks)
  } catch (error) {
    await state.store.close()
    throw error
  }
}

async function serveWith(
  { flags, controlToken, port, state }: OpenServer & { state?: State },
  host: Host,
  { describe = formatStartupText, cuesStories, onReady = () => {}, onClose = () => {} }: ServeHooks,
): Promise<Sandbox> {
  const { host: address = '127.0.0.1', quiet = false } = flags
  const log = createLogger(host)
  const options = await toOptions(flags, state, log)
  const sandbox = createServedSandbox(options, {
    beginsNow: true,
    cuesStories,
    pace: nodePace,
    bases: state?.bases,
    processMemory: measureMemoryGrowth(),
    onProgress: quiet ? undefined : createProgressPrinter(log, nodePace.now),
  })
  await sandbox.ready
  const served = new ServedSandbox(sandbox)
  const saver =
    state && (await (await import('./state.ts')).startSavingWorlds(served, state, { flags, log }))
  await served.prepare()
  // Not earlier, because it would slow down seeding.
  collectGarbageEarly()
  onReady(sandbox)
  const { allowHost, allowOrigin, noCors = false, baseUrl, metrics = false } = flags
  const count = metrics ? await addMetrics(served) : undefined
  listen(served, port, {
    host: address,
    baseUrl,
    allowHosts: allowHost,
    allowOrigins: allowOrigin,
    cors: !noCors,
    controlToken,
    observe: count,
  })
  saver?.start()
  const isWarning = !quiet && flags.noWarnings !== true
  const finishWarnings = isWarning ? warnEverySecond(served, log) : undefined
  closeOnExit(host, flags, port, async () => {
    await finishWarnings?.()
    await onClose()
    await saver?.close()
    if (flags.audit !== true) return false
    const { printAudit } = await import('./print-audit.ts')
    return printAudit(sandbox, flags.failOn, host)
  })
  warnAboutSeededKeys(sandbox, address, log)
  warnAboutUnusedKeys(options.keys, sandbox, log)
  host.stdout.write(quiet ? `${sandbox.baseUrl}\n` : describe(sandbox, formatTokenHeader(flags)))
  return sandbox
}

/**
 * Real time when the process started, epoch ms. Read only once, because each read is as slow as
 * `performance.now()`.
 */
const { timeOrigin } = performance

/**
 * Reads the sandbox options from the server's flags.
 *
 * @throws {SandboxError}
 */
export async function toSandboxOptions(
  flags: ServeFlags,
  saved: SavedStart | undefined,
  log: (message: string) => void,
): Promise<SandboxOptions> {
  const { scenario, scenarios, clock = 'running', rate, liveKeyPrefix: liveKeyPrefixes } = flags
  if (clock === 'frozen' && rate !== undefined)
    throw new SandboxError(
      `Failed to serve with --rate ${rate}: with --clock frozen the clock does not run. Use ` +
        'only one.',
    )
  const library =
    scenarios === undefined
      ? undefined
      : await (await import('./scenario-file.ts')).readScenarioLibrary(scenarios, log)
  const source =
    scenario === undefined
      ? await findSavedScenario(saved, library)
      : await findScenario(scenario, library)
  return {
    scenario: source,
    library,
    seed: flags.seed ?? saved?.seed,
    now: flags.now ?? saved?.start,
    clock,
    rate,
    baseUrl: flags.baseUrl,
    documentedOnly: flags.onlyDocumented,
    noGuesses: flags.noGuesses,
    overlay: flags.overlay,
    keys: await chooseKeys(
      { ...flags, liveKeyPrefixes },
      { scenario: source, library, savedKeys: saved?.keyRecords },
    ),
    liveKeyPrefixes,
    allowLiveLookingKeys: flags.allowLiveLookingKeys,
    journalSize: flags.journalSize,
    variation: flags.variation,
    maxMemory: flags.maxMemory ?? defaultMaxMemory,
    maxWorlds: flags.maxWorlds,
    realTime: () => timeOrigin + performance.now(),
    log: (message, level) => {
      if (flags.quiet !== true || level === 'error') log(message)
    },
  }
}

/**
 * Reads the options and checks that they match the saved state, unless `--state-reset` is set.
 *
 * @throws {SandboxError}
 */
async function toOptions(
  flags: ServeFlags,
  state: State | undefined,
  log: (message: string) => void,
): Promise<SandboxOptions> {
  const options = await toSandboxOptions(flags, state?.saved, log)
  if (state?.saved === undefined) return options
  const { rejectDifferentStart, resetState } = await import('./state.ts')
  const { scenario, seed, now } = flags
  try {
    rejectDifferentStart(state, {
      scenario: scenario === undefined ? undefined : options.scenario,
      seed,
      now,
    })
    return options
  } catch (error) {
    if (flags.stateReset !== true || !(error instanceof SandboxError)) throw error
    await resetState(state.store)
    state.saved = undefined
    return toSandboxOptions(flags, undefined, log)
  }
}

/** Returns the scenario of a saved state: its name if it is shipped, or the scenario itself. */
async function findSavedScenario(
  saved: SavedStart | undefined,
  library: Library,
): Promise<SandboxOptions['scenario']> {
  if (typeof saved?.source !== 'string') return saved?.source
  const own = library?.find(({ name }) => name === saved.source)
  if (own !== undefined || shippedScenarios.some(({ name }) => name === saved.source))
    return own ?? saved.source
  throw new SandboxError(
    `Failed to use the state: it was created with the scenario ${JSON.stringify(saved.source)}, ` +
      'which is not shipped. Set --scenario to its file.',
  )
}

async function findScenario(
  scenario: string,
  library: Library,
): Promise<SandboxOptions['scenario']> {
  // Loads the YAML parser only for scenarios that are not shipped.
  if (library === undefined && shippedScenarios.some(({ name }) => name === scenario))
    return scenario
  return (await import('./scenario-file.ts')).findScenario(scenario, library)
}

/**
 * Logs new client mistakes once a second, so that logging does not delay requests. Returns a
 * function that logs those of the last second.
 */
function warnEverySecond(served: ServedSandbox, log: (line: string) => void): () => Promise<void> {
  let warned = Promise.resolve()
  const warn = () => {
    warned = warned.then(() => (served.sandbox.control.isClosed() ? undefined : served.warn(log)))
    return warned
  }
  setInterval(() => void warn(), 1_000).unref()
  return warn
}

/**
 * Closes the server on a signal or when its parent process ends. `finish` returns true if it found
 * a failure.
 */
function closeOnExit(
  host: Host,
  { exitWithParent = false }: ServeFlags,
  port: OpenPort,
  finish: () => Promise<boolean>,
): void {
  let isClosing = false
  const shutDown = async () => {
    if (isClosing) return
    isClosing = true
    await port.close()
    try {
      host.exit((await finish()) ? 1 : 0)
    } catch (error) {
      createLogger(host)(String((error as Error).message))
      host.exit(1)
    }
  }
  for (const signal of endingSignals)
    host.on(signal, () => {
      // Exits immediately on a second signal, because the user does not want to wait.
      if (isClosing) return host.exit(1)
      void shutDown()
    })
  if (exitWithParent) onStdinEnd(() => void shutDown())
}

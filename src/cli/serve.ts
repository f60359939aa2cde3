import { SandboxError } from '../errors.ts'
import { shippedScenarios } from '../generated/scenario-index.ts'
import { createSandbox } from '../sandbox.ts'
import type { Sandbox } from '../sandbox.ts'
import type { SandboxOptions } from '../sandbox/options.ts'
import type { ServeFlags } from './flags.ts'
import { createLog } from './host.ts'
import type { Host } from './host.ts'
import type { Library } from './scenario-file.ts'
import { startServer } from './server.ts'
import type { RunningServer } from './server.ts'
import { createStateWriter, readStateFile, restoreState } from './state-file.ts'
import type { SavedState, StateWriter } from './state-file.ts'
import { describeServer } from './welcome.ts'

/** What to do once the server listens, and before it closes. */
export interface ServeHooks {
  /** What to print in place of the usual lines. */
  describe?: (sandbox: Sandbox, controlToken: string | undefined) => string
  /** Once the data are there, before anybody is served. */
  onReady?: (sandbox: Sandbox) => void
  /** Before the server closes. */
  onClose?: () => void
}

/** Serves a sandbox until SIGTERM or SIGINT. @throws {SandboxError} when the flags do not fit together or the address cannot be had. */
export async function serve(
  flags: ServeFlags,
  host: Host,
  { describe = describeServer, onReady = () => {}, onClose = () => {} }: ServeHooks = {},
): Promise<Sandbox> {
  const { port = 4010, host: address = '127.0.0.1', controlToken, state, quiet = false } = flags
  requireToken(address, controlToken)
  const log = createLog(host)
  const saved = state === undefined ? undefined : readStateFile(state)
  const sandbox = createSandbox(await toSandboxOptions(flags, saved, log))
  await sandbox.ready
  const writer =
    state === undefined
      ? undefined
      : await keepState(
          sandbox,
          createStateWriter(sandbox, state, (error) => log(String((error as Error).message))),
          { file: state, saved, flags },
        )
  await sandbox.warm()
  onReady(sandbox)
  const server = await startServer(sandbox, { port, host: address, controlToken })
  if (flags.baseUrl === undefined) sandbox.baseUrl = server.url
  if (writer !== undefined) server.onRequestOver(writer.touch)
  closeOnSignal(host, server, () => {
    onClose()
    writer?.flush()
  })
  host.stdout.write(quiet ? `${sandbox.baseUrl}\n` : describe(sandbox, controlToken))
  return sandbox
}

function requireToken(host: string, controlToken: string | undefined): void {
  if (controlToken !== undefined || host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)) return
  throw new SandboxError(`Failed to serve on ${host}: its control plane would be open to the network. Give --control-token too.`)
}

async function toSandboxOptions(
  { scenario, scenarios, seed, now, clock = 'running', rate, baseUrl, onlyDocumented, noGuesses, journalSize, quiet = false }: ServeFlags,
  saved: SavedState | undefined,
  log: (message: string) => void,
): Promise<SandboxOptions> {
  if (clock === 'frozen' && rate !== undefined)
    throw new SandboxError(`Failed to serve with --rate ${rate}: the clock stands with --clock frozen. Give one of the two.`)
  const library = scenarios === undefined ? undefined : await (await import('./scenario-file.ts')).readLibrary(scenarios, log)
  const source = scenario === undefined ? savedScenario(saved, library) : await findScenario(scenario, library)
  const isSaved = (typeof source === 'object' ? source.name : source) === saved?.scenario
  return {
    scenario: source,
    library,
    seed: seed ?? (isSaved ? saved?.seed : undefined),
    now,
    clock,
    rate,
    baseUrl,
    documentedOnly: onlyDocumented,
    noGuesses,
    journalSize,
    log: quiet ? undefined : log,
  }
}

/** The scenario that a state file was made from, where it is of the library or a shipped one. */
function savedScenario(saved: SavedState | undefined, library: Library): SandboxOptions['scenario'] {
  const own = library?.find(({ name }) => name === saved?.scenario)
  if (own !== undefined || saved === undefined || shippedScenarios.some(({ name }) => name === saved.scenario))
    return own ?? saved?.scenario
  throw new SandboxError(
    `Failed to restore the state: it was made from the scenario ${JSON.stringify(saved.scenario)}, which is not a shipped one. ` +
      'Give its file with --scenario.',
  )
}

async function findScenario(scenario: string, library: Library): Promise<SandboxOptions['scenario']> {
  // Most want a shipped scenario, and need no reader of YAML.
  if (library === undefined && shippedScenarios.some(({ name }) => name === scenario)) return scenario
  return (await import('./scenario-file.ts')).findScenario(scenario, library)
}

/** Restores what was saved, or saves what there is. */
async function keepState(
  sandbox: Sandbox,
  writer: StateWriter,
  { file, saved, flags: { clock, rate } }: { file: string; saved: SavedState | undefined; flags: ServeFlags },
): Promise<StateWriter> {
  if (saved === undefined) {
    writer.flush()
    return writer
  }
  const { scenario, seed } = sandbox.control.state()
  if (saved.scenario !== scenario || saved.seed !== seed) {
    const made = `it was made from the scenario ${saved.scenario} with seed ${saved.seed}, not from ${scenario} with seed ${seed}`
    throw new SandboxError(`Failed to restore the state file (${file}): ${made}. Leave --scenario and --seed out, or give another --state.`)
  }
  await restoreState(sandbox, file, saved)
  if (clock === 'frozen') sandbox.clock.freeze()
  if (clock === 'running' || rate !== undefined) sandbox.clock.run(rate)
  return writer
}

function closeOnSignal(host: Host, server: RunningServer, finish: () => void): void {
  let isClosing = false
  const shutDown = async () => {
    // Who asks twice does not want to wait.
    if (isClosing) return host.exit(1)
    isClosing = true
    await server.close()
    try {
      finish()
    } catch (error) {
      createLog(host)(String((error as Error).message))
      return host.exit(1)
    }
    host.exit(0)
  }
  host.on('SIGTERM', () => void shutDown())
  host.on('SIGINT', () => void shutDown())
}

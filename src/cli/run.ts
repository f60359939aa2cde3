import { Command, CommanderError } from 'commander'
import { explainDeniedAccess } from '../lib/file-errors.ts'
import { SandboxError } from '../errors.ts'
import { description, version } from '../generated/version.ts'
import { ScenarioError } from '../scenario/error.ts'
import { ListenError } from '../hosts/server/port.ts'
import { parseFlags, toCommanderOptions } from './parse-flags.ts'
import {
  auditFlags,
  recordFlags,
  replayFlags,
  serveFlags,
  validateFlags,
  verifyFlags,
  watchFlags,
} from './flags.ts'
import { surviveFlags } from './survive/flags.ts'
import { createLogger } from './host.ts'
import type { Host } from './host.ts'
import { serve } from './serve.ts'
import { isError } from '../lib/realms.ts'

/** Maximum number of scenario problems to print. */
const maxProblems = 20

type Texts = Record<string, string | boolean | string[]>

/**
 * Runs the command with the given arguments. For commands that start a server, the promise resolves
 * after startup. The server then runs until the host stops it.
 * @returns the exit code: 2 for a user error, 1 for any other failure
 */
export async function runCli(args: readonly string[], host: Host): Promise<number> {
  const result = { code: 0 }
  const program = createProgram(host, result)
  try {
    await program.parseAsync(args, { from: 'user' })
    return result.code
  } catch (error) {
    const { lines, code } = explain(error, program)
    lines.forEach(createLogger(host))
    return code
  }
}

/** `result` receives the exit code if the command succeeds. */
function createProgram(host: Host, result: { code: number }): Command {
  const output = { writeOut: (text: string) => void host.stdout.write(text), writeErr: () => {} }
  const program = new Command('creator-api-sandbox')
    .description(description)
    .version(version)
    .enablePositionalOptions()
    .helpCommand('help [command]', 'Explain a command')
    .exitOverride()
    .configureOutput(output)
    .action(async (texts: Texts) => {
      await serve(parseFlags(serveFlags, texts), host)
    })
  for (const option of toCommanderOptions(serveFlags)) program.addOption(option)
  const command = (
    usage: string,
    summary: string,
    flags: Parameters<typeof toCommanderOptions>[0],
  ) => {
    const made = program.command(usage).description(summary).exitOverride().configureOutput(output)
    for (const option of toCommanderOptions(flags)) made.addOption(option)
    return made
  }

  // Replay and record have no --state: they start from the scenario and would ignore a saved world.
  const {
    state: _,
    stateReset: _reset,
    statePrefix: _prefix,
    statePasswordEnv: _password,
    worldTtl: _ttl,
    ...statelessFlags
  } = serveFlags
  const { scenario: __, ...scenelessFlags } = statelessFlags
  command('replay <scenario>', 'Serve a scenario (name or file) and play its story', {
    ...scenelessFlags,
    ...replayFlags,
  }).action(async (scenario: string, texts: Texts) => {
    const { replayScenario } = await import('./replay.ts')
    await replayScenario(scenario, parseFlags({ ...scenelessFlags, ...replayFlags }, texts), host)
  })
  command('record [scenario]', 'Serve a scenario (name or file) and record the session', {
    ...statelessFlags,
    ...recordFlags,
  }).action(async (scenario: string | undefined, texts: Texts) => {
    const { recordSession } = await import('./record.ts')
    const flags = parseFlags({ ...statelessFlags, ...recordFlags }, texts)
    await recordSession(addScenarioFlag('record', scenario, flags), host)
  })
  command('scenarios', 'List the scenarios that you can load by name', {
    scenarios: serveFlags.scenarios,
  }).action(async (texts: Texts) => {
    const { listScenarios } = await import('./scenarios.ts')
    await listScenarios(parseFlags(serveFlags, texts), host)
  })
  command('validate <scenario>', 'Check a scenario (name or file) and play its story', {
    scenarios: serveFlags.scenarios,
    maxMemory: serveFlags.maxMemory,
    ...validateFlags,
  }).action(async (scenario: string, texts: Texts) => {
    const { validateScenario } = await import('./scenarios.ts')
    await validateScenario(scenario, parseFlags({ ...serveFlags, ...validateFlags }, texts), host)
  })
  const { overlay, onlyDocumented, noGuesses } = serveFlags
  command('routes', 'List the routes, with overlays applied', {
    overlay,
    onlyDocumented,
    noGuesses,
  }).action(async (texts: Texts) => {
    const { listRoutes } = await import('./routes.ts')
    await listRoutes(parseFlags(serveFlags, texts), host)
  })
  command(
    'verify',
    'Compare a live service with the sandbox, using read-only requests',
    verifyFlags,
  ).action(async (texts: Texts) => {
    const { verifyLiveService } = await import('./verify.ts')
    await verifyLiveService(parseFlags(verifyFlags, texts), host)
  })
  command(
    'watch',
    'Forward requests to a live service, and record how it differs from the sandbox',
    watchFlags,
  ).action(async (texts: Texts) => {
    const { watchLiveService } = await import('./watch.ts')
    await watchLiveService(parseFlags(watchFlags, texts), host)
  })
  const { scenario, scenarios, seed, now, maxMemory } = serveFlags
  command(
    'audit <recording>',
    "Report the client's mistakes in a recorded session and what they cost",
    {
      scenarios,
      maxMemory,
      ...auditFlags,
    },
  ).action(async (recording: string, texts: Texts) => {
    const { auditRecording } = await import('./print-audit.ts')
    const isBad = await auditRecording(
      recording,
      parseFlags({ ...serveFlags, ...auditFlags }, texts),
      host,
    )
    if (isBad) result.code = 1
  })
  command(
    'survive [command...]',
    'Run a command with each response variation and each simulated service failure (bad day)',
    surviveFlags,
  )
    .passThroughOptions()
    .action(async (parts: string[], texts: Texts) => {
      const { runSurviveCommand } = await import('./survive/survive.ts')
      const isBad = await runSurviveCommand(parts, parseFlags(surviveFlags, texts), { host, texts })
      if (isBad) result.code = 1
    })
  command('check [scenario]', 'Check the records of a scenario (name or file)', {
    scenario,
    scenarios,
    seed,
    now,
    maxMemory,
  }).action(async (source: string | undefined, texts: Texts) => {
    const { checkScenario } = await import('./scenarios.ts')
    await checkScenario(addScenarioFlag('check', source, parseFlags(serveFlags, texts)), host)
  })
  return program
}

/**
 * Adds the scenario argument to the flags.
 *
 * @throws {SandboxError} if --scenario is also set
 */
function addScenarioFlag<Flags extends { scenario?: string }>(
  command: string,
  scenario: string | undefined,
  flags: Flags,
): Flags {
  if (scenario === undefined) return flags
  if (flags.scenario !== undefined)
    throw new SandboxError(
      `Failed to ${command} ${scenario}: --scenario also names a scenario, ${flags.scenario}. ` +
        'Use only one.',
    )
  return { ...flags, scenario }
}

/** Returns the exit code and the lines of the error message, one line per scenario problem. */
function explain(error: unknown, program: Command): { lines: readonly string[]; code: number } {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { lines: [], code: 0 }
    return {
      lines: [
        toLine(
          `${describe(error, program)
            .replace(/^error: /, '')
            .replace(/\.$/, '')}. See --help.`,
        ),
      ],
      code: 2,
    }
  }
  if (error instanceof ScenarioError)
    return { lines: truncateProblems(error.problems).map(toLine), code: 2 }
  const denied = explainDeniedAccess(error)
  if (denied !== undefined) return { lines: [`Failed to run the command: ${denied}.`], code: 1 }
  if (error instanceof SandboxError)
    return { lines: [toLine(error.message)], code: error instanceof ListenError ? 1 : 2 }
  return {
    lines: [isError(error) ? (error.stack ?? error.message) : String(error)],
    code: 1,
  }
}

function toLine(text: string): string {
  // Escapes control characters, because the text may quote a file whose control characters the
  // terminal would interpret.
  const lines = text.split('\n').map((line) => line.trim())
  return lines.join(' ').replace(/\p{Cc}/gu, '\uFFFD')
}

function truncateProblems(problems: readonly string[]): readonly string[] {
  return problems.length <= maxProblems
    ? problems
    : [...problems.slice(0, maxProblems), `And ${problems.length - maxProblems} more.`]
}

function describe({ code, message }: CommanderError, program: Command): string {
  const commands = [...program.commands.map((each) => each.name()), 'help']
  const word = program.args.find((each) => each !== 'help') ?? 'help'
  // For `help` with an unknown command, commander prints the general help and fails.
  const isUnknown =
    (code === 'commander.excessArguments' || code === 'commander.help') && !commands.includes(word)
  if (word === 'help') return message.replace('(outputHelp)', 'help explains a command')
  return isUnknown
    ? `there is no command ${JSON.stringify(word)}. The commands are ${commands.join(', ')}. ` +
        'Without a command, the sandbox starts a server'
    : message
}

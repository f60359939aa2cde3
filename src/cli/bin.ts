#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { Command, CommanderError } from 'commander'
import { SandboxError } from '../errors.ts'
import { ScenarioError } from '../scenario/parse.ts'
import { parseFlags, recordFlags, replayFlags, serveFlags, toOptions } from './flags.ts'
import { serve } from './serve.ts'
import { ListenError } from './server.ts'

// Left to itself V8 lets a heap grow to four times what is in use before it clears up: a story that plays fast would take 600 MB.
setFlagsFromString('--heap-growing-percent=10')

const { version, description } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string; description: string }

/** How many things that are wrong with a scenario are told. */
const mostProblems = 20

type Texts = Record<string, string | boolean>

const program = new Command('creator-api-sandbox')
  .description(description)
  .version(version)
  .enablePositionalOptions()
  .helpCommand('help [command]', 'Explain a command')
  .exitOverride()
  .configureOutput({ writeErr: () => {} })
  .action(async (texts: Texts) => {
    await serve(parseFlags(serveFlags, texts))
  })
for (const option of toOptions(serveFlags)) program.addOption(option)

// A story and a recording begin with the scenario: a saved world would be lost to the one, and be no part of the other.
const { state: _, ...statelessFlags } = serveFlags
const { scenario: __, ...scenelessFlags } = statelessFlags
command('replay <scenario>', 'Serve a scenario, by name or file, and play its story', { ...scenelessFlags, ...replayFlags }).action(async (scenario: string, texts: Texts) => {
  const { replay } = await import('./replay.ts')
  await replay(scenario, parseFlags({ ...scenelessFlags, ...replayFlags }, texts))
})
command('record', 'Serve, and write what is done as a scenario', { ...statelessFlags, ...recordFlags }).action(async (texts: Texts) => {
  const { record } = await import('./record.ts')
  await record(parseFlags({ ...statelessFlags, ...recordFlags }, texts))
})
command('scenarios', 'List the scenarios that can be loaded by name', { scenarios: serveFlags.scenarios }).action(async (texts: Texts) => {
  const { listScenarios } = await import('./scenarios.ts')
  await listScenarios(parseFlags(serveFlags, texts))
})
command('validate <scenario>', 'Check a scenario, by name or file, and whether its story plays', { scenarios: serveFlags.scenarios }).action(async (scenario: string, texts: Texts) => {
  const { validate } = await import('./scenarios.ts')
  await validate(scenario, parseFlags(serveFlags, texts))
})

// Whoever reads no further, as `head` does, wants no more: that is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

function command(usage: string, summary: string, flags: Parameters<typeof toOptions>[0]): Command {
  const made = program.command(usage).description(summary).exitOverride().configureOutput({ writeErr: () => {} })
  for (const option of toOptions(flags)) made.addOption(option)
  return made
}

/** Says what is wrong in one line, or in one for each thing that is wrong with a scenario, and returns the exit code: 2 for what was asked for, 1 for what the machine refuses. */
function report(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    return fail([`${describe(error).replace(/^error: /, '').replace(/\.$/, '')}. See --help.`], 2)
  }
  if (error instanceof ScenarioError) return fail(cut(error.problems), 2)
  if (error instanceof SandboxError) return fail([error.message], error instanceof ListenError ? 1 : 2)
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  return 1
}

function fail(lines: readonly string[], code: number): number {
  for (const line of lines) process.stderr.write(`${line.replace(/\s*\n\s*/g, ' ')}\n`)
  return code
}

function cut(problems: readonly string[]): readonly string[] {
  return problems.length <= mostProblems ? problems : [...problems.slice(0, mostProblems), `And ${problems.length - mostProblems} more.`]
}

function describe({ code, message }: CommanderError): string {
  const commands = [...program.commands.map((each) => each.name()), 'help']
  const word = program.args.find((each) => each !== 'help') ?? 'help'
  // Asked to explain a command that there is not, commander fails with the help of all.
  const isUnknown = (code === 'commander.excessArguments' || code === 'commander.help') && !commands.includes(word)
  if (word === 'help') return message.replace('(outputHelp)', 'help explains one of the commands')
  return isUnknown ? `there is no command ${JSON.stringify(word)}. There are ${commands.join(', ')}; without one it serves` : message
}

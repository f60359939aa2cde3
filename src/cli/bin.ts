#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { SandboxError } from '../errors.ts'
import { parseFlags, serveFlags, toOptions } from './flags.ts'
import { serve } from './serve.ts'
import { ListenError } from './server.ts'

const { version, description } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string; description: string }

const program = new Command('creator-api-sandbox')
  .description(description)
  .version(version)
  .exitOverride()
  .configureOutput({ writeErr: () => {} })
  .action((texts: Record<string, string | boolean>) => serve(parseFlags(texts)))
for (const option of toOptions(serveFlags)) program.addOption(option)

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

/** Says what is wrong in one line and returns the exit code: 2 for what was asked for, 1 for what the machine refuses. */
function report(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    return fail(`${error.message.replace(/^error: /, '')}. See --help.`, 2)
  }
  if (error instanceof SandboxError) return fail(error.message, error instanceof ListenError ? 1 : 2)
  return fail(error instanceof Error ? (error.stack ?? error.message) : String(error), 1)
}

function fail(message: string, code: number): number {
  process.stderr.write(`${code === 2 ? message.replace(/\s*\n\s*/g, ' ') : message}\n`)
  return code
}

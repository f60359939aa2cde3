import type { TrialRun } from '../../variation/trials.ts'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { SandboxError } from '../../errors.ts'
import { listen } from '../../hosts/server/listen.ts'
import { openPort } from '../../hosts/server/port.ts'
import { nodePace } from '../../hosts/pace.ts'
import { explainWriteError } from '../../lib/file-errors.ts'
import { createServedSandbox } from '../../sandbox/create-sandbox.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { ServedSandbox } from '../../sandbox/served-sandbox.ts'
import { createTrialWorld } from '../../sandbox/trial-world.ts'
import { everyTrial, runTrials } from '../../variation/run-trials.ts'
import type { Execution } from '../../variation/run-trials.ts'
import type { SurvivalFailure, SurvivalResult } from '../../variation/survival.ts'
import { createLogger, endingSignals } from '../host.ts'
import type { Host } from '../host.ts'
import { measureMemoryGrowth } from '../process-memory.ts'
import { replaceFile } from '../replace-file.ts'
import { toSandboxOptions } from '../serve-on-port.ts'
import { runChild } from './child.ts'
import { runFlags } from './flags.ts'
import type { SurviveFlags } from './flags.ts'
import { SurviveProgress, formatReport, formatFailedRun } from './report.ts'

/** Maximum number of output lines to print if a command fails without variations. */
const maxLines = 20
/** Maximum number of requests to check per run. */
const journalSize = 20_000
/** Timeout for the first run of a command, ms. */
const firstTimeoutMs = 600_000
/** Timeout for later runs, as a multiple of the first run's duration. `slackMs` is added. */
const slowness = 10
const slackMs = 60_000

/** Unparsed flag values, by name. */
type Texts = Readonly<Record<string, string | boolean | string[]>>

/**
 * Runs a command with each variation and on each bad day, and prints a table of results. Returns
 * true if the command survived less than `failUnder` percent of the runs.
 *
 * @param texts the unparsed flags, to print commands that repeat a run
 * @throws {SandboxError} if the command fails without variations or sends no request
 */
export async function runSurviveCommand(
  command: readonly string[],
  flags: SurviveFlags,
  { host, texts }: { host: Host; texts: Texts },
): Promise<boolean> {
  if (command.length === 0)
    throw new SandboxError(
      'Failed to run: the command is missing. Write it after --, such as: creator-api-sandbox ' +
        'survive -- npm test.',
    )
  const { seeds = 5, only = everyTrial, late = 5000, format = 'text', failUnder = 100 } = flags
  const stopping = stopOnSignal(host)
  const progress = new SurviveProgress(host)
  const { sandbox, close } = await serveWorlds(flags, host)
  try {
    const commands = new CommandRunner(sandbox, command, {
      late,
      output: flags.output,
      signal: stopping.signal,
      print: createLogger(host),
    })
    // Runs that write to the same file must not run in parallel.
    const maxJobs = flags.output?.includes('{key}') === false ? 1 : Infinity
    const { results, note } = await runTrials((run) => commands.run(run), {
      seeds,
      only,
      delayMs: 200,
      lateMs: late,
      expectError: flags.expectError,
      jobs: Math.min(flags.jobs ?? availableParallelism(), maxJobs),
      signal: stopping.signal,
      onRun: (state) => progress.show(state),
    })
    progress.end(stopping.signal.aborted)
    const replayOf = ({ name }: SurvivalResult, { seed }: SurvivalFailure) =>
      ['npx', 'creator-api-sandbox', 'survive']
        .concat(repeatedFlags(texts), '--only', `${name}:${seed}`, '--')
        .concat(command)
        .map(quoteForShell)
        .join(' ')
    const { percent, summary } = summarise(results, seeds, note)
    host.stdout.write(formatReport({ results, note, summary, replayOf }, format))
    if (flags.out !== undefined) await writeRuns(flags.out, results, replayOf)
    return stopping.signal.aborted || percent < failUnder
  } finally {
    stopping.end()
    await close()
  }
}

interface CommandOptions {
  /** Delay that `late-answer` adds, ms. */
  late: number
  /** The file with the command's result. @default stdout */
  output: string | undefined
  signal: AbortSignal
  /** Prints the last lines of output if the command fails without a variation. */
  print: (text: string) => void
}

/** Runs a command, each time in a new world. */
class CommandRunner {
  readonly #sandbox: Sandbox
  readonly #command: readonly string[]
  readonly #options: CommandOptions
  /** Duration of the run without variations, ms. */
  #usualMs: number | undefined

  constructor(sandbox: Sandbox, command: readonly string[], options: CommandOptions) {
    this.#sandbox = sandbox
    this.#command = command
    this.#options = options
  }

  async run(run: TrialRun | null): Promise<Execution> {
    const world = await createTrialWorld(this.#sandbox, run)
    const { late, signal, output: outputFile } = this.#options
    const timeoutMs =
      this.#usualMs === undefined ? firstTimeoutMs : this.#usualMs * slowness + late + slackMs
    const values = { url: this.#sandbox.baseUrl, key: world.key, account: String(world.account) }
    const file = outputFile === undefined ? undefined : fillIn(outputFile, values)
    if (file !== undefined) rmSync(file, { force: true })
    const startedAt = performance.now()
    const ended = await runChild(
      this.#command.map((part) => fillIn(part, values)),
      {
        env: {
          CREATOR_API_URL: values.url,
          CREATOR_API_KEY: values.key,
          CREATOR_API_ACCOUNT: values.account,
        },
        timeoutMs,
        signal,
      },
    ).catch(async (error: unknown) => {
      await world.finish()
      throw error
    })
    const { newIds, ...rest } = await world.finish()
    const text = file === undefined ? ended.stdout : readIfExists(file)
    const observed = {
      ...rest,
      newIds: new Set([...newIds, values.key]),
      output: { text, whole: `${ended.output}\n${file === undefined ? '' : text}` },
    }
    if (run === null) {
      this.#usualMs ??= performance.now() - startedAt
      if (ended.exitCode === 0) requireRequests(observed, ended.output)
      else if (!signal.aborted)
        this.#options.print(ended.output.trimEnd().split('\n').slice(-maxLines).join('\n'))
    }
    if (ended.exitCode === 0) return observed
    const { isLate = false, exitCode, signal: endedBy, output } = ended
    const note = isLate
      ? `The command did not end within ${Math.round(timeoutMs / 1000)} s.\n`
      : exitCode === null
        ? `The signal ${endedBy} ended the command.\n`
        : ''
    return {
      ...observed,
      failure: {
        exitCode,
        output: `${note}${output.trimEnd()}`,
        ...(isLate ? { isEnded: true } : {}),
      },
    }
  }
}

function requireRequests({ record }: Pick<Execution, 'record'>, output: string): void {
  if (record.requests.length > 0) return
  throw new SandboxError(
    'Failed to vary the responses: the command sent no request to the sandbox. Make it read ' +
      'CREATOR_API_URL, CREATOR_API_KEY and CREATOR_API_ACCOUNT from its environment, or pass ' +
      `{url}, {key} and {account} as arguments. Its output: ${output.trim().slice(-500)}`,
  )
}

/** Reads the result of a command. Empty if the command wrote none. */
function readIfExists(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** Replaces `{url}`, `{key}` and `{account}` in a command argument. */
function fillIn(part: string, values: Readonly<Record<string, string>>): string {
  return part.replaceAll(/\{(url|key|account)\}/g, (_, name: string) => values[name] ?? '')
}

/** Serves a sandbox on a free loopback port. */
async function serveWorlds(
  { scenario, scenarios, seed, now, overlay, maxMemory }: SurviveFlags,
  host: Host,
): Promise<{ sandbox: Sandbox; close: () => Promise<void> }> {
  const log = createLogger(host)
  const isError = (message: string, level: string) => {
    if (level === 'error') log(message)
  }
  const options = await toSandboxOptions(
    { scenario, scenarios, seed, now, overlay, maxMemory, journalSize },
    undefined,
    log,
  )
  const sandbox = createServedSandbox(
    { ...options, log: isError },
    { beginsNow: true, pace: nodePace, processMemory: measureMemoryGrowth() },
  )
  await sandbox.ready
  const served = new ServedSandbox(sandbox)
  await served.prepare()
  const address = '127.0.0.1'
  const port = await openPort({ port: 0, host: address })
  listen(served, port, { host: address })
  const close = async () => {
    await port.close()
    sandbox.close()
  }
  return { sandbox, close }
}

/** Aborts on the first signal and exits on the second. */
function stopOnSignal(host: Host): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController()
  let isOver = false
  for (const signal of endingSignals)
    host.on(signal, () => {
      if (isOver || controller.signal.aborted) host.exit(1)
      controller.abort()
    })
  const end = () => {
    isOver = true
    // If one run cannot start, the others are stopped as well.
    controller.abort()
  }
  return { signal: controller.signal, end }
}

/**
 * Computes the percentage of variations and bad days that the command survived. Ignores those
 * without a result.
 */
function summarise(
  results: readonly SurvivalResult[],
  seeds: number,
  note: string | undefined,
): { percent: number; summary: string } {
  const broken = results.filter(({ failures }) => failures.length > 0).length
  const intact = results.filter(({ failures }) => failures.length === 0)
  const survived = intact.filter((result) => result.survived > 0).length
  const reported = intact.filter((result) => result.survived === 0 && result.reported > 0).length
  const unmet = intact.length - survived - reported
  const judged = survived + broken
  const percent = judged === 0 ? 100 : (100 * survived) / judged
  const summary =
    `Survived ${survived} of ${judged}${judged === 0 ? '' : ` (${Math.floor(percent)} %)`}, ` +
    `reported ${reported}, not triggered ${unmet}.`
  const notes = [...describeSkippedRuns(results, seeds), ...(note === undefined ? [] : [note])]
  return { percent, summary: [summary, ...notes].join('\n') }
}

/** Lists the bad days that were not simulated on some routes because `seeds` is too low. */
function describeSkippedRuns(results: readonly SurvivalResult[], seeds: number): string[] {
  const skipped = results.filter(({ skippedRoutes }) => skippedRoutes > 0)
  if (skipped.length === 0) return []
  const all = seeds + Math.max(...skipped.map(({ skippedRoutes }) => skippedRoutes))
  const list = skipped.map(
    ({ name, skippedRoutes: count }) => `${name} on ${count} of ${seeds + count} routes`,
  )
  return [`Not run: ${list.join(', ')}. To run all: --seeds ${all}.`]
}

/** Returns the flags that affect the runs, as command-line arguments. */
function repeatedFlags(texts: Texts): string[] {
  return Object.entries(runFlags).flatMap(([name, { usage }]) => {
    const [flag = ''] = usage.split(' ')
    const { [name]: text } = texts
    if (text === undefined || typeof text === 'boolean') return []
    return [text].flat().flatMap((value) => [flag, value])
  })
}

function quoteForShell(text: string): string {
  return /^[\w@%+=:,./{}-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * Writes a file for each failed run.
 *
 * @throws {SandboxError} if the folder is not writable
 */
async function writeRuns(
  folder: string,
  results: readonly SurvivalResult[],
  replayOf: (result: SurvivalResult, failure: SurvivalFailure) => string,
): Promise<void> {
  try {
    mkdirSync(folder, { recursive: true })
    for (const result of results)
      for (const failure of result.failures)
        await replaceFile(
          join(folder, `${result.name}-${failure.seed}.txt`),
          formatFailedRun(result, failure, replayOf(result, failure)),
        )
  } catch (error) {
    throw new SandboxError(
      `Failed to write the failed runs (${folder}): ${explainWriteError(error)}. Use another --out.`,
      { cause: error },
    )
  }
}

import { existsSync, readFileSync } from 'node:fs'
import { explainReadError, explainWriteError } from '../lib/file-errors.ts'
import { SandboxError } from '../errors.ts'
import { createLiveServiceClient, parseLiveUrl } from '../verify/live-service.ts'
import { toSchemaComment } from './schema-line.ts'
import {
  readResults,
  redactNames,
  formatResultLines,
  formatReportMarkdown,
  formatOverlay,
  formatResultSummary,
  isResultFinal,
} from '../verify/verify-report.ts'
import type { RouteResult } from '../verify/verify-report.ts'
import { verifyService } from '../verify/verify.ts'
import type { Verification } from '../verify/verify.ts'
import type { VerifyFlags } from './flags.ts'
import { createLogger } from './host.ts'
import type { Host } from './host.ts'
import { readRoutes } from './routes.ts'
import { writeOutput } from './replace-file.ts'
import { getOwnProperty } from '../lib/plain-json.ts'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Default maximum number of credits for a run. */
export const defaultCredits = 100

/**
 * Compares a live service with the sandbox using read-only requests, and writes a report and an
 * overlay.
 *
 * @throws {SandboxError} if flags are missing or the service stops responding
 */
export async function verifyLiveService(flags: VerifyFlags, host: Host): Promise<void> {
  const { live, credits = defaultCredits, report, out } = flags
  if (live === undefined)
    throw new SandboxError(
      'Failed to verify: --live is missing. Add --live URL. See verify --help.',
    )
  const base = parseLiveUrl(live)
  const earlier = report === undefined ? [] : readEarlierResults(report)
  const routes = await readRoutes(flags.overlay)
  const key = await readKey(flags.keyEnv)
  const known = earlier.filter(isResultFinal)
  const told = new Set(known.map(toKey))
  host.stdout.write(
    `Sending read-only requests to ${base}: one for each route, and a second one with a page ` +
      `size above the maximum if the route has pages. This costs up to ${credits} credits. The key is ` +
      'only sent to this ' +
      `service.${known.length === 0 ? '' : ` The results of ${known.length} routes are already in ${report ?? ''}.`}\n`,
  )
  const save = (verification: Verification) => write({ verification, report, out, base })
  const verification = await verifyService({
    routes,
    send: createLiveServiceClient({ base, key }),
    secrets: [key],
    wait: async (ms) => {
      createLogger(host)(`Waiting ${Math.ceil(ms / 1000)} s for the rate limit of the service.`)
      await new Promise((resolve) => setTimeout(resolve, ms))
    },
    account: flags.account,
    glob: flags.routes,
    credits,
    enums: flags.enums === true,
    earlier,
    async onResult(sofar) {
      const fresh = redactNames(sofar.results, sofar.guard).filter(
        (result) => isResultFinal(result) && !told.has(toKey(result)),
      )
      for (const line of formatResultLines(fresh)) host.stdout.write(`${line}\n`)
      for (const result of fresh) told.add(toKey(result))
      await save(sofar)
    },
  })
  await save(verification)
  const { results, spent, stopped, isSpent } = verification
  host.stdout.write(
    `\n${formatResultSummary(results)}. It cost ${spent} ${spent === 1 ? 'credit' : 'credits'}.\n`,
  )
  if (out !== undefined) host.stdout.write(describeOverlay(out, results))
  const advice =
    report === undefined
      ? 'Use --report FILE, so the next run can continue'
      : `The results are in ${report}, and the next run continues from there`
  const rest = describeRest(results)
  if (isSpent && rest !== '')
    host.stdout.write(
      `The limit of ${credits} credits (--credits) is reached: ${rest}. ${advice}.\n`,
    )
  if (stopped === undefined || isSpent) return
  throw new SandboxError(`Failed to verify all routes: ${stopped}. ${advice}.`)
}

/**
 * Returns the key that identifies a result. A later result for the same route has a new key only if
 * it has more findings, and is printed only then.
 */
function toKey({ id, findings }: RouteResult): string {
  return `${findings.length} ${id}`
}

/** Describes the routes that could not be tested. */
function describeRest(results: readonly RouteResult[]): string {
  const untried = results.filter((result) => !isResultFinal(result)).length
  const unprobed = results.filter(({ awaitsProbe }) => awaitsProbe === true).length
  return [
    ...(untried === 0 ? [] : [`${untried} routes were not tested`]),
    ...(unprobed === 0 ? [] : [`the maximum page size was not tested for ${unprobed}`]),
  ].join(', and ')
}

function readEarlierResults(report: string): readonly RouteResult[] {
  if (!existsSync(report)) return []
  const results = readResults(readReport(report))
  if (results !== undefined) return results
  throw new SandboxError(
    `Failed to read the report (${report}): the file was not written by verify, so it is not ` +
      'overwritten. Use another --report.',
  )
}

function readReport(report: string): string {
  try {
    return readFileSync(report, 'utf8')
  } catch (error) {
    throw new SandboxError(
      `Failed to read the report (${report}): ${explainReadError(error)}. Use another --report.`,
      { cause: error },
    )
  }
}

async function write({
  verification: { results, spent, stopped, guard },
  report,
  out,
  base,
}: {
  verification: Verification
  report: string | undefined
  out: string | undefined
  base: string
}): Promise<void> {
  const clean = redactNames(results, guard)
  const about =
    `${base}, on ${getToday()}, with ${spent} ` +
    `credits${stopped === undefined ? '' : `; stopped early: ${stopped}`}.`
  if (report !== undefined)
    await writeTextFile(
      report,
      formatReportMarkdown(clean, {
        title: 'Differences between the service and the sandbox',
        about,
      }),
    )
  if (out !== undefined)
    await writeTextFile(
      out,
      formatOverlay(clean, {
        date: getToday(),
        note: 'verified',
        schemaLine: toSchemaComment(out, 'docs/overlay.schema.json'),
      }),
    )
}

/** Returns today's date in UTC, as `YYYY-MM-DD`. */
export function getToday(): string {
  return new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
}

/**
 * Writes a file.
 *
 * @throws {SandboxError} if the file cannot be written
 */
export async function writeTextFile(file: string, text: string): Promise<void> {
  try {
    await writeOutput(file, text)
  } catch (error) {
    throw new SandboxError(
      `Failed to write ${file}: ${explainWriteError(error)}. Use another file.`,
      {
        cause: error,
      },
    )
  }
}

function describeOverlay(out: string, results: readonly RouteResult[]): string {
  const isKnown = results.some(
    ({ outcome }) => outcome === 'same' || outcome === 'differs' || outcome === 'absent',
  )
  if (!isKnown) return `Wrote ${out}. It is empty so far.\n`
  return (
    `Wrote ${out}. With this overlay, the sandbox behaves like the service:\n  npx ` +
    `creator-api-sandbox --overlay ${out}\n  createSandbox({ overlay: ${JSON.stringify(out)} })\n`
  )
}

/**
 * Reads an API key from the environment, or prompts for it without echo. The key is never printed.
 * @throws {SandboxError} if no valid key is given
 */
export async function readKey(
  name: string | undefined,
  terminal: Terminal = process,
): Promise<string> {
  const key =
    (name === undefined ? await askForKey(terminal) : getOwnProperty(process.env, name))?.trim() ??
    ''
  if (/^[\x21-\x7e]{1,500}$/.test(key)) return key
  if (name === undefined && terminal.stdin.isTTY !== true)
    throw new SandboxError(
      'Failed to read the key: there is no terminal for a prompt. Use --key-env NAME with an ' +
        'environment variable that contains the key.',
    )
  if (name === undefined)
    throw new SandboxError(
      'Failed to read the key: the input is not an API key. Try again, or use --key-env NAME ' +
        'with an environment variable that contains the key.',
    )
  const problem =
    key === '' ? 'the environment variable is not set or empty' : 'its value is not an API key'
  throw new SandboxError(
    `Failed to read the key (--key-env ${name}): ${problem}. Set it to the API key of the service.`,
  )
}

/** The streams of the prompt. */
interface Terminal {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean }
  stderr: NodeJS.WritableStream
}

async function askForKey({ stdin, stderr }: Terminal): Promise<string | undefined> {
  if (stdin.isTTY !== true) return undefined
  stderr.write('API key of the service (input is hidden): ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const asking = createInterface({ input: stdin, output: silent, terminal: true })
  // Ctrl+C and Ctrl+D cancel the prompt.
  const left = new Promise<undefined>((resolve) => asking.once('close', () => resolve(undefined)))
  asking.once('SIGINT', () => asking.close())
  try {
    return await Promise.race([asking.question(''), left])
  } finally {
    asking.close()
    stderr.write('\n')
  }
}

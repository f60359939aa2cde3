import type { JournalEntry } from '../world/journal/journal-entry.ts'
import { SandboxError } from '../errors.ts'
import type { Audit } from '../audit/audit.ts'

/** Maximum number of requests in a report. */
const maxRequests = 10
/** Maximum length of a path in a report, characters. */
const maxPathLength = 120

type Entries = readonly JournalEntry[]
type Explain = (id: number) => Promise<{ explanation: readonly string[] }>
type RunAudit = (query?: { since?: number }) => Promise<Audit>

/** The sandbox, or the world of a server, that the report is about. */
export type Reported = { audit: RunAudit; received: () => Entries | Promise<Entries> } & (
  | { control: { request: Explain } }
  | { request: Explain }
)

/**
 * Describes the last ten requests of a failed test, with their notes and the findings of the audit.
 * The kits for Vitest, Jest and Playwright add this text to the output of a failed test. With
 * another test runner, call it after each test.
 *
 * @param after The id of the last request before the test. @default the checkpoint
 * @example
 * // Mocha
 * afterEach(async function () {
 *   if (this.currentTest.state === 'failed') console.error(await describeRequests(sandbox))
 * })
 */
export async function describeRequests(
  sandbox: Reported,
  { after }: { after?: number } = {},
): Promise<string> {
  const sent = (await sandbox.received()).filter(({ id }) => id > (after ?? 0))
  if (sent.length === 0) return 'The test sent no request to the sandbox.'
  const { findings } = await sandbox.audit(after === undefined ? {} : { since: after })
  const shown = sent.slice(-maxRequests)
  const explain: Explain = (id) =>
    'request' in sandbox ? sandbox.request(id) : sandbox.control.request(id)
  const left = sent.length - shown.length
  const head = `Requests of the test${left === 0 ? '' : ` (the last ${shown.length} of ${sent.length})`}:`
  return [
    head,
    ...(await Promise.all(shown.map((entry) => describeRequest(entry, explain)))),
    ...(findings.length === 0 ? [] : ['Findings of the audit:']),
    ...findings.map(
      ({ severity, rule, message, requests }) =>
        `  ${severity} ${rule}: ${message} (#${requests.slice(0, maxRequests).join(', #')})`,
    ),
  ].join('\n')
}

async function describeRequest(
  { id, method, path, status, note, error }: JournalEntry,
  explain: Explain,
): Promise<string> {
  const { explanation } = await explain(id)
  const notes = [note ?? error, ...explanation].filter((text) => text !== null)
  return `  #${id} ${method} ${truncatePath(path)} ${status}${notes.length === 0 ? '' : ` (${notes.join(' ')})`}`
}

/** Reports the requests of each test in a file. Used by the test kits. */
export class TestReports {
  readonly #sandboxOf: () => Reported | undefined
  #before: { sandbox: Reported; id: number } | undefined

  constructor(sandboxOf: () => Reported | undefined) {
    this.#sandboxOf = sandboxOf
  }

  /** Stores the id of the last request before a test. */
  async start(): Promise<void> {
    const sandbox = this.#sandboxOf()
    this.#before = sandbox && { sandbox, id: await lastRequestId(sandbox) }
  }

  /** Returns the report of a failed test. Returns undefined if there is no sandbox. */
  async report(): Promise<string | undefined> {
    const sandbox = this.#sandboxOf()
    if (sandbox === undefined) return undefined
    return createFailureReport(
      sandbox,
      this.#before?.sandbox === sandbox ? this.#before.id : undefined,
    )
  }
}

/**
 * Returns the id of the last request. 0 if the sandbox is closed, for example because the previous
 * test closed it.
 */
async function lastRequestId(sandbox: Reported): Promise<number> {
  try {
    return (await sandbox.received()).at(-1)?.id ?? 0
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    return 0
  }
}

/** Returns the report of a failed test. If there is none, returns a sentence that explains why. */
export async function createFailureReport(sandbox: Reported, after?: number): Promise<string> {
  try {
    return await describeRequests(sandbox, { after })
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    return `The test's requests cannot be shown. ${error.message}`
  }
}

function truncatePath(path: string): string {
  return path.length <= maxPathLength ? path : `${path.slice(0, maxPathLength)}…`
}

import type {
  createSandbox as CreateSandbox,
  Sandbox,
  SandboxOptions,
  Scenario,
} from '../src/index.ts'

/** The exports of the built library in `dist`. */
export interface Built {
  createSandbox: typeof CreateSandbox
}

/** Creates a sandbox without rate limits and, by default, without a journal. */
export async function createUnlimitedSandbox(
  createSandbox: typeof CreateSandbox,
  scenario: string,
  data?: SandboxOptions['data'],
  journalSize = 0,
): Promise<Sandbox> {
  const sandbox = createSandbox<readonly Scenario[]>({ scenario, data, journalSize })
  await sandbox.ready
  for (const { id } of sandbox.db.organisations.all())
    sandbox.db.organisations.update(id, { limits: { minute: 1_000_000_000, day: 1_000_000_000 } })
  return sandbox
}

/** Returns the first account of a sandbox. */
export function findFirstAccount(sandbox: Sandbox): number {
  return sandbox.db.accounts.find({ connected: true })?.id ?? 0
}

/**
 * Sends a request as the owner.
 *
 * @throws if the status is neither 200 nor 404
 */
export async function sendAsOwner(sandbox: Sandbox, method: string, url: string, body?: unknown) {
  const headers: Record<string, string> = {
    authorization: `Bearer ${sandbox.keys['owner']}`,
    'content-type': 'application/json',
  }
  const reply = await sandbox.handle({
    method,
    url,
    header: (name) => headers[name] ?? null,
    body: body === undefined ? null : JSON.stringify(body),
  })
  if (reply.status !== 200 && reply.status !== 404)
    throw new Error(`${method} ${url}: ${reply.status} ${String(reply.body)}`)
  return reply
}

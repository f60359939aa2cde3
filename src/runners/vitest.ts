import { afterEach, beforeEach, expect, inject, test as base } from 'vitest'
import type { TestAPI, TestContext } from 'vitest'
import { matchers } from './matchers.ts'
import type { SandboxMatchers } from './matchers.ts'
import { createFailureReport, TestReports } from './test-report.ts'
import type { Reported } from './test-report.ts'
import { connect } from '../client/connect.ts'
import type { RemoteWorld } from '../client/connect.ts'
import { SandboxError } from '../errors.ts'
import type { Served } from './vitest-setup.ts'

declare module 'vitest' {
  // The declaration must match the one in Vitest.
  // oxlint-disable-next-line typescript/no-explicit-any
  interface Matchers<T = any> extends SandboxMatchers<T> {}
}

// Adds the sandbox matchers when this module is imported or listed in `setupFiles`.
expect.extend(matchers)

/** Fixtures of each test. */
export interface TestFixtures {
  /**
   * An isolated world in the seeded state, with its `baseUrl`, `keys`, `accounts` and control. It is
   * on a server in another process, so all of its methods return promises.
   */
  remoteWorld: RemoteWorld
}

/**
 * Vitest's `test` with a `remoteWorld` for each test, on the server that
 * `creator-api-sandbox/vitest/setup` starts.
 *
 * @example
 * test('lists posts', async ({ remoteWorld }) => {
 *   const client = new Client({ baseUrl: remoteWorld.baseUrl, apiKey: remoteWorld.keys.owner })
 *   await remoteWorld.act({ type: 'session.lapse' })
 *   await expect(remoteWorld).toHaveNoFindings() // the matchers of docs/audit.md are included
 * })
 */
export const test: TestAPI<TestFixtures> = base.extend<TestFixtures>({
  remoteWorld: async ({ task }, use) => {
    const { url, token } = requireServed(inject('creatorApiSandbox'))
    const world = await connect(url, { token }).createWorld()
    try {
      await use(world)
      await addReport(task, () => createFailureReport(world))
    } finally {
      await world.close()
    }
  },
})

/**
 * For each failed test in a file, adds the requests that the test sent to the sandbox and the audit
 * findings to the error message. Tests with a `remoteWorld` do not need this function. Call it once,
 * outside the tests.
 *
 * @example
 * reportFailures(() => sandbox)
 */
export function reportFailures(sandboxOf: () => Reported | undefined): void {
  const reports = new TestReports(sandboxOf)
  beforeEach(() => reports.start())
  afterEach(({ task }) => addReport(task, () => reports.report()))
}

/** Adds the report to a failed test's message. */
async function addReport(
  { result }: TestContext['task'],
  report: () => Promise<string | undefined>,
): Promise<void> {
  const error = result?.state === 'fail' ? result.errors?.at(-1) : undefined
  const text = error && (await report())
  if (error !== undefined && text !== undefined) error.message += `\n\n${text}\n`
}

function requireServed(served: Served | undefined): Served {
  if (served !== undefined) return served
  throw new SandboxError(
    'Failed to create a world for the test: no server is running. Set globalSetup: ' +
      "'creator-api-sandbox/vitest/setup' in the Vitest configuration.",
  )
}

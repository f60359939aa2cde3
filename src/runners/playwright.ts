import { expect as plainExpect, test as base } from '@playwright/test'
import type { Fixtures, TestInfo } from '@playwright/test'
import { matchers } from './matchers.ts'
import { createFailureReport } from './test-report.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { startServer } from '../hosts/server/start.ts'
import type { SandboxServer, ServerOptions } from '../hosts/server/start.ts'

/** Fixtures of each test. */
export interface TestFixtures {
  /**
   * An isolated world in the seeded state: a sandbox whose `baseUrl` and `keys` can be used in the
   * page.
   */
  world: Sandbox
}

/** Fixtures of a worker. */
export interface WorkerFixtures {
  /**
   * Server options, set with `use` in the configuration or in a test file. @default a free port,
   * and the defaults of `startServer`
   */
  sandboxOptions: ServerOptions
  /** The worker's server, whose sandbox is seeded once. */
  sandboxServer: SandboxServer
}

const fixtures: Fixtures<TestFixtures, WorkerFixtures> = {
  sandboxOptions: [{}, { scope: 'worker', option: true }],
  sandboxServer: [
    async ({ sandboxOptions }, use) => {
      const server = await startServer({ port: 0, ...sandboxOptions })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  world: async ({ sandboxServer }, use, testInfo) => {
    const world = sandboxServer.sandbox.createWorld()
    await use(world)
    if (testInfo.status !== testInfo.expectedStatus)
      addReport(testInfo, await createFailureReport(world))
    world.close()
  },
}

/**
 * Adds a report to the last error of a failed test. The report is added to the start of the stack,
 * because Playwright prints it from there, and would truncate an attachment to 300 characters.
 */
function addReport({ errors }: TestInfo, report: string): void {
  const error = errors.at(-1)
  if (error === undefined) return
  const { message = '', stack } = error
  error.message = `${message}\n\n${report}\n`
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message ?? '')
}

/**
 * Playwright's `test` with a `world` for each test, on one server per worker. Changes to the world
 * (`act`, `faults`, `clock`) are immediately visible to the page and do not affect other tests.
 *
 * @example
 * test('lists posts', async ({ page, world }) => {
 *   await page.goto(`/?api=${world.baseUrl}&key=${world.keys.owner}`)
 *   world.act({ type: 'session.lapse' })
 * })
 */
export const test = base.extend<TestFixtures, WorkerFixtures>(fixtures)

/**
 * Playwright's `expect` with the sandbox matchers: `toCostAtMost`, `toHaveNoFindings`,
 * `toHaveReceived`, `toHaveChanged`, `toSurvive`.
 *
 * @example
 * await expect(world).toHaveNoFindings()
 */
export const expect = plainExpect.extend(matchers)

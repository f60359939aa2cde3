import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../support/command.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs tests that fail on purpose and returns their output. */
async function runFailingTests(command: string, ...args: string[]): Promise<string> {
  // Removes the environment variables that tell a test runner that another one started it.
  const { VITEST: _, NODE_OPTIONS: __, ...inherited } = process.env
  const env = { ...inherited, NO_COLOR: '1' }
  return promisify(execFile)('npx', [command, ...args], { cwd: root, env }).then(
    () => Promise.reject(new Error('the tests passed')),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  )
}

it('shows the requests of a failed test, and the findings, in the output of Vitest', async () => {
  const output = await runFailingTests(
    'vitest',
    'run',
    '--config',
    'test/runners/failing/vitest.config.ts',
  )
  expect(output).toMatch(
    /fails in process\n.*\n+Requests of the test:\n {2}#2 GET \/v1\/tags\?limt=4 200\nFindings of the audit:\n {2}warning ignored-parameter: .*\(#2\)\n/,
  )
  expect(output).toMatch(
    /fails with a world\n.*\n+Requests of the test:\n {2}#1 GET \/v1\/tags\?limt=4 200\nFindings of the audit:\n {2}warning ignored-parameter/,
  )
  expect(output).not.toContain('/v1/before')
})

it('shows the requests of a failed test, and the findings, in the output of Playwright', async () => {
  const output = await runFailingTests(
    'playwright',
    'test',
    '--config',
    'test/runners/failing/playwright.config.ts',
    '--output',
    createTemporaryFolder(),
  )
  expect(output).toMatch(
    /Requests of the test \(the last 10 of 12\):\n.*#3 GET \/v1\/tags\?limt=4 200\n(?:.*\n){9}.*Findings of the audit:\n.*warning ignored-parameter.*\(#1, .*#10\)\n/,
  )
})

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startServer } from 'creator-api-sandbox/server'
import { expect, it } from 'vitest'
import { hasPytest } from '../support/python.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs a command in the repository root and returns its output. */
async function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  // Removes the environment variables that tell a test runner that another one started it.
  const { VITEST: _, NODE_OPTIONS: __, ...inherited } = process.env
  const { stdout, stderr } = await promisify(execFile)(command, args, {
    cwd: root,
    env: { ...inherited, NO_COLOR: '1', ...env },
  }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${command} ${args.join(' ')} failed:\n${error.stdout}${error.stderr}`)
  })
  return stdout + stderr
}

// `npm run check:package` runs the examples of Vitest and Playwright, with the packed package.
it.skipIf(!hasPytest())('runs the example of Python', async () => {
  await using server = await startServer({ port: 0, scenario: 'solo' })
  const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'examples/python']
  expect(
    await run('python3', args, { SANDBOX_URL: server.url, PYTHONDONTWRITEBYTECODE: '1' }),
  ).toContain('3 passed')
  expect(server.sandbox.control.worlds()).toEqual([])
})

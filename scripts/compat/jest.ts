import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createProject, installConcurrently, runConcurrently } from '../npm-project.ts'
import { runCheck } from './report.ts'

const example = fileURLToPath(new URL('../../examples/jest', import.meta.url))
const project = fileURLToPath(new URL('../../test/compat/jest', import.meta.url))

/**
 * Runs Jest tests in CommonJS against the packed package. Compiles the tests with babel, swc and
 * ts-jest. Runs them in Node.js, with and without MSW, and in Jest's jsdom environment. Also runs
 * the tests of the Jest example, and a test in ES modules.
 */
export async function checkJest(tarball: string): Promise<void> {
  const folder = createProject()
  cpSync(project, folder, { recursive: true })
  if (!(await runCheck('jest: installs', () => installConcurrently(folder, tarball)))) return
  const jest = ['node_modules/jest/bin/jest.js', '--ci', '--maxWorkers=2']
  cpSync(example, join(folder, 'example'), { recursive: true })
  await runCheck('jest: the example', () =>
    runConcurrently(
      process.execPath,
      [...jest, '--rootDir', 'example', '--config', 'example/jest.config.js'],
      folder,
    ),
  )
  await runCheck('jest: the requests of a failed test', async () => {
    const failing = ['--config', 'jest.config.js', '--selectProjects', 'failing']
    const printed = await runConcurrently(process.execPath, [...jest, ...failing], folder).then(
      () => 'the test passed',
      (error: unknown) => String(error),
    )
    for (const [index, name] of ['limt', 'timeout', 'realm', 'assert', 'hook'].entries())
      for (const line of [`#${index + 1} GET /v1/tags?${name}=4 200`, `query parameter "${name}"`])
        if (!printed.includes(line)) throw new Error(`${line} is not in the output:\n${printed}`)
  })
  await runCheck('jest: babel, swc and ts-jest, in node, with msw, in jsdom', () =>
    runConcurrently(process.execPath, [...jest, '--ignoreProjects', 'failing', 'esm'], folder),
  )
  await runCheck('jest: ES modules, without awaiting ready', () =>
    runConcurrently(
      process.execPath,
      ['--experimental-vm-modules', ...jest, '--selectProjects', 'esm'],
      folder,
    ),
  )
}

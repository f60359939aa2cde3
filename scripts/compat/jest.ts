import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listDocBlocks } from '../../test/support/doc-blocks.ts'
import { createProject, installPackages, runCheck, runCommand } from '../npm-project.ts'

const example = fileURLToPath(new URL('../../examples/jest', import.meta.url))

/**
 * Runs Jest tests in CommonJS against the packed package. Compiles the tests with babel, swc and
 * ts-jest. Runs them in Node.js, with and without MSW, and in Jest's jsdom environment. Also runs
 * the tests of the Jest example, a test in ES modules, and the configurations of docs/runners.md.
 */
export async function checkJest(tarball: string): Promise<void> {
  const folder = createProject({ files: 'test/compat/jest' })
  if (!(await runCheck('jest: installs', () => installPackages(folder, tarball)))) return
  const jest = ['node_modules/jest/bin/jest.js', '--ci', '--maxWorkers=2']
  cpSync(example, join(folder, 'example'), { recursive: true })
  await runCheck('jest: the example', () =>
    runCommand(
      process.execPath,
      [...jest, '--rootDir', 'example', '--config', 'example/jest.config.js'],
      folder,
    ),
  )
  await runCheck('jest: the requests of a failed test', async () => {
    const failing = ['--config', 'jest.config.js', '--selectProjects', 'failing']
    const printed = await runCommand(process.execPath, [...jest, ...failing], folder).then(
      () => 'the test passed',
      (error: unknown) => String(error),
    )
    for (const [index, name] of ['limt', 'timeout', 'realm', 'assert', 'hook'].entries())
      for (const line of [`#${index + 1} GET /v1/tags?${name}=4 200`, `query parameter "${name}"`])
        if (!printed.includes(line)) throw new Error(`${line} is not in the output:\n${printed}`)
  })
  await runCheck('jest: babel, swc and ts-jest, in node, with msw, in jsdom', () =>
    runCommand(process.execPath, [...jest, '--ignoreProjects', 'failing', 'esm'], folder),
  )
  await runCheck('jest: ES modules, without awaiting ready', () =>
    runCommand(
      process.execPath,
      ['--experimental-vm-modules', ...jest, '--selectProjects', 'esm'],
      folder,
    ),
  )
  await checkShownConfigurations(tarball)
}

/**
 * Installs the packages that docs/runners.md names, and runs the test of the README with the
 * configuration that the page shows for each module format, in each environment that it names.
 */
async function checkShownConfigurations(tarball: string): Promise<void> {
  const page = listDocBlocks('docs/runners.md')
  const [install = ''] = page.flatMap(({ code }) => (/ jest .*jsdom/.test(code) ? [code] : []))
  const packages = install.trim().split(' ').slice(4)
  const test = listDocBlocks('README.md').find(({ code }) => code.includes("from 'vitest'"))
  const folder = createProject()
  const isInstalled = await runCheck('jest: installs the packages of docs/runners.md', () =>
    installPackages(folder, tarball, ...packages),
  )
  if (!isInstalled) return
  for (const [type, name, ...flags] of [
    ['commonjs', 'jest.config.cjs'],
    ['module', 'jest.config.mjs', '--experimental-vm-modules'],
  ] as const) {
    const project = join(folder, type)
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type }))
    writeFileSync(join(project, name), page.find(({ file }) => file === name)?.code ?? '')
    writeFileSync(
      join(project, 'posts.test.ts'),
      (test?.code ?? '').replace('vitest', '@jest/globals'),
    )
    const jest = [...flags, join(folder, 'node_modules/jest/bin/jest.js'), '--ci', '--env']
    for (const environment of ['node', 'jest-fixed-jsdom'])
      await runCheck(`jest: the test of the README with the shown ${name}, in ${environment}`, () =>
        runCommand(process.execPath, [...jest, environment], project),
      )
  }
}

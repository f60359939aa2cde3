import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createProject, installPackages, runCheck, runCommand } from '../npm-project.ts'

/** Supported MSW versions, each with a Node.js version that it supports. */
const pairs = [
  { msw: 'msw@2.15', node: 'node@20.19' },
  { msw: 'msw@3', node: 'node@24' },
]
const packages = ['vitest@4', 'jsdom@26', 'happy-dom@20', 'axios@1']

/** Runs the tests of `test/compat/dom` in jsdom and in happy-dom. */
export async function checkDom(tarball: string): Promise<void> {
  for (const { msw, node } of pairs) {
    const folder = createProject({ files: 'test/compat/dom' })
    const isInstalled = await runCheck(`dom: installs ${msw}`, () =>
      installPackages(folder, tarball, msw, node, ...packages),
    )
    if (!isInstalled) continue
    const binary = join(folder, 'node_modules/node/bin/node')
    for (const environment of ['jsdom', 'happy-dom'])
      await runCheck(`dom: fetch, XMLHttpRequest and axios in ${environment}, ${msw}`, () =>
        runCommand(
          binary,
          ['node_modules/vitest/vitest.mjs', 'run', '--environment', environment],
          folder,
        ),
      )
    if (msw === 'msw@3')
      await runCheck('dom: MSW 3 on Node.js 20 is refused by name', () => refuseOldNode(folder))
  }
}

async function refuseOldNode(folder: string): Promise<void> {
  await installPackages(folder, 'node@20.19')
  writeFileSync(
    join(folder, 'old.mjs'),
    `import { createSandbox } from 'creator-api-sandbox'
import { handlers } from 'creator-api-sandbox/msw'
handlers(createSandbox())`,
  )
  const printed = await runCommand(
    join(folder, 'node_modules/node/bin/node'),
    ['old.mjs'],
    folder,
  ).then(() => 'no error', String)
  if (!printed.includes('MSW 3 needs Node.js 22.12 or later')) throw new Error(printed)
}

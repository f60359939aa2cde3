import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { createProject, installPackages, runCheck, runCommand } from '../npm-project.ts'

const runner = `
import { readFileSync } from 'node:fs'
import { checks, runCheck } from './checks.mjs'

const { version } = JSON.parse(readFileSync('node_modules/msw/package.json', 'utf8'))
// The test deliberately causes unhandled requests, which MSW reports on stderr.
console.error = console.warn = () => {}
for (const check of checks) {
  try {
    await runCheck(check)
    console.log(\`ok      msw \${version}, node \${process.version}: \${check.name}\`)
  } catch (error) {
    process.exitCode = 1
    console.log(\`failed  msw \${version}, node \${process.version}: \${check.name}: \${error.stack}\`)
  }
}
`

/** Source code of an example file in a CommonJS project. */
const consumer = `
import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox, SandboxOptions } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import { createFetch } from 'creator-api-sandbox/fetch'
import { handlers, strict } from 'creator-api-sandbox/msw'
import { setupServer } from 'msw/node'

const options: SandboxOptions = { baseUrl: 'https://api.example.test', scenario: 'solo' }
const sandbox: Sandbox = createSandbox(options)
const server = setupServer(...handlers(sandbox))
async function main(): Promise<void> {
  server.listen(strict)
  createApp(sandbox)
  const { status } = await createFetch(sandbox)('https://api.example.test/health')
  const answer: Response = await fetch('https://api.example.test/health')
  server.close()
  if (status !== 200 || answer.status !== 200) throw new Error(String(status) + ' and ' + String(answer.status))
}
main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
`

/** Source code of an example file for MSW 3 on an old version of Node.js. */
const oldNode = `
import { createSandbox } from 'creator-api-sandbox'
import { handlers } from 'creator-api-sandbox/msw'
handlers(createSandbox())
`

const tools = [
  'typescript@5.9',
  '@types/node@20',
  'vitest@4',
  'jsdom@26',
  'happy-dom@20',
  'axios@1',
]

/**
 * Checks the packed package with each supported version of MSW, on a version of Node.js that it
 * supports: the checks in `test/compat/checks.ts`, a CommonJS project, and the tests of
 * `test/compat/dom`. Returns the folder with the latest versions, and its Node.js.
 */
export async function checkMsw(tarball: string): Promise<{ folder: string; node: string }> {
  const current = await installMsw(tarball, 'msw@2.15', 'node@20.19', ...tools)
  await runChecks(current)
  // TypeScript before 5 has no other module resolution. MSW 3 is ESM-only.
  await checkCommonJs(current, { module: 'commonjs', moduleResolution: 'node10' })
  await checkCommonJs(current, { module: 'nodenext', moduleResolution: 'nodenext' })
  await checkDom(current)
  const oldest = await installMsw(tarball, 'msw@2.10')
  await runChecks({ ...oldest, node: current.node })
  const latest = await installMsw(tarball, 'msw@3', 'node@24', ...tools)
  await runChecks(latest)
  await checkCommonJs(latest, { module: 'nodenext', moduleResolution: 'nodenext' })
  await checkDom(latest)
  await runCheck('MSW 3 on Node.js 20 is refused by name', async () => {
    writeFileSync(join(latest.folder, 'old.mjs'), oldNode)
    const printed = await runCommand(current.node, ['old.mjs'], latest.folder).then(
      () => 'no error',
      String,
    )
    if (!printed.includes('MSW 3 needs Node.js 22.12 or later')) throw new Error(printed)
  })
  return latest
}

interface Installed {
  msw: string
  folder: string
  node: string
}

async function installMsw(tarball: string, msw: string, ...packages: string[]): Promise<Installed> {
  const folder = createProject({ files: 'test/compat/dom' })
  await runCheck(`installs with ${msw}`, () => installPackages(folder, tarball, msw, ...packages))
  return { msw, folder, node: join(folder, 'node_modules/node/bin/node') }
}

/** Runs the checks that the tests of this repository also run. */
async function runChecks({ msw, folder, node }: Installed): Promise<void> {
  const source = readFileSync(new URL('../../test/compat/checks.ts', import.meta.url), 'utf8')
  const { code } = transformSync(source, { loader: 'ts', target: 'es2022' })
  writeFileSync(join(folder, 'checks.mjs'), code)
  writeFileSync(join(folder, 'run.mjs'), runner)
  await runCheck(`${msw}: all checks`, async () =>
    process.stdout.write(await runCommand(node, ['run.mjs'], folder)),
  )
}

/** Compiles a CommonJS project against the packed package, and runs it. */
async function checkCommonJs(
  { msw, folder, node }: Installed,
  modules: { module: string; moduleResolution: string },
): Promise<void> {
  const project = join(folder, 'commonjs')
  const compilerOptions = {
    strict: true,
    target: 'es2022',
    esModuleInterop: true,
    skipLibCheck: true,
    types: ['node'],
    ...modules,
  }
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'commonjs' }))
  writeFileSync(join(project, 'consumer.ts'), consumer)
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  await runCheck(
    `${msw}: CommonJS compiles under ${modules.moduleResolution}, and runs`,
    async () => {
      await runCommand(node, ['node_modules/typescript/bin/tsc', '-p', 'commonjs'], folder)
      await runCommand(node, ['commonjs/consumer.js'], folder)
    },
  )
}

async function checkDom({ msw, folder, node }: Installed): Promise<void> {
  for (const environment of ['jsdom', 'happy-dom'])
    await runCheck(`${msw}: fetch, XMLHttpRequest and axios in ${environment}`, () =>
      runCommand(
        node,
        ['node_modules/vitest/vitest.mjs', 'run', '--environment', environment],
        folder,
      ),
    )
}

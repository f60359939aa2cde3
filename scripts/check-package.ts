import { spawn } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { browserPath, hasBrowser } from '../test/support/browser.ts'
import { entries, getImportSpecifier } from './entry-points.ts'
import { createProject, installPackages, packPackage, runCheck, runCommand } from './npm-project.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>
}

/** Source code of an example file that imports all entry points and uses their types. */
const consumer = `
import { createSandbox, SandboxError } from 'creator-api-sandbox'
import type { Post, ReplayState, Sandbox, SandboxOptions } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import { createFetch } from 'creator-api-sandbox/fetch'
import { connect } from 'creator-api-sandbox/client'
import type { RemoteControl } from 'creator-api-sandbox/client'
import { expectCost, matchers } from 'creator-api-sandbox/matchers'
import type { SandboxMatchers } from 'creator-api-sandbox/matchers'
import { handlers, strict } from 'creator-api-sandbox/msw'
import type { components } from 'creator-api-sandbox/schema'
import { startServer } from 'creator-api-sandbox/server'
import { setupServer } from 'msw/node'
import { createServer } from 'node:http'

const options: SandboxOptions = { baseUrl: 'https://api.example.test', scenario: 'solo', seed: 7 }
const sandbox: Sandbox = createSandbox(options)
const server = setupServer(...handlers(sandbox))
server.listen(strict)
await sandbox.ready
createServer(createApp(sandbox, { allowOrigins: ['null'] })).close()
const post: Post | undefined = sandbox.db.posts.all()[0]
const story: ReplayState = sandbox.control.replay()
const price: number | undefined = post?.price
// @ts-expect-error The records are typed.
const wrong: boolean | undefined = post?.price
const answer: Response = await createFetch(sandbox)('https://api.example.test/health')
// @ts-expect-error Action names are typed.
if (answer.status === 0) sandbox.act({ type: 'nothing' })
// @ts-expect-error Scenario names are typed.
if (answer.status === 0) createSandbox({ scenario: 'sollo' })
const key: string = sandbox.keys.owner
const sent = sandbox.requests[0]?.response.json<{ status: string }>()
const fromSchema: components['schemas']['FeedPost']['id'] = 1
// @ts-expect-error Internal members are hidden.
if (answer.status === 0) sandbox.db.posts.derive(() => [])
if (key === '' || sent?.status !== 'ok' || fromSchema !== 1) throw new SandboxError('not so')
expectCost(sandbox, { max: 1 })
const verdict: Promise<{ pass: boolean }> = matchers.toHaveNoFindings(sandbox)
const names: readonly (keyof SandboxMatchers)[] = ['toCostAtMost', 'toHaveReceived']
if (!(await verdict).pass || names.length !== 2) throw new SandboxError('not so')
if (story.duration_ms > 0 || price === 0.5 || typeof wrong === 'boolean' || answer.status !== 200) throw new SandboxError('not so')
server.close()
const served = await startServer({ port: 0, scenario: 'empty' })
const remote: RemoteControl = connect(served.url)
const scenario: string = (await remote.state()).scenario
await served.stop()
if (scenario !== 'empty') throw new SandboxError('not so')
`

/** Source code of an example file that uses only our types. */
const loneConsumer = `
import { createSandbox } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import { createFetch } from 'creator-api-sandbox/fetch'

const sandbox = createSandbox({ scenario: 'solo', keys: { owner: 'mine' } })
createFetch(sandbox)
const server = createApp(sandbox, { cors: false }).listen(0, '127.0.0.1')
const address = server.address()
if (typeof address === 'object' && address !== null && address.port > 65535) throw new Error('not so')
server.close()
sandbox.close()
`

/** Source code of an example file that also uses Express types. */
const expressConsumer = `
import { createSandbox } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import express from 'express'
import type { Express } from 'express'

const sandbox = createSandbox({ scenario: 'solo' })
const app: Express = express().use('/api', createApp(sandbox)).use(createApp(sandbox))
app.listen(0).close()
sandbox.close()
`

/**
 * Entry points that only load in a test runner. `scripts/compat/jest.ts` loads the entry point for
 * Jest.
 */
const runners = new Set(['./vitest', './jest', './playwright'])
const everywhere = entries.filter(({ name }) => !runners.has(`./${name}`))

const tarball = await packPackage()
const project = createProject()
const bare = createProject()

await runCheck('installs into an empty project, with msw', () =>
  installPackages(project, tarball, 'msw@2', 'typescript@5.9', '@types/node@20'),
)
await runCheck('installs without msw', async () => {
  await installPackages(bare, tarball)
  if (existsSync(join(bare, 'node_modules/msw'))) throw new Error('msw is installed too.')
})
await runCheck('installs no types and no scripts, in a valid tree', () => assertTree(bare))
for (const name of Object.keys(exports).filter((name) => !runners.has(name))) {
  await runCheck(`imports ${name}`, () => checkImport(project, name))
}
for (const entry of everywhere.filter(({ isEsmOnly }) => isEsmOnly !== true)) {
  await runCheck(`requires ${getImportSpecifier(entry)}`, () =>
    runCommand(process.execPath, ['-e', `require('${getImportSpecifier(entry)}')`], project),
  )
}
await runCheck('loads no CommonJS if ESM is imported', () => assertNoCommonJs(project))
await runCheck('imports without msw, except ./msw', async () => {
  for (const name of Object.keys(exports))
    if (name !== './msw' && !runners.has(name)) await checkImport(bare, name)
})
await runCheck('serves', () => serve(project))
await runCheck('serves without msw', () => serve(bare))
await runCheck('prints its version', async () => {
  const { version } = JSON.parse(
    readFileSync(join(project, 'node_modules/creator-api-sandbox/package.json'), 'utf8'),
  ) as {
    version: string
  }
  const said = (await runCommand('npx', ['creator-api-sandbox', '--version'], project)).trim()
  if (said !== version) throw new Error(`It printed ${said}, not ${version}.`)
})
for (const [module, moduleResolution] of [
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
]) {
  await runCheck(`has types under ${moduleResolution}`, () =>
    compile(project, consumer, { module, moduleResolution }),
  )
}
await runCheck('runs the compiled code', () =>
  runCommand(process.execPath, ['consumer.js'], project),
)
await runCheck('compiles with only the types of browsers', async () => {
  await installPackages(bare, 'typescript@5.9')
  await compile(
    bare,
    loneConsumer,
    { module: 'nodenext', moduleResolution: 'nodenext' },
    { lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
  )
})
await runCheck('compiles with only the types of Node', async () => {
  await compile(
    project,
    loneConsumer,
    { module: 'nodenext', moduleResolution: 'nodenext' },
    { lib: ['es2022'] },
  )
})
await runCheck('compiles without both', async () => {
  // The types of zod refer to URL and File.
  const more = { lib: ['es2022'], types: [], skipLibCheck: true }
  await compile(bare, loneConsumer, { module: 'nodenext', moduleResolution: 'nodenext' }, more)
})
for (const version of ['5', '4']) {
  await runCheck(`has types that fit those of Express ${version}`, async () => {
    await installPackages(project, `@types/express@${version}`)
    await compile(project, expressConsumer, { module: 'nodenext', moduleResolution: 'nodenext' })
  })
}
await runCheck('runs the example of Vitest', async () => {
  await installPackages(project, 'vitest@4.1')
  cpSync(join(root, 'examples/vitest-kit'), join(project, 'vitest-kit'), { recursive: true })
  await runCommand(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest-kit/vitest.config.ts'],
    project,
  )
})
await runCheck('runs the example of Playwright', async () => {
  if (!hasBrowser())
    return console.log(`SKIPPED  no Chromium at ${browserPath}. Install it, or set CHROMIUM_PATH.`)
  await installPackages(project, '@playwright/test@1')
  cpSync(join(root, 'examples/playwright'), join(project, 'playwright'), { recursive: true })
  await runCommand('npx', ['playwright', 'test', '--config', 'playwright'], project)
})
await runCheck('publint', () =>
  runCommand(getBinaryPath('publint'), ['run', tarball, '--strict'], root),
)
// The old module resolution `node10` does not find JSON and ESM-only entry points.
const notEverywhere = [
  './openapi.json',
  ...entries.filter(({ isEsmOnly }) => isEsmOnly === true).map(({ name }) => `./${name}`),
]
await runCheck('attw', () =>
  runCommand(getBinaryPath('attw'), [tarball, '--exclude-entrypoints', ...notEverywhere], root),
)
await runCheck('contains examples that compile unchanged', async () => {
  cpSync(join(project, 'node_modules/creator-api-sandbox/examples'), join(project, 'examples'), {
    recursive: true,
  })
  await installPackages(
    project,
    'vitest@4',
    'openapi-fetch@0.17',
    '@mswjs/http-middleware@0.10',
    '@types/express@5',
  )
  const more = { noEmit: true, allowImportingTsExtensions: true, skipLibCheck: true }
  await compile(project, consumer, { module: 'nodenext', moduleResolution: 'nodenext' }, more, [
    'examples',
  ])
})
await runCheck('contains the expected files', async () =>
  assertFiles((await runCommand('tar', ['-tzf', tarball], root)).trim().split('\n')),
)

async function checkImport(folder: string, name: string): Promise<void> {
  const specifier = name.replace('.', 'creator-api-sandbox')
  const attributes = specifier.endsWith('.json') ? ", { with: { type: 'json' } }" : ''
  await runCommand(
    process.execPath,
    ['--input-type=module', '-e', `await import('${specifier}'${attributes})`],
    folder,
  )
}

/** @throws if importing the entry points also loads files of the CommonJS build. */
async function assertNoCommonJs(folder: string): Promise<void> {
  const imports = everywhere.map((entry) => `await import('${getImportSpecifier(entry)}')`)
  const loaded =
    "Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes('creator-api-sandbox/dist/cjs/'))"
  const script = `import { createRequire } from 'node:module'\n${imports.join('\n')}\nconsole.log(${loaded}.join(' '))`
  const printed = await runCommand(process.execPath, ['--input-type=module', '-e', script], folder)
  if (printed.trim() !== '') throw new Error(`It loads ${printed}.`)
}

/**
 * Starts the server as a user would. Sends a request with the key and account that the server
 * prints.
 */
async function serve(folder: string): Promise<void> {
  const child = spawn('npx', ['creator-api-sandbox', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  try {
    const welcome = await read(child.stdout, /Try\s[^]*_sandbox\/clock/)
    const [, baseUrl] = /API\s+(\S+)/.exec(welcome) ?? []
    const [, key] = /owner\s+(\S+)/.exec(welcome) ?? []
    const [, account] = /Accounts\s+(\d+)/.exec(welcome) ?? []
    const response = await fetch(`${baseUrl}/v1/${account}/posts?limit=2`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { data } = (await response.json()) as { data?: { list: unknown[] } }
    if (response.status !== 200 || data?.list.length !== 2)
      throw new Error(`${response.status} from ${response.url}`)
    for (const address of [`${baseUrl}/_sandbox/`, `${baseUrl}/docs`]) {
      const page = await (await fetch(address)).text()
      const parts = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
      if (parts.length < 2) throw new Error(`${address} is ${page.slice(0, 200)}`)
      for (const path of parts) {
        const { status, url } = await fetch(new URL(path, address))
        if (status !== 200) throw new Error(`${status} from ${url}`)
      }
    }
  } finally {
    // npx does not forward signals to its child, so the signal goes to the process group.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  }
}

function read(stream: NodeJS.ReadableStream, wanted: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const late = setTimeout(() => reject(new Error(`It printed only: ${text}`)), 30_000)
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (!wanted.test(text)) return
      clearTimeout(late)
      resolve(text)
    })
    stream.on('end', () => reject(new Error(`It exited after printing: ${text}`)))
  })
}

async function compile(
  folder: string,
  text: string,
  options: Record<string, string | undefined>,
  more: object = {},
  include: readonly string[] = [],
): Promise<void> {
  const compilerOptions = {
    strict: true,
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    skipLibCheck: false,
    noPropertyAccessFromIndexSignature: true,
    ...options,
    ...more,
  }
  writeFileSync(join(folder, 'consumer.ts'), text)
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['consumer.ts'], include }),
  )
  await runCommand('npx', ['tsc', '-p', '.'], folder)
}

/** Checks that a production install contains only code and runs no install scripts. */
async function assertTree(folder: string): Promise<void> {
  const { packages } = JSON.parse(
    readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'),
  ) as {
    packages: Record<string, { hasInstallScript?: boolean }>
  }
  const strange = Object.entries(packages).filter(
    ([path, { hasInstallScript }]) => hasInstallScript === true || path.includes('/@types/'),
  )
  if (strange.length > 0)
    throw new Error(`It installs ${strange.map(([path]) => path).join(', ')}.`)
  await runCommand('npm', ['ls', '--all'], folder)
  await runCommand('npm', ['ls', '--all'], root)
  const licences = readFileSync(
    join(folder, 'node_modules/creator-api-sandbox/dist/THIRD-PARTY-LICENSES.txt'),
    'utf8',
  )
  for (const name of ['@msw/data', '@noble/hashes', 'preact', 'pure-rand', 'rou3', 'zod']) {
    const { version } = JSON.parse(
      readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'),
    ) as { version: string }
    if (!licences.includes(`\n${name} ${version} (`))
      throw new Error(`THIRD-PARTY-LICENSES.txt does not list ${name} ${version}.`)
  }
}

function getBinaryPath(name: string): string {
  return join(root, 'node_modules/.bin', name)
}

function assertFiles(paths: readonly string[]): void {
  const files = paths.map((path) => path.replace('package/', ''))
  // The package must contain every file that README links to. For a folder, one file is enough.
  // Recordings are left out, because they are larger than the docs.
  const links = [
    ...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g),
  ]
    .map(([, path = '']) => path)
    .filter((path) => !path.startsWith('docs/recordings/'))
  const linked = links.filter((path) => !files.some((file) => file.startsWith(`${path}/`)))
  const missing = [
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
    ...linked,
    'dist/THIRD-PARTY-LICENSES.txt',
    'dist/cli/bin.js',
    'dist/console/index.html',
    'dist/reference/index.html',
  ].filter((file) => !files.includes(file))
  const strange = files.filter((file) =>
    /\.tsx?$/.test(file)
      ? !/\.d\.ts$|^examples\//.test(file)
      : /^(?:test|src|bench|\.)|node_modules/.test(file),
  )
  if (missing.length > 0 || strange.length > 0)
    throw new Error(
      `missing ${missing.join(', ') || 'none'}, unexpected ${strange.join(', ') || 'none'}`,
    )
}

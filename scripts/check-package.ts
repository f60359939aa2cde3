import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { browserPath, hasBrowser } from '../test/support/browser.ts'
import { startServer } from './compat/server.ts'
import { entries, getImportSpecifier } from './entry-points.ts'
import { createProject, installPackages, packPackage, runCheck, runCommand } from './npm-project.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

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
const runners = new Set(['vitest', 'jest', 'playwright'])
const everywhere = entries.filter(({ name }) => !runners.has(name))
const inCommonJs = everywhere.filter(({ isEsmOnly }) => isEsmOnly !== true)
const withoutMsw = everywhere.filter(({ name }) => name !== 'msw')

const tarball = await packPackage()
const project = createProject()
const bare = createProject()

await runCheck('installs into a project with msw, test runners and the types of Express 5', () =>
  installPackages(
    project,
    tarball,
    'msw@2',
    'vitest@4.1',
    '@playwright/test@1',
    'openapi-fetch@0.17',
    '@mswjs/http-middleware@0.10',
    'typescript@5.9',
    '@types/node@20',
    '@types/express@5',
  ),
)
await runCheck('installs without msw', async () => {
  await installPackages(bare, tarball, 'typescript@5.9')
  if (existsSync(join(bare, 'node_modules/msw'))) throw new Error('msw is installed too.')
})
await runCheck('installs no types and no scripts, in a valid tree', () => assertTree(bare))
await runCheck('imports all entry points, and loads no CommonJS', async () => {
  const loaded =
    "Object.keys(createRequire(import.meta.url).cache).filter((file) => file.includes('creator-api-sandbox/dist/cjs/'))"
  const printed = await runModule(project, [
    "import { createRequire } from 'node:module'",
    ...everywhere.map((entry) => `await import('${getImportSpecifier(entry)}')`),
    ...['openapi', 'package'].map(
      (name) => `await import('creator-api-sandbox/${name}.json', { with: { type: 'json' } })`,
    ),
    `console.log(${loaded}.join(' '))`,
  ])
  if (printed.trim() !== '') throw new Error(`It loads ${printed}.`)
})
await runCheck('requires all entry points that are not ESM-only', () =>
  runCommand(
    process.execPath,
    ['-e', inCommonJs.map((entry) => `require('${getImportSpecifier(entry)}')`).join('\n')],
    project,
  ),
)
await runCheck('imports without msw, except ./msw', () =>
  runModule(
    bare,
    withoutMsw.map((entry) => `await import('${getImportSpecifier(entry)}')`),
  ),
)
await runCheck('serves without msw', () => serve(bare))
await runCheck('prints its version', async () => {
  const { version } = JSON.parse(
    readFileSync(join(project, 'node_modules/creator-api-sandbox/package.json'), 'utf8'),
  ) as { version: string }
  const said = (await runCommand('npx', ['creator-api-sandbox', '--version'], project)).trim()
  if (said !== version) throw new Error(`It printed ${said}, not ${version}.`)
})
await runCheck('has the declared types, and contains examples that compile unchanged', async () => {
  cpSync(join(root, 'test/types.test-d.ts'), join(project, 'types.test-d.ts'))
  cpSync(join(project, 'node_modules/creator-api-sandbox/examples'), join(project, 'examples'), {
    recursive: true,
  })
  await compile(project, '', {
    include: ['types.test-d.ts', 'examples'],
    lib: ['es2023', 'esnext.disposable', 'dom', 'dom.iterable'],
    noEmit: true,
    allowImportingTsExtensions: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
  })
})
await runCheck('has complete declarations, with types that fit those of Express 5', () => {
  const imports = inCommonJs.map((entry) => `import '${getImportSpecifier(entry)}'`).join('\n')
  return compile(project, expressConsumer + imports, { noUncheckedSideEffectImports: true })
})
await runCheck('compiles with only the types of browsers', () =>
  compile(bare, loneConsumer, { lib: ['es2022', 'dom', 'dom.iterable'], types: [] }),
)
await runCheck('compiles with only the types of Node', () =>
  compile(project, loneConsumer, { lib: ['es2022'] }),
)
await runCheck('compiles without both', () =>
  // The types of zod refer to URL and File.
  compile(bare, loneConsumer, { lib: ['es2022'], types: [], skipLibCheck: true }),
)
await runCheck('has types that fit those of Express 4', async () => {
  await installPackages(project, '@types/express@4')
  await compile(project, expressConsumer, { skipLibCheck: true })
})
await runCheck('runs the example of Vitest', async () => {
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
await runCheck('contains the expected files', async () =>
  assertFiles((await runCommand('tar', ['-tzf', tarball], root)).trim().split('\n')),
)

function runModule(folder: string, lines: readonly string[]): Promise<string> {
  return runCommand(process.execPath, ['--input-type=module', '-e', lines.join('\n')], folder)
}

/** Starts the server. Sends a request, and loads the pages with all their files. */
async function serve(folder: string): Promise<void> {
  const { url: baseUrl, key, account, stop } = await startServer(folder, process.execPath)
  try {
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
    stop()
  }
}

/** Compiles a file, and the files in `include`, as an ES module. */
async function compile(
  folder: string,
  text: string,
  { include = [], ...options }: { include?: string[] } & Record<string, unknown> = {},
): Promise<void> {
  const compilerOptions = {
    strict: true,
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    noPropertyAccessFromIndexSignature: true,
    ...options,
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
  // Pictures are left out, because they are larger than the docs.
  const links = [
    ...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g),
  ]
    .map(([, path = '']) => path)
    .filter((path) => !/^docs\/(?:images|recordings)\//.test(path))
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

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { buildSync, transformSync } from 'esbuild'
import { createProject, installPackages, runCheck, runCommand } from '../npm-project.ts'
import type { RunningServer } from './server.ts'

const names = ['openapi-typescript', 'orval', 'hey-api', 'kubb']

/**
 * Installs the linters and the generators of clients. The promise is pending while they are being
 * installed.
 */
export function installClients(): { folder: string; done: Promise<unknown> } {
  const folder = createProject({ files: 'test/compat/clients' })
  return { folder, done: installPackages(folder) }
}

/**
 * Lints the documents of a server. Generates a client from its document with each generator,
 * compiles the clients with `strict`, and runs their calls.
 */
export async function checkClients(
  { folder, done }: ReturnType<typeof installClients>,
  { server, node }: { server: RunningServer; node: string },
): Promise<void> {
  if (!(await runCheck('linters and generators: install', () => done))) return
  const env = {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env['PATH']}`,
    SANDBOX_URL: server.url,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  }
  await lintDocuments(join(folder, 'lint'), server, env)
  const isGenerated = await runCheck('all generators: generate clients', () =>
    runCommand('npm', ['run', '--silent', '--workspaces', '--if-present', 'generate'], folder, env),
  )
  if (!isGenerated) return
  await runCheck('all clients: compile under strict', () =>
    runCommand('npx', ['tsc', '-p', '.'], folder, env),
  )
  for (const name of names)
    await runCheck(`${name}: makes its calls and reads what comes back`, () =>
      runClientCalls(join(folder, name), server, node),
    )
}

/** Lints both documents of a running server, including their example responses. */
async function lintDocuments(
  folder: string,
  { url }: RunningServer,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  mkdirSync(join(folder, 'docs'))
  for (const [path, file] of [
    ['/openapi.json', 'docs/openapi.json'],
    ['/_sandbox/openapi.json', 'docs/control-openapi.json'],
  ] as const) {
    const document = (await (await fetch(`${url}${path}`)).json()) as unknown
    writeFileSync(join(folder, file), JSON.stringify(document, null, 2))
    const redocly = ['redocly', 'lint', file, '--format=stylish', '--max-problems=20']
    await runCheck(`${path}: redocly recommended-strict`, () =>
      runCommand('npx', redocly, folder, env),
    )
    const spectral = ['spectral', 'lint', file, '--fail-severity=hint']
    await runCheck(`${path}: spectral spectral:oas`, () => runCommand('npx', spectral, folder, env))
  }
}

/** Runs the calls in `test/compat/client-calls.ts` with a client. */
async function runClientCalls(folder: string, server: RunningServer, node: string): Promise<void> {
  await server.reset()
  const calls = new URL('../../test/compat/client-calls.ts', import.meta.url)
  writeFileSync(
    join(folder, 'client-calls.mjs'),
    transformSync(readFileSync(calls, 'utf8'), { loader: 'ts', target: 'es2022' }).code,
  )
  buildSync({
    entryPoints: [join(folder, 'client.ts')],
    outfile: join(folder, 'client.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  })
  const { url, key, account, fan } = server
  const run = `import { connect } from './client.mjs'
import { runClientCalls } from './client-calls.mjs'
await runClientCalls(connect, ${JSON.stringify({ url, key, account, fan })})
`
  writeFileSync(join(folder, 'run.mjs'), run)
  await runCommand(node, ['run.mjs'], folder)
}

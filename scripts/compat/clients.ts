import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync, transformSync } from 'esbuild'
import { createProject, installPackages, runCheck, runCommand } from '../npm-project.ts'
import type { RunningServer } from './server.ts'

const clients = new URL('../../test/compat/clients/', import.meta.url)

/** The package that generates each client. */
const generators = {
  'openapi-typescript': 'openapi-typescript',
  orval: 'orval',
  'hey-api': '@hey-api/openapi-ts',
  kubb: '@kubb/core',
}

/**
 * The project of a generated client. The promise is pending while the project is being installed.
 */
export interface ClientProject {
  /** Name and version of the generator. */
  title: string
  folder: string
  done: Promise<unknown>
}

/**
 * Starts to install each client generator in its own project, with the versions from its
 * package.json.
 */
export function installClients(): ClientProject[] {
  return Object.entries(generators).map(([name, generator]) => {
    const folder = createProject({ files: `test/compat/clients/${name}` })
    for (const file of ['tsconfig.json', 'calls.ts'])
      cpSync(new URL(file, clients), join(folder, file))
    return {
      title: `${generator}@${readPackageVersion(generator, folder)}`,
      folder,
      done: installPackages(folder),
    }
  })
}

/**
 * Generates each client from the server's document, compiles it with `strict`, and runs its calls.
 */
export async function checkClients(
  projects: readonly ClientProject[],
  { server, node }: { server: RunningServer; node: string },
): Promise<void> {
  const env = {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env['PATH']}`,
    SANDBOX_URL: server.url,
  }
  for (const { title, folder, done } of projects) {
    if (!(await runCheck(`${title}: installs`, () => done))) continue
    const isGenerated = await runCheck(`${title}: generates a client`, () =>
      runCommand('npm', ['run', '--silent', 'generate'], folder, env),
    )
    if (!isGenerated) continue
    const compile = ['node_modules/typescript/bin/tsc', '-p', '.']
    if (
      !(await runCheck(`${title}: compiles under strict`, () =>
        runCommand(node, compile, folder, env),
      ))
    )
      continue
    await runCheck(`${title}: makes its calls and reads what comes back`, () =>
      runClientCalls(folder, server, node),
    )
  }
}

/** Runs the calls in `test/compat/client-calls.ts` with a project's client. */
async function runClientCalls(folder: string, server: RunningServer, node: string): Promise<void> {
  await server.reset()
  const source = readFileSync(fileURLToPath(new URL('../client-calls.ts', clients)), 'utf8')
  writeFileSync(
    join(folder, 'client-calls.mjs'),
    transformSync(source, { loader: 'ts', target: 'es2022' }).code,
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

function readPackageVersion(name: string, folder: string): string | undefined {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  return dependencies[name]
}

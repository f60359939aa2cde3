import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createProject, installPackages, runCheck, runCommand } from '../npm-project.ts'
import type { RunningServer } from './server.ts'

/**
 * Installs the linters in a project. Their configuration files list the disabled rules and the
 * reasons.
 */
export function installLinters(): { folder: string; done: Promise<unknown> } {
  const folder = createProject({ files: 'test/compat/clients/lint' })
  return { folder, done: installPackages(folder) }
}

/** Lints both documents of a running server, including their example responses. */
export async function checkDocuments(
  { folder, done }: ReturnType<typeof installLinters>,
  { server, node }: { server: RunningServer; node: string },
): Promise<void> {
  if (!(await runCheck('linters: install', () => done))) return
  mkdirSync(join(folder, 'docs'))
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  for (const [path, file] of [
    ['/openapi.json', 'docs/openapi.json'],
    ['/_sandbox/openapi.json', 'docs/control-openapi.json'],
  ] as const) {
    writeFileSync(
      join(folder, file),
      JSON.stringify(await (await fetch(`${server.url}${path}`)).json(), null, 2),
    )
    const redocly = [
      'node_modules/@redocly/cli/bin/cli.js',
      'lint',
      file,
      '--format=stylish',
      '--max-problems=20',
    ]
    await runCheck(`${path}: redocly recommended-strict`, () =>
      runCommand(node, redocly, folder, env),
    )
    const spectral = [
      'node_modules/@stoplight/spectral-cli/dist/index.js',
      'lint',
      file,
      '--fail-severity=hint',
    ]
    await runCheck(`${path}: spectral spectral:oas`, () => runCommand(node, spectral, folder, env))
  }
}

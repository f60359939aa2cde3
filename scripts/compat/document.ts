import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createProject, installConcurrently, runConcurrently } from '../npm-project.ts'
import { runCheck } from './report.ts'
import type { RunningServer } from './server.ts'

/**
 * Installs the linters in a project. Their configuration files list the disabled rules and the
 * reasons.
 */
export function installLinters(): { folder: string; done: Promise<unknown> } {
  const folder = createProject()
  cpSync(new URL('../../test/compat/clients/lint', import.meta.url), folder, { recursive: true })
  return { folder, done: installConcurrently(folder) }
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
      runConcurrently(node, redocly, folder, env),
    )
    const spectral = [
      'node_modules/@stoplight/spectral-cli/dist/index.js',
      'lint',
      file,
      '--fail-severity=hint',
    ]
    await runCheck(`${path}: spectral spectral:oas`, () =>
      runConcurrently(node, spectral, folder, env),
    )
  }
}

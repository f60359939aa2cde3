import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

it('passes redocly lint without errors and warnings', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-lint-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync('test/compat/clients/lint', folder, { recursive: true })
  cpSync('docs/openapi.json', join(folder, 'docs/openapi.json'))
  const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [redocly, 'lint', 'docs/openapi.json', '--format=json'],
    {
      cwd: folder,
      env,
    },
  ).catch((error: { stdout: string }) => error)
  const { totals, problems } = JSON.parse(stdout) as {
    totals: { errors: number; warnings: number }
    problems: { ruleId: string; message: string; location: { pointer?: string }[] }[]
  }

  expect(
    problems
      .slice(0, 10)
      .map(({ ruleId, message, location }) => `${location[0]?.pointer} ${ruleId}: ${message}`),
  ).toEqual([])
  expect(totals).toMatchObject({ errors: 0, warnings: 0 })
})

import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as mended from '../../examples/client-audit/mended.ts'
import * as wrong from '../../examples/client-audit/wrong.ts'
import {
  createTemporaryFolder,
  expectRefusal,
  runInProcess,
  serveCommand,
} from '../support/command.ts'

/** Starts a server with the given flags, runs a client against it, and stops the server. */
async function audit(report: typeof mended.report, ...flags: string[]) {
  const { url, stop, control } = await serveCommand(...flags, '--scenario', 'solo', '--quiet')
  const { keys, accounts } = await control('state')
  await report({ baseUrl: url, apiKey: keys[0].key, accountId: accounts[0].id })
  return stop()
}

/** Records a client session and returns the path of the file. */
async function record(report: typeof mended.report): Promise<string> {
  const file = join(createTemporaryFolder(), 'session.yaml')
  await audit(report, 'record', '--out', file)
  return file
}

it.each([
  [[], 0],
  [['--fail-on', 'error'], 1],
])(
  'prints the mistakes of the client at the end, and with %j exits with %i',
  async (flags, exit) => {
    const { code, stdout } = await audit(wrong.report, '--audit', ...flags)
    expect(code).toBe(exit)
    expect(stdout).toContain('\nAudit\n\nerror    ')
    expect(stdout).toMatch(/\d errors, \d warnings, \d hints in \d+ requests, \d+ credits\./)
  },
)

it('has the same findings for a recording as for the session', async () => {
  const file = await record(wrong.report)
  const flags = ['--format', 'json', '--fail-on', 'error']
  const { code, stdout } = await runInProcess('audit', file, ...flags)
  expect(code).toBe(1)
  const { findings, summary } = JSON.parse(stdout)
  expect(new Set(findings.map(({ rule }: { rule: string }) => rule))).toEqual(
    new Set(['edited-link', 'ignored-parameter', 'key-in-url', 'near-miss', 'retry-hopeless']),
  )
  expect(summary).toMatchObject({ dropped: 0, smallestRole: ['api_posts_list'] })
  expect((await runInProcess('audit', file)).stdout).toContain(`in ${summary.requests} requests, `)
  expect((await runInProcess('audit', file, '--format', 'markdown')).stdout).toContain(
    '| Severity | Rule |',
  )
})

it('finds no mistakes in the recording of the corrected client', async () => {
  const file = await record(mended.report)
  const { code, stdout } = await runInProcess('audit', file, '--fail-on', 'hint')
  expect(stdout).toContain('0 errors, 0 warnings, 0 hints in ')
  expect(code).toBe(0)
})

it.each([
  [['--fail-on', 'error'], 'it needs --audit. Add --audit.'],
  [['--audit', '--fail-on', 'worse'], 'one of error, warning, hint'],
  [['audit', 'solo'], 'its timeline has no requests'],
  [['audit', 'nowhere.yaml'], 'Failed to read the scenario (nowhere.yaml): there is no such file'],
  [['audit', 'solo', '--format', 'pdf'], 'json, text, markdown'],
])('rejects %j', expectRefusal)

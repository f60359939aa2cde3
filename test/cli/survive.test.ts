import { expect, it } from 'vitest'
import { formatReport } from '../../src/cli/survive/report.ts'
import { client, survive } from '../support/survive.ts'

// survive.long.test.ts runs commands.
it.each([
  ['Failed to run no-such-program: there is no such program', ['--', 'no-such-program']],
  ['the command is missing. Write it after --', []],
  ['must be one of absent-fields', ['--only', 'short-page', ...client('')]],
  ['Failed to read --expect-error ("(")', ['--expect-error', '(', ...client('')]],
  ['it must be a duration from 1ms to 10m, such as', ['--late', 'soon', ...client('')]],
])('rejects a command: %s', async (message, flags) => {
  const { code, stderr } = await survive(...flags)
  expect(stderr).toContain(message)
  expect(code).toBe(2)
})

it('shows the request that failed, also before many others', () => {
  const requests = Array.from({ length: 30 }, (_, index) => ({
    id: index + 1,
    method: 'GET',
    path: '/v1/tags',
    status: index === 2 ? 402 : 200,
    fault: index === 2 ? 1 : null,
  }))
  const failure = { seed: 1, exitCode: 1, findings: [], requests, output: 'Error: no data' }
  const counts = { runs: 1, met: 1, survived: 0, reported: 0, skippedRoutes: 0 }
  const result = { name: 'no-credits', kind: 'bad-day', ...counts, failures: [failure] } as const
  const results = [{ ...result, failures: [failure], breaks: '', source: '' }]
  const report = { results, note: undefined, summary: '', replayOf: () => '' }
  const [, shown] = formatReport(report, 'text').split('Requests (10 of 30 requests):\n')
  expect(shown?.match(/#\d+/g)).toEqual(
    [3, 22, 23, 24, 25, 26, 27, 28, 29, 30].map((id) => `#${id}`),
  )
  expect(shown).toContain('#3 GET /v1/tags 402 (by the bad day)')
})

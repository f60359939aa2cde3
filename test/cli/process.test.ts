import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { runKills } from '../../scripts/hostile/kills.ts'
import { runProcess, serveProcess } from '../support/process.ts'
import { listen } from '../support/server.ts'

// The command in a process of its own, which takes seconds: what the other files here, which run it in this one, cannot see.

/** How late a busy machine may be, ms. */
const slackMs = 1_500

const json = { 'content-type': 'application/json' }
const control = async (url: string, path: string, body?: unknown) =>
  (await fetch(`${url}/_sandbox${path}`, body === undefined ? {} : { method: 'POST', headers: json, body: JSON.stringify(body) })).json()

it('starts, serves the lines that it prints, and ends with 0 on SIGTERM once the request under way is answered', async () => {
  const { url, printed, stop } = await serveProcess('--scenario', 'solo')
  const line = printed.split('\n').find((candidate) => candidate.trimStart().startsWith('curl '))
  const { stdout } = await promisify(execFile)('sh', ['-c', line?.replace('curl ', 'curl --silent --show-error --fail ') ?? 'false'])
  expect(JSON.parse(stdout).data.list).toHaveLength(2)

  const { keys, accounts } = await control(url, '/state')
  await control(url, '/faults', { delay_ms: 300, times: 1 })
  const slow = fetch(`${url}/v1/${accounts[0].id}/posts`, { headers: { 'x-api-key': keys[0].key } })
  await expect.poll(() => control(url, '/faults')).toEqual([])
  const end = stop('SIGTERM')
  expect((await slow).status).toBe(200)
  expect(await end).toEqual({ code: 0, stdout: printed, stderr: '' })
})

it('ends with 2 when a flag is wrong', async () => {
  expect(await runProcess('--port', '70000')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'Failed to read --port ("70000"): it must be at most 65535. See --help.\n',
  })
})

it('ends with 1 when the port is taken', async () => {
  const { port } = new URL(await listen(() => {}))
  const { code, stdout, stderr } = await runProcess('--scenario', 'solo', '--port', port)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^Failed to listen on .*: the port is taken\..*\n$/)
})

it('keeps what it promises when it is killed, and a restart takes over what it left', async () => {
  const { longestLossMs, longestWriteMs, ...report } = await runKills({ kills: 2, lifeMs: 1_200 })
  expect(report).toMatchObject({ kills: 2, problems: [] })
  expect(report.acknowledged).toBeGreaterThan(report.lost)
  expect(longestLossMs).toBeLessThan(1_000 + longestWriteMs + slackMs)
}, 60_000)

it('ends at once when it is asked twice', async () => {
  const { url, stop } = await serveProcess('--scenario', 'solo')
  const { keys, accounts } = await control(url, '/state')
  await control(url, '/faults', { delay_ms: 60_000, times: 1 })
  fetch(`${url}/v1/${accounts[0].id}/posts`, { headers: { 'x-api-key': keys[0].key } }).catch(() => {})
  await expect.poll(() => control(url, '/faults')).toEqual([])
  void stop('SIGHUP')
  expect(await stop('SIGTERM')).toMatchObject({ code: 1 })
})

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../support/command.ts'
import { waitForExit, runProcess, serveProcess, startProcess } from '../support/process.ts'
import { serveOnFreePort } from '../support/server.ts'

// Tests signals and exit codes. Runs the command in a separate process, which takes seconds. All
// other tests of the command run it in this process. kills.long.test.ts kills it during writes.

const json = { 'content-type': 'application/json' }
const control = async (url: string, path: string, body?: unknown) =>
  (
    await fetch(
      `${url}/_sandbox${path}`,
      body === undefined ? {} : { method: 'POST', headers: json, body: JSON.stringify(body) },
    )
  ).json()

/** On a busy machine, generating the data takes more than a second, and the command shows progress. */
const withoutProgress = (stderr: string) => stderr.replace(/^Generating data: \d+ %\n/gm, '')

it('starts, handles the commands that it prints, and exits with 0 on SIGTERM after completing the request in progress', async () => {
  const { url, printed, stop } = await serveProcess('--scenario', 'solo')
  const line = printed.split('\n').find((candidate) => candidate.trimStart().startsWith('curl '))
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    line?.replace('curl ', 'curl --silent --show-error --fail ') ?? 'false',
  ])
  expect(JSON.parse(stdout).data.list).toHaveLength(2)

  const { keys, accounts } = await control(url, '/state')
  await control(url, '/faults', { delay_ms: 300, times: 1 })
  const slow = fetch(`${url}/v1/${accounts[0].id}/posts`, { headers: { 'x-api-key': keys[0].key } })
  await expect.poll(() => control(url, '/faults')).toEqual([])
  const end = stop('SIGTERM')
  expect((await slow).status).toBe(200)
  const { code, stdout: all, stderr } = await end
  expect({ code, stdout: all }).toEqual({ code: 0, stdout: printed })
  expect(withoutProgress(stderr)).toBe('')
})

it('exits without an error when its reader closes the pipe', async () => {
  const child = startProcess(['scenarios'])
  child.stdout?.destroy()
  expect(await waitForExit(child)).toEqual({ code: 0, stdout: '', stderr: '' })
})

it('writes a recording on SIGINT, which can be replayed', async () => {
  const file = join(createTemporaryFolder(), 'mine.yaml')
  const recorded = await serveProcess(
    'record',
    '--out',
    file,
    '--scenario',
    'solo',
    '--clock',
    'frozen',
  )
  const act = (url: string, path: string, body: object) =>
    fetch(`${url}/_sandbox${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await act(recorded.url, '/clock', { advance: '1m' })
  expect(
    (await act(recorded.url, '/actions', { type: 'tip', account_id: 100_200_300 })).status,
  ).toBe(200)
  const { code, stderr } = await recorded.stop('SIGINT')
  expect(code).toBe(0)
  expect(withoutProgress(stderr)).toMatch(/^Wrote \d+ steps to /)
  expect(readFileSync(file, 'utf8')).toContain('"tip"')
  const replayed = await serveProcess('replay', file, '--paused')
  expect(await (await act(replayed.url, '/replay', { command: 'play' })).json()).toMatchObject({
    status: 'playing',
  })
})

it('replays a story to its end, and prints plain lines', async () => {
  const { url, stop } = await serveProcess('replay', 'launch-day', '--speed', '1000')
  await expect
    .poll(async () => (await (await fetch(`${url}/_sandbox/replay`)).json()).status, {
      timeout: 60_000,
    })
    .toBe('ended')
  const { code, stdout, stderr } = await stop()
  expect([code, withoutProgress(stderr)]).toEqual([0, ''])
  expect(stdout).toMatch(/^\d+:\d\d {2}The story has ended. The server keeps running\.$/m)
})

it('exits with 1 if the port is taken', async () => {
  const { port } = new URL(await serveOnFreePort(() => {}))
  const { code, stdout, stderr } = await runProcess('--scenario', 'solo', '--port', port)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^Failed to listen on .*: the port is in use\..*\n$/)
})

it('exits immediately on a second signal', async () => {
  const { url, stop } = await serveProcess('--scenario', 'solo')
  const { keys, accounts } = await control(url, '/state')
  await control(url, '/faults', { delay_ms: 60_000, times: 1 })
  fetch(`${url}/v1/${accounts[0].id}/posts`, { headers: { 'x-api-key': keys[0].key } }).catch(
    () => {},
  )
  await expect.poll(() => control(url, '/faults')).toEqual([])
  void stop('SIGHUP')
  expect(await stop('SIGTERM')).toMatchObject({ code: 1 })
})

it('exits with 2 for an invalid flag', async () => {
  expect(await runProcess('--port', '70000')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'Failed to read --port ("70000"): it must be at most 65535. See --help.\n',
  })
})

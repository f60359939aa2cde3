import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { waitForExit, serveProcess, startProcess } from '../support/process.ts'

// Tests signals and exit codes. Runs the command in a separate process, which takes seconds. All
// other tests of the command run it in this process. kills.long.test.ts kills it during writes.

/** On a busy machine, generating the data takes more than a second, and the command shows progress. */
const withoutProgress = (stderr: string) => stderr.replace(/^Generating data: \d+ %\n/gm, '')

it('starts, handles the commands that it prints, and exits with 0 on SIGTERM after completing the request in progress', async () => {
  const { printed, stop, control, api } = await serveProcess('--scenario', 'solo')
  const line = printed.split('\n').find((candidate) => candidate.trimStart().startsWith('curl '))
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    line?.replace('curl ', 'curl --silent --show-error --fail ') ?? 'false',
  ])
  expect(JSON.parse(stdout).data.list).toHaveLength(2)

  await control('faults', { delay_ms: 300, times: 1 })
  const slow = api('/v1/ACCOUNT/posts')
  await expect.poll(() => control('faults')).toEqual([])
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

it('exits immediately on a second signal', async () => {
  const { control, api, stop } = await serveProcess('--scenario', 'solo')
  await control('faults', { delay_ms: 60_000, times: 1 })
  api('/v1/ACCOUNT/posts').catch(() => {})
  await expect.poll(() => control('faults')).toEqual([])
  void stop('SIGHUP')
  expect(await stop('SIGTERM')).toMatchObject({ code: 1 })
})

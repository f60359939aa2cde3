import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { serveProcess } from '../support/process.ts'

// Tests signals and exit codes. Runs the command in a separate process, which takes seconds. All
// other tests of the command run it in this process. process.long.test.ts has more cases, and
// kills.long.test.ts kills the command during writes.

const json = { 'content-type': 'application/json' }
const control = async (url: string, path: string, body?: unknown) =>
  (
    await fetch(
      `${url}/_sandbox${path}`,
      body === undefined ? {} : { method: 'POST', headers: json, body: JSON.stringify(body) },
    )
  ).json()

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
  // A busy machine takes longer than a second to generate the data, so the command shows progress.
  expect(stderr.replace(/^Generating data: \d+ %\n/gm, '')).toBe('')
})

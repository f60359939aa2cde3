import { expect, it } from 'vitest'
import { startCommand } from '../support/command.ts'

it('judges a run with more requests than the journal of a server stores', async () => {
  const code = `
    const { CREATOR_API_URL: url, CREATOR_API_KEY: key } = process.env
    const headers = { authorization: 'Bearer ' + key }
    const read = async () => (await fetch(url + '/v1/tags', { headers })).ok
    if (!(await read()) && !(await read())) process.exitCode = 1
    for (let sent = 0; sent < 22; sent += 1)
      await Promise.all(Array.from({ length: 50 }, () => fetch(url + '/v1/tags', { headers })))
  `
  const flags = ['--scenario', 'boundaries', '--only', 'bad-gateway', '--format', 'json']
  const command = ['--', process.execPath, '--input-type=module', '-e', code]
  const { stdout } = await startCommand('survive', ...flags, ...command).ended
  expect(JSON.parse(stdout).results).toMatchObject([{ runs: 1, met: 1, survived: 1 }])
})

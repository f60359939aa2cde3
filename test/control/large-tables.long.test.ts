import { startServer } from 'creator-api-sandbox/server'
import { expect, it, onTestFinished } from 'vitest'

it('rejects a search, a check and a snapshot of a world that is too large for a request', async () => {
  const { url, sandbox, stop } = await startServer({ port: 0, scenario: 'large' })
  onTestFinished(stop)
  await sandbox.ready
  const search = await fetch(`${url}/_sandbox/data/messages?contains=you`)
  expect([search.status, await search.json()]).toEqual([
    413,
    { error: expect.stringMatching(/a request may read at most 50000. Search only the newest/) },
  ])
  const scenario = await fetch(`${url}/_sandbox/scenario`)
  expect([scenario.status, await scenario.json()]).toEqual([
    413,
    { error: expect.stringContaining('a request may read at most 50000') },
  ])
  const check = await fetch(`${url}/_sandbox/check`, { method: 'POST' })
  expect([check.status, await check.json()]).toEqual([
    413,
    { error: expect.stringContaining('a request may read at most 200000') },
  ])
})

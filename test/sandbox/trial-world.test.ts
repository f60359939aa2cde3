import { expect, it } from 'vitest'
import { createServedSandbox } from '../../src/sandbox/create-sandbox.ts'
import { createTrialWorld } from '../../src/sandbox/trial-world.ts'
import { waitForIo, createManualPause } from '../support/pace.ts'

const run = {
  name: 'no-credits',
  seed: 1,
  variation: null,
  faults: [{ route: 'GET /v1/tags', status: 402, times: 1 }],
} as const

async function open() {
  const { pace, go } = createManualPause()
  const sandbox = createServedSandbox(
    { scenario: 'solo', clock: 'frozen' },
    { beginsNow: false, pace },
  )
  await go()
  await sandbox.ready
  const read = async (key: string) => {
    const headers = { 'x-api-key': key }
    return (await sandbox.fetch(`${sandbox.baseUrl}/v1/tags`, { headers })).status
  }
  return { sandbox, read }
}

it('keeps the faults of a world that is first moved to the current time', async () => {
  const { sandbox, read } = await open()
  sandbox.clock.advance('2h')
  const { key, account, finish } = await createTrialWorld(sandbox, run)
  expect(sandbox.db.accounts.get(account)).toMatchObject({ connected: true })
  expect([await read(key), await read(key)]).toEqual([402, 200])
  expect(await read(sandbox.keys.owner)).toBe(200)
  const { isMet, record } = await finish()
  expect(isMet).toBe(true)
  expect(record.requests).toMatchObject([{ status: 402 }, { status: 200 }])
  expect(sandbox.control.worlds()).toEqual([])
})

it('returns the requests once they have a response', async () => {
  const { sandbox } = await open()
  const late = { ...run, faults: [{ route: 'GET /v1/tags', delay_ms: 20 }] }
  const { key, finish } = await createTrialWorld(sandbox, late)
  const answered = sandbox.fetch(`${sandbox.baseUrl}/v1/tags`, { headers: { 'x-api-key': key } })
  // Waits until the client has sent the request.
  await waitForIo()
  const { record } = await finish()
  expect(record.requests).toMatchObject([{ status: 200 }])
  expect((await answered).status).toBe(200)
})

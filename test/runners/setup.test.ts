import { connect } from 'creator-api-sandbox/client'
import { test } from 'creator-api-sandbox/vitest'
import { serveSandbox } from 'creator-api-sandbox/vitest/setup'
import { expect, it } from 'vitest'

it('serves a sandbox for all test files, and provides its URL', async () => {
  let served = { url: '', token: undefined as string | undefined }
  const stop = await serveSandbox({ scenario: 'empty', controlToken: 'secret' })({
    provide: (_, value) => void (served = value),
  })
  expect(await connect(served.url, served).state()).toMatchObject({
    scenario: 'empty',
    clock: { mode: 'frozen' },
  })
  await stop()
  await expect(connect(served.url, served).state()).rejects.toThrow(/ECONNREFUSED|UND_ERR_SOCKET/)
})

test.fails('creates no world if no server runs', ({ remoteWorld }) => void remoteWorld)

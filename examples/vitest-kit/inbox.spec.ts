import { test } from 'creator-api-sandbox/vitest'
import { expect } from 'vitest'
import { readInbox } from './inbox.ts'

test('shows a new message of a fan', async ({ remoteWorld }) => {
  const inbox = {
    baseUrl: remoteWorld.baseUrl,
    apiKey: remoteWorld.keys['owner'],
    accountId: remoteWorld.accounts[0]?.id,
  }
  const before = await readInbox(inbox)

  const { ids } = await remoteWorld.act({ type: 'message.from_fan', text: 'Are you there?' })

  const [first] = await readInbox(inbox)
  expect(first).toMatchObject({ fanId: ids.fan, text: expect.stringContaining('Are you there?') })
  expect(before).not.toContainEqual(first)
  await expect(remoteWorld).toHaveNoFindings() // the client has no mistakes that the audit finds
})

test('asks the user to reconnect when the session lapses', async ({ remoteWorld }) => {
  const inbox = {
    baseUrl: remoteWorld.baseUrl,
    apiKey: remoteWorld.keys['owner'],
    accountId: remoteWorld.accounts[0]?.id,
  }
  await remoteWorld.act({ type: 'session.lapse' })

  expect(await readInbox(inbox)).toBe('reconnect')
})

test('starts each test with a new world', async ({ remoteWorld }) => {
  expect(await remoteWorld.happenings()).toEqual([])
  expect(await remoteWorld.received()).toEqual([])
})

import { test } from 'creator-api-sandbox/vitest'
import { expect } from 'vitest'
import { readInbox } from './inbox.ts'

test('shows a new message of a fan', async ({ world }) => {
  const inbox = {
    baseUrl: world.baseUrl,
    apiKey: world.keys['owner'],
    accountId: world.accounts[0]?.id,
  }
  const before = await readInbox(inbox)

  const { ids } = await world.act({ type: 'message.from_fan', text: 'Are you there?' })

  const [first] = await readInbox(inbox)
  expect(first).toMatchObject({ fanId: ids.fan, text: expect.stringContaining('Are you there?') })
  expect(before).not.toContainEqual(first)
  await expect(world).toHaveNoFindings() // the client has no mistakes that the audit finds
})

test('asks the user to reconnect when the session lapses', async ({ world }) => {
  const inbox = {
    baseUrl: world.baseUrl,
    apiKey: world.keys['owner'],
    accountId: world.accounts[0]?.id,
  }
  await world.act({ type: 'session.lapse' })

  expect(await readInbox(inbox)).toBe('reconnect')
})

test('starts each test with a new world', async ({ world }) => {
  expect(await world.happenings()).toEqual([])
  expect(await world.requests()).toEqual([])
})

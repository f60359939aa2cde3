import { expect, it } from 'vitest'
import { openClient } from '../support/client.ts'

it('ignores the case of all letters in every search', async () => {
  const { sandbox, get, account } = await openClient('solo')
  const accountId = account()
  const name = 'ΟΔΟΣΑ'
  const fan = sandbox.make.fan({ name })
  sandbox.make.subscription({ accountId, fanId: fan.id })
  sandbox.make.chat({ accountId, fanId: fan.id })
  sandbox.make.message({ accountId, fanId: fan.id, text: name })
  sandbox.make.post({ accountId, text: name })
  sandbox.make.userList({ accountId, name })
  sandbox.make.vaultList({ accountId, name })
  const searches = [
    'posts?query=',
    'chats?query=',
    `chats/${fan.id}/messages/search?query=`,
    'user-lists?query=',
    'vault/lists?query=',
    'mass-messages/lists?query=',
  ]
  for (const search of searches)
    for (const part of ['ΟΔΟΣ', 'οδος', 'Οδοσα']) {
      const { status, body } = await get(`/v1/${accountId}/${search}${encodeURIComponent(part)}`)
      expect([search, status]).toEqual([search, 200])
      expect([search, part, body.data.list?.length]).toEqual([search, part, 1])
    }
})

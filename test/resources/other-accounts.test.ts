import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import { idsOf, readAllIds } from '../support/read-all-pages.ts'

describe('another account as a user', () => {
  it('is the same user by name and id, and can be blocked, restricted, reported and listed', async () => {
    const client = await openClient('agency')
    const other = client.account('jonah_reyes')
    const named = await client.getData('users/jonah_reyes')
    expect(named).toMatchObject({ id: other, canReport: true, canRestrict: true })
    expect(named).toMatchObject(await client.getData(`fans/${other}`))
    const list = (await client.postData('user-lists', { name: 'Colleagues' })).id
    const more = (await client.postData('user-lists', { name: 'Friends of ours' })).id
    for (const [path, body] of [
      [`users/${other}/restrict`],
      [`users/${other}/block`],
      [`users/${other}/report`, { reason: 'a test' }],
      [`user-lists/${list}/users`, { ids: [other] }],
      [`users/${other}/lists`, { listIds: [more] }],
    ] as const)
      expect([path, (await client.post(path, body)).status]).toEqual([path, 200])
    const data = await client.getData('users/jonah_reyes')
    const marked = { isBlocked: true, isRestricted: true, canReport: false, canRestrict: false }
    expect(data).toMatchObject(marked)
    const lists = data.listsStates.filter(({ hasUser }: { hasUser: boolean }) => hasUser)
    expect(idsOf(lists)).toEqual([list, more])
    const pathOfList = `user-lists/${list}/users`
    for (const path of [pathOfList, 'subscribers/blocked', 'subscribers/restricted'])
      expect(await readAllIds(client, path), path).toContain(other)
    for (const action of ['block', 'restrict'])
      expect((await client.delete(`users/${other}/${action}`)).status).toBe(200)
    const unmarked = { isBlocked: false, isRestricted: false, canRestrict: true }
    expect(await client.getData(`fans/${other}`)).toMatchObject(unmarked)
  })
})

describe('the account itself', () => {
  it('cannot act on its own profile', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const list = client.db.userLists.find({ accountId: account })!
    const nothing = {
      canReport: false,
      canRestrict: false,
      canTrialSend: false,
      canAddSubscriber: false,
      canReceiveChatMessage: false,
    }
    for (const path of ['me', 'users/mara_lindqvist', `fans/${account}`]) {
      const data = await client.getData(path)
      expect(data).toMatchObject(nothing)
      for (const state of data.listsStates)
        expect(state).toMatchObject({ canAddUser: false, cannotAddUserReason: 'own_profile' })
    }
    for (const [method, path, body] of [
      ['POST', `users/${account}/block`],
      ['DELETE', `users/${account}/block`],
      ['POST', `users/${account}/restrict`],
      ['POST', `users/${account}/report`, { reason: 'x' }],
      ['POST', `users/${account}/lists`, { listIds: [list.id] }],
      ['POST', `user-lists/${list.id}/users`, { ids: [account] }],
    ] as const) {
      const answer = await client.send(method, path, body === undefined ? {} : { body })
      expect([path, answer.status, answer.body.error]).toEqual([
        path,
        400,
        expect.stringContaining(`is ${account}, but it must`),
      ])
    }
  })

  it('has a username that no new fan can get', async () => {
    const client = await openClient('agency')
    const fan = { account_id: client.account(), username: 'Jonah_Reyes' }
    for (const type of ['subscriber.new', 'link.claim'] as const)
      expect(() => client.sandbox.act({ type, ...fan })).toThrow(
        `user ${client.account('jonah_reyes')} has that username`,
      )
  })
})

import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { expectNoViolations } from '../support/invariants.ts'
import { idsOf, readAllIds, readAllPages } from '../support/read-all-pages.ts'

/** The fan who deleted their profile, and an account of which they are a fan. */
function findDeleted({ db }: Sandbox) {
  const user = db.fans.find({ isDeleted: true })!
  return { id: user.id, account: db.subscriptions.find({ fanId: user.id })!.accountId }
}

/** Returns the paths of the lists of an account that contain the user. */
async function findListsWith(client: Client, account: number, userId: number): Promise<string[]> {
  const custom = idsOf(client.db.userLists.where({ accountId: account }))
  const lists = ['fans', 'following', 'recent', 'friends', 'muted', 'tagged', ...custom]
  const found = []
  for (const path of [
    'subscribers/top',
    'subscribers/top?by=recent&start_date=2020-01-01 00:00:00',
    'subscribers?type=active&limit=100',
    'subscribers?type=expired&limit=100',
    'subscribers/latest?start_date=2020-01-01&limit=100',
    ...['following', 'restricted', 'blocked'].map((list) => `subscribers/${list}?limit=100`),
    ...lists.map((list) => `user-lists/${list}/users?limit=100`),
  ])
    if ((await readAllIds(client, `/v1/${account}/${path}`)).includes(userId)) found.push(path)
  return found
}

describe('a user who deleted their profile', () => {
  it.each(['agency', 'everything'])('keeps only the id on each route of %s', async (scenario) => {
    const client = await openClient(scenario)
    const { db } = client
    expect(db.fans.where({ isDeleted: true })).toHaveLength(1)
    const { id, account } = findDeleted(client.sandbox)
    const user = await client.getData(`/v1/${account}/fans/${id}`)
    expect(user).toMatchObject({ id, name: '', username: `u${id}`, displayName: '', notice: '' })
    expect([user.avatar, user.avatarThumbs, user.header, user.headerThumbs, user.lastSeen]).toEqual(
      [null, null, null, null, null],
    )
    expect(Object.entries(user).filter(([, value]) => value === true)).toEqual([])
    expect(user.listsStates.filter((list: { canAddUser: boolean }) => list.canAddUser)).toEqual([])

    const chats = await readAllPages(client, `/v1/${account}/chats?skip_users=none&limit=100`)
    expect(chats).toContainEqual(
      expect.objectContaining({
        withUser: user,
        canSendMessage: false,
        canNotSendReason: 'deleted',
        canGoToProfile: false,
      }),
    )
    const messages = `/v1/${account}/chats/${id}/messages?skip_users=none`
    expect(await readAllPages(client, messages)).toContainEqual(
      expect.objectContaining({ fromUser: user }),
    )
    const comments = `/v1/${account}/posts/${db.comments.find({ fanId: id })!.postId}/comments`
    expect(await readAllPages(client, comments, { last: null })).toContainEqual(
      expect.objectContaining({ author: expect.objectContaining({ id }) }),
    )

    const fans = await client.getData(`/v1/${account}/fans?ids=${id}`)
    expect(fans[id]).toMatchObject({ name: '', username: `u${id}`, avatar: '', lastSeen: null })
    expect((await client.get(`/v1/${account}/users/u${id}`)).status).toBe(404)
    const body = { account_ids: [account], limit: 100 }
    const data = await client.postData(`/v1/fans/${id}/stats`, body)
    expect(data.stats[0].total_spend).toBeGreaterThan(0)
    const paid = await client.postData(`/v1/fans/${id}/transactions`, body)
    expect(paid.transactions.length).toBe(db.transactions.where({ fanId: id }).length)
    expect(await findListsWith(client, account, id)).toEqual([])
    expectNoViolations(client.sandbox)
  })

  it('cannot be written to, changed or found', async () => {
    const client = await openClient('agency')
    const { id, account } = findDeleted(client.sandbox)
    const list = client.db.userLists.find({ accountId: account })!.id
    const refusal = `User ${id} has deleted their profile, so account ${account} can only read it.`
    for (const [method, path, body] of [
      ['POST', `chats/${id}/messages`, { text: 'Hello' }],
      ['POST', `chats/${id}/typing`, undefined],
      ['POST', `users/${id}/block`, undefined],
      ['DELETE', `users/${id}/block`, undefined],
      ['POST', `users/${id}/restrict`, undefined],
      ['DELETE', `users/${id}/restrict`, undefined],
      ['POST', `users/${id}/report`, { reason: 'Spam' }],
      ['POST', `user-lists/${list}/users`, { ids: [id] }],
      ['POST', `users/${id}/lists`, { listIds: [list] }],
      ['PUT', `fans/${id}/notes`, { notice: 'Kind' }],
      ['DELETE', `fans/${id}/notes`, undefined],
      ['PUT', `fans/${id}/display-name`, { displayName: 'Ada' }],
    ] as const) {
      const { status, body: answer } = await client.send(method, `/v1/${account}/${path}`, { body })
      expect(status, path).toBe(403)
      expect(answer.error).toBe(refusal)
    }
    const sent = await client.post(`/v1/${account}/mass-messages`, { text: 'Hi', userIds: [id] })
    expect(client.db.messages.where({ fanId: id, queueId: sent.body.data.id })).toEqual([])
  })

  it('leaves all lists of users, and stays in payments, sums and buyers', async () => {
    const client = await openClient('agency')
    const { sandbox } = client
    const account = client.account()
    const { fanId: fan } = sandbox.db.subscriptions.find(
      ({ accountId, isExpired, isBlocked }) => accountId === account && !isExpired && !isBlocked,
    )!
    const { id: queueId } = await client.postData('mass-messages', {
      text: 'Buy',
      price: 7,
      mediaFiles: [sandbox.db.vaultMedia.find({ accountId: account, isReady: true })!.id],
      userIds: [fan],
    })
    const { id: message_id } = sandbox.db.messages.find({ queueId })!
    sandbox.act({ type: 'message.unlock', account_id: account, message_id })
    const list = sandbox.db.userLists.find({ accountId: account })!.id
    await client.post(`user-lists/${list}/users`, { ids: [fan] })
    await client.post(`users/${fan}/restrict`)
    await client.put(`fans/${fan}/notes`, { notice: 'Kind' })
    await client.post(`chats/${fan}/mute`)
    expect(await findListsWith(client, account, fan)).toEqual(
      expect.arrayContaining([
        'subscribers?type=active&limit=100',
        'subscribers/top?by=recent&start_date=2020-01-01 00:00:00',
        'subscribers/restricted?limit=100',
        ...['fans', 'muted', 'tagged', list].map((name) => `user-lists/${name}/users?limit=100`),
      ]),
    )
    const count = async () => (await client.getData('subscribers/counts')).subscribers
    const look = async () => {
      const body = { account_ids: [account] }
      const year = 'start_date=2025-10-01&end_date=now'
      return [
        await client.postData(`/v1/fans/${fan}/stats`, body),
        await client.postData(`/v1/fans/${fan}/transactions`, body),
        (await client.getData(`mass-messages/${queueId}/buyers`)).list,
        await client.getData(`earnings/overview?${year}`),
      ]
    }
    const [counts, known] = [await count(), await look()]

    sandbox.act({ type: 'user.delete', account_id: account, fan_id: fan })
    expect(await findListsWith(client, account, fan)).toEqual([])
    expect(await look()).toEqual(known)
    const after = await count()
    for (const kind of ['active', 'all', 'restricted', 'muted'])
      expect(after[kind], kind).toBe(counts[kind] - 1)
    expectNoViolations(sandbox)
    for (const type of ['tip', 'subscriber.new'] as const)
      expect(() => sandbox.act({ type, account_id: account, fan_id: fan })).toThrow(
        'that user has deleted their profile',
      )
    sandbox.clock.advance('40d')
    expectNoViolations(sandbox)
  })

  it('can be written in a scenario, and be made', async () => {
    const client = await openClient('solo')
    const { sandbox } = client
    const { id, name, username } = sandbox.make.fan({ isDeleted: true })
    expect([name, username]).toEqual(['', `u${id}`])
    sandbox.make.subscription({ fanId: id })
    expect(await findListsWith(client, client.account(), id)).toEqual([])
    expectNoViolations(sandbox)
    sandbox.db.fans.update(id, { name: 'Ada' })
    expect(sandbox.check().invariants.flatMap(({ broken }) => broken)).toEqual([
      expect.stringContaining(`The user ${id} is deleted, but still has a name`),
    ])
  })
})

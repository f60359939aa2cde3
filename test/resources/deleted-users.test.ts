import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { expectNoViolations } from '../support/invariants.ts'
import { idsOf, readAllPages } from '../support/read-all-pages.ts'

/** The fan who deleted their profile, and an account of which they are a fan. */
function findDeleted({ db }: Sandbox) {
  const user = db.fans.find({ isDeleted: true })!
  return { id: user.id, account: db.subscriptions.find({ fanId: user.id })!.accountId }
}

/** A row that contains a user. */
interface Shown {
  withUser: { id: number }
  fromUser: { id: number }
  author: { id: number }
}

/** Paths of all lists of fans and users of an account. */
function listUserLists({ sandbox }: Client, account: number): string[] {
  const custom = idsOf(sandbox.db.userLists.where({ accountId: account }))
  const lists = ['fans', 'following', 'recent', 'friends', 'muted', 'tagged', ...custom]
  return [
    'subscribers/top',
    'subscribers/top?by=recent&start_date=2020-01-01 00:00:00',
    ...['subscribers?type=active', 'subscribers?type=expired']
      .concat('subscribers/latest?start_date=2020-01-01')
      .map((path) => `${path}&limit=100`),
    ...['following', 'restricted', 'blocked'].map((list) => `subscribers/${list}?limit=100`),
    ...lists.map((list) => `user-lists/${list}/users?limit=100`),
  ]
}

/** Returns the paths of the lists that contain the user. */
async function findListsWith(client: Client, account: number, userId: number): Promise<string[]> {
  const found = []
  for (const path of listUserLists(client, account)) {
    const rows: { id: number }[] = await readAllPages(client, `/v1/${account}/${path}`)
    if (rows.some(({ id }) => id === userId)) found.push(path)
  }
  return found
}

describe('a user who deleted their profile', () => {
  it.each(['agency', 'everything'])(
    'occurs once in %s, with a payment, a chat and a comment',
    async (scenario) => {
      const { sandbox } = await openClient(scenario)
      const { db } = sandbox
      const deleted = db.fans.where({ isDeleted: true })
      expect(deleted).toHaveLength(1)
      const { id: fanId } = deleted[0]!
      expect(db.transactions.find({ fanId, status: 'done' })).toBeDefined()
      expect(db.messages.find({ fanId, isFromFan: true })).toBeDefined()
      expect(db.comments.find({ fanId })).toBeDefined()
      expectNoViolations(sandbox)
    },
  )

  it.each(['agency', 'everything'])('keeps only the id on each route of %s', async (scenario) => {
    const client = await openClient(scenario)
    const { db } = client
    const { id, account } = findDeleted(client.sandbox)
    const user = await client.getData(`/v1/${account}/fans/${id}`)
    expect(user).toMatchObject({ id, name: '', username: `u${id}`, displayName: '', notice: '' })
    expect([user.avatar, user.avatarThumbs, user.header, user.headerThumbs, user.lastSeen]).toEqual(
      [null, null, null, null, null],
    )
    expect(Object.entries(user).filter(([, value]) => value === true)).toEqual([])
    expect(user.listsStates.filter((list: { canAddUser: boolean }) => list.canAddUser)).toEqual([])

    const chats = await readAllPages(client, `/v1/${account}/chats?skip_users=none&limit=100`)
    const chat = (chats as unknown as Shown[]).find(({ withUser }) => withUser.id === id)
    expect(chat).toMatchObject({
      withUser: user,
      canSendMessage: false,
      canNotSendReason: 'deleted',
      canGoToProfile: false,
    })
    const messages = await readAllPages(
      client,
      `/v1/${account}/chats/${id}/messages?skip_users=none`,
    )
    expect(
      (messages as unknown as Shown[]).find(({ fromUser }) => fromUser.id === id)?.fromUser,
    ).toEqual(user)
    const { postId } = db.comments.find({ fanId: id })!
    const comments = await readAllPages(client, `/v1/${account}/posts/${postId}/comments`, {
      last: null,
    })
    expect((comments as unknown as Shown[]).some(({ author }) => author.id === id)).toBe(true)

    const fans = await client.getData(`/v1/${account}/fans?ids=${id}`)
    expect(fans[id]).toMatchObject({ name: '', username: `u${id}`, avatar: '', lastSeen: null })
    expect((await client.get(`/v1/${account}/users/u${id}`)).status).toBe(404)
    const body = { account_ids: [account], limit: 100 }
    const data = await client.postData(`/v1/fans/${id}/stats`, body)
    expect(data.stats[0].total_spend).toBeGreaterThan(0)
    const paid = await client.postData(`/v1/fans/${id}/transactions`, body)
    expect(paid.transactions.length).toBe(db.transactions.where({ fanId: id }).length)
    expect(await findListsWith(client, account, id)).toEqual([])
  })

  it('cannot be written to, changed or found', async () => {
    const client = await openClient('agency')
    const { id, account } = findDeleted(client.sandbox)
    const list = client.db.userLists.find({ accountId: account })!.id
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
      expect([path, status, answer.error]).toEqual([
        path,
        403,
        `User ${id} has deleted their profile, so account ${account} can only read it.`,
      ])
    }
    const sent = await client.post(`/v1/${account}/mass-messages`, { text: 'Hi', userIds: [id] })
    expect(client.db.messages.find({ fanId: id, queueId: sent.body.data?.id ?? -1 })).toBe(
      undefined,
    )
    expectNoViolations(client.sandbox)
  })

  it('leaves all lists of users, and stays in payments, sums and buyers', async () => {
    const client = await openClient('agency')
    const { sandbox } = client
    const account = client.account()
    const fan = sandbox.db.subscriptions.find(
      ({ accountId, fanId, isExpired }) =>
        accountId === account &&
        !isExpired &&
        sandbox.db.messages.find(({ fanId: to, purchasedAt, queueId }) => {
          return to === fanId && purchasedAt !== null && queueId !== null
        }) !== undefined,
    )!.fanId
    const { queueId } = sandbox.db.messages.find(
      (each) => each.fanId === fan && each.purchasedAt !== null && each.queueId !== null,
    )!
    const list = sandbox.db.userLists.find({ accountId: account })!.id
    await client.post(`user-lists/${list}/users`, { ids: [fan] })
    await client.post(`users/${fan}/restrict`)
    await client.put(`fans/${fan}/notes`, { notice: 'Kind' })
    await client.post(`chats/${fan}/mute`)
    expect(await findListsWith(client, account, fan)).toEqual(
      expect.arrayContaining([
        'subscribers?type=active&limit=100',
        'subscribers/top',
        'subscribers/restricted?limit=100',
        'user-lists/fans/users?limit=100',
        'user-lists/muted/users?limit=100',
        'user-lists/tagged/users?limit=100',
        `user-lists/${list}/users?limit=100`,
      ]),
    )
    const count = () => client.getData('subscribers/counts')
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
    const { active, all, restricted, muted } = counts.subscribers
    expect((await count()).subscribers).toMatchObject({
      active: active - 1,
      all: all - 1,
      restricted: restricted - 1,
      muted: muted - 1,
    })
    expectNoViolations(sandbox)
    const refusal = { type: 'tip', account_id: account, fan_id: fan } as const
    expect(() => sandbox.act(refusal)).toThrow('that user has deleted their profile')
    const again = { type: 'subscriber.new', account_id: account, fan_id: fan } as const
    expect(() => sandbox.act(again)).toThrow('that user has deleted their profile')
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

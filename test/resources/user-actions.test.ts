import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import { readAllPages } from '../support/read-all-pages.ts'

describe('user actions', () => {
  it('block and unblock a fan, who leaves the subscribers and returns', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { fanId } = client.sandbox.db.subscriptions.find(
      (row) => row.accountId === account && !row.isExpired && !row.isBlocked,
    )!
    const has = async (path: string) =>
      (await readAllPages(client, `/v1/${account}/${path}?limit=100`)).some(
        ({ id }) => id === fanId,
      )
    const places = async () => [
      await has('subscribers'),
      await has('subscribers/blocked'),
      await has('user-lists/fans/users'),
    ]
    const active = async () =>
      (await client.get(`/v1/${account}/subscribers/counts`)).body.data.subscribers.active
    const before = await active()
    expect(await places()).toEqual([true, false, true])
    expect((await client.post(`/v1/${account}/users/${fanId}/block`)).body.data).toEqual({
      success: true,
    })
    expect(await places()).toEqual([false, true, false])
    expect([
      await active(),
      (await client.get(`/v1/${account}/me`)).body.data.subscribersCount,
    ]).toEqual([before - 1, before - 1])
    expect((await client.get(`/v1/${account}/fans/${fanId}`)).body.data).toMatchObject({
      isBlocked: true,
      canReceiveChatMessage: false,
      subscribedOn: true,
    })
    expect(
      (await client.get(`/v1/${client.account('jonah_reyes')}/fans/${fanId}`)).body.data.isBlocked,
    ).toBe(false)
    await client.send('DELETE', `/v1/${account}/users/${fanId}/block`)
    expect(await places()).toEqual([true, false, true])
  })

  it('exclude a blocked fan from the biggest spenders, but not from the earnings', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const top = async () =>
      (await client.get(`/v1/${account}/subscribers/top?start_date=2025-01-01`)).body.data.list.map(
        ({ id }: { id: number }) => id,
      )
    const earned = async () =>
      (await client.get(`/v1/${account}/earnings/chart?start_date=2025-01-01&by=subscribes`)).body
        .data
    const [first, ...rest] = await top()
    const before = await earned()
    await client.post(`/v1/${account}/users/${first}/block`)
    expect((await top()).slice(0, 9)).toEqual(rest)
    expect(await earned()).toEqual(before)
    await client.send('DELETE', `/v1/${account}/users/${first}/block`)
    expect(await top()).toEqual([first, ...rest])
  })

  it('restrict a fan, who stays a subscriber', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { fanId } = client.sandbox.db.subscriptions.find(
      (row) => row.accountId === account && !row.isExpired && !row.isBlocked && !row.isRestricted,
    )!
    const restricted = async () =>
      (await readAllPages(client, `/v1/${account}/subscribers/restricted`)).map(({ id }) => id)
    const before = await restricted()
    await client.post(`/v1/${account}/users/${fanId}/restrict`)
    expect(await restricted()).toEqual([fanId, ...before])
    client.sandbox.clock.advance('1h')
    await client.post(`/v1/${account}/users/${before[0]}/restrict`)
    expect(await restricted()).toEqual([fanId, ...before])
    const { list } = (
      await client.get(`/v1/${account}/subscribers?limit=100&sort_by=subscribe_date`)
    ).body.data
    for (const user of list)
      expect([user.id, user.isRestricted]).toEqual([
        user.id,
        (await restricted()).includes(user.id),
      ])
    await client.send('DELETE', `/v1/${account}/users/${fanId}/restrict`)
    expect(await restricted()).toEqual(before)
  })

  it('work on users who never subscribed, and return 404 for unknown ids', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { userId } = client.sandbox.db.follows.find(
      ({ accountId, userId: id }) =>
        accountId === account &&
        client.sandbox.db.subscriptions.find({ accountId: account, fanId: id }) === undefined,
    )!
    await client.post(`/v1/${account}/users/${userId}/block`)
    expect((await readAllPages(client, `/v1/${account}/subscribers/blocked`))[0]).toMatchObject({
      id: userId,
      isBlocked: true,
      subscribedOnData: null,
    })
    const { subscribers } = (await client.get(`/v1/${account}/subscribers/counts`)).body.data
    await client.post(`/v1/${account}/users/${userId}/restrict`)
    expect((await client.get(`/v1/${account}/subscribers/counts`)).body.data.subscribers).toEqual(
      subscribers,
    )
    expect(await readAllPages(client, `/v1/${account}/subscribers/blocked`)).toHaveLength(
      subscribers.blocked + 1,
    )
    for (const [method, action] of [
      ['POST', 'block'],
      ['DELETE', 'block'],
      ['POST', 'restrict'],
      ['DELETE', 'restrict'],
    ] as const) {
      expect((await client.send(method, `/v1/${account}/users/1/${action}`)).status).toBe(404)
    }
  })

  it('report a user with a reason', async () => {
    const client = await openClient()
    const account = client.account()
    const { fanId } = client.sandbox.db.subscriptions.find({ accountId: account })!
    const path = `/v1/${account}/users/${fanId}/report`
    for (const body of [{}, { reason: '' }, { reason: 5 }, { reason: 'x'.repeat(1001) }])
      expect((await client.post(path, body)).status).toBe(400)
    expect((await client.get(`/v1/${account}/fans/${fanId}`)).body.data.canReport).toBe(true)
    expect((await client.post(path, { reason: 'spam' })).body.data).toEqual({ success: true })
    expect((await client.get(`/v1/${account}/fans/${fanId}`)).body.data.canReport).toBe(false)
    expect(client.sandbox.db.userMarks.where({ userId: fanId })).toMatchObject([
      { reportReason: 'spam' },
    ])
  })
})

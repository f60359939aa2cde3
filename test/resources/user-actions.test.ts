import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import { idsOf, readAllIds, readAllPages } from '../support/read-all-pages.ts'

describe('user actions', () => {
  it('exclude a blocked fan from the biggest spenders, but not from the earnings', async () => {
    const client = await openClient('agency')
    const top = async () =>
      idsOf((await client.getData('subscribers/top?start_date=2025-01-01')).list)
    const earned = () => client.getData('earnings/chart?start_date=2025-01-01&by=subscribes')
    const [first, ...rest] = await top()
    const before = await earned()
    await client.post(`users/${first}/block`)
    expect((await top()).slice(0, 9)).toEqual(rest)
    expect(await earned()).toEqual(before)
    await client.delete(`users/${first}/block`)
    expect(await top()).toEqual([first, ...rest])
  })

  it('restrict a fan, who stays a subscriber', async () => {
    const client = await openClient('agency')
    const { fanId } = client.db.subscriptions.find(
      (row) =>
        row.accountId === client.account() && !row.isExpired && !row.isBlocked && !row.isRestricted,
    )!
    const restricted = () => readAllIds(client, 'subscribers/restricted')
    const before = await restricted()
    await client.post(`users/${fanId}/restrict`)
    expect(await restricted()).toEqual([fanId, ...before])
    client.sandbox.clock.advance('1h')
    await client.post(`users/${before[0]}/restrict`)
    expect(await restricted()).toEqual([fanId, ...before])
    const { list } = await client.getData('subscribers?limit=100&sort_by=subscribe_date')
    const marked = list.filter(({ isRestricted }: { isRestricted: boolean }) => isRestricted)
    const ids = await restricted()
    expect(idsOf(marked)).toEqual(idsOf(list).filter((id) => ids.includes(id as number)))
    await client.delete(`users/${fanId}/restrict`)
    expect(await restricted()).toEqual(before)
  })

  it('work on users who never subscribed, and return 404 for unknown ids', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { userId } = client.db.follows.find(
      ({ accountId, userId: id }) =>
        accountId === account &&
        client.db.subscriptions.find({ accountId: account, fanId: id }) === undefined,
    )!
    await client.post(`users/${userId}/block`)
    const [first] = await readAllPages(client, 'subscribers/blocked')
    expect(first).toMatchObject({ id: userId, isBlocked: true, subscribedOnData: null })
    const { subscribers } = await client.getData('subscribers/counts')
    await client.post(`users/${userId}/restrict`)
    expect((await client.getData('subscribers/counts')).subscribers).toEqual(subscribers)
    expect(await readAllPages(client, 'subscribers/blocked')).toHaveLength(subscribers.blocked + 1)
    for (const action of ['block', 'restrict'])
      for (const method of ['POST', 'DELETE'])
        expect((await client.send(method, `users/1/${action}`)).status).toBe(404)
  })

  it('report a user with a reason', async () => {
    const client = await openClient()
    const { fanId } = client.db.subscriptions.find({ accountId: client.account() })!
    const path = `users/${fanId}/report`
    expect((await client.getData(`fans/${fanId}`)).canReport).toBe(true)
    expect(await client.postData(path, { reason: 'spam' })).toEqual({ success: true })
    expect((await client.getData(`fans/${fanId}`)).canReport).toBe(false)
    expect(client.db.userMarks.where({ userId: fanId })).toMatchObject([{ reportReason: 'spam' }])
  })
})

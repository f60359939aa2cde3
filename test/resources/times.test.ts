import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import { idsOf } from '../support/read-all-pages.ts'

const platform = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+00:00$/
const ownForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

describe('times in responses', () => {
  it('have +00:00 and no fraction from the platform, and Z from the service', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const read = (path: string) => client.getData(path)
    const [post] = (await read('posts?limit=1')).list
    expect(post.postedAt).toMatch(platform)
    expect(Math.floor(Number(post.postedAtPrecise)) * 1000).toBe(Date.parse(post.postedAt))
    for (const path of ['chats', 'notifications', 'vault/media', 'payouts/requests'])
      expect(JSON.stringify(await read(path))).not.toMatch(/\d{2}:\d{2}:\d{2}\.\d{3}Z/)
    expect((await read('tracking-links?limit=1')).list[0].createdAt).toMatch(platform)
    expect((await read('fm/tracking-links?limit=1')).list[0].createdAt).toMatch(ownForm)
    const { id } = (await read('tracking-links?limit=1')).list[0]
    expect((await read(`tracking-links/${id}`)).createdAt).toMatch(ownForm)
    expect((await read('trial-links?limit=1')).list[0].createdAt).toMatch(/:\d{2}Z$/)
    const fan = client.db.transactions.find(
      (row) => row.accountId === account && row.transaction_created_at !== null,
    )!.fanId
    const { stats } = await client.postData(`/v1/fans/${fan}/stats`, { account_ids: [account] })
    expect(stats[0].last_purchase_at).toMatch(ownForm)
  })

  it('do not cause a mass message of the same second to be skipped between two pages', async () => {
    const client = await openClient('agency')
    const account = client.account()
    const { db, clock } = client.sandbox
    const [fan] = db.subscriptions.where({ accountId: account, isBlocked: false })
    const send = async () =>
      (await client.postData('mass-messages', { text: 'Hi', userIds: [fan!.fanId] })).id as number
    const ids: number[] = []
    for (const step of ['1s', '200ms', '200ms', '2s']) {
      clock.advance(step)
      ids.unshift(await send())
    }
    const first = (await client.get('mass-messages?limit=2')).body
    expect(idsOf(first.data)).toEqual(ids.slice(0, 1))
    const next = (await client.get(first._pagination.next_page)).body
    expect(idsOf(next.data)).toEqual(ids.slice(1))
    expect(first._pagination.next_page).toBe(
      `/v1/${account}/mass-messages?limit=2&end_date=${encodeURIComponent(first.data[0].date as string)}`,
    )
  })
})

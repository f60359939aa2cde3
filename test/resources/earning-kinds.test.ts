import { expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { idsOf, readAllIds, readAllPages } from '../support/read-all-pages.ts'

const cents = (dollars: number) => Math.round(dollars * 100)
const always = 'start_date=2010-01-01&end_date=2100-01-01'

/** Returns the earnings of a section of the overview. */
const earningsOf = async (client: Client, by: string) =>
  (await client.getData(`earnings/overview?${always}&by=${by}`))[by].earnings
/** Returns the ids of the listed payments. */
const paymentsOf = async (client: Client, query: string) =>
  (await readAllIds(client, `earnings?${always}&${query}`)).map(String).toSorted()

it('is a story for a tip on a story, in each route, until a refund', async () => {
  const client = await openClient('empty')
  const { db, make } = client.sandbox
  const [story, other] = [make.story(), make.story()]
  const fanId = make.fan().id
  const tip = (storyId: number, amount: number) =>
    make.transaction({ storyId, fanId, category: 'tip', amount })
  const tips = [tip(story.id, 20), tip(story.id, 5), tip(other.id, 8)]
  make.transaction({ fanId, category: 'tip', amount: 50 })
  expect(tips[0]).toMatchObject({ postId: null, messageId: null })
  expect(await paymentsOf(client, 'type=tips&tips_source=story')).toEqual(idsOf(tips).toSorted())
  expect((await earningsOf(client, 'story')).gross).toBe(33)
  const ranked = async () =>
    (await client.getData(`engagement/stories/tips?${always}`)).items.map(
      (row: Record<string, number>) => [row['id'], row['tipsAmountRaw'], row['tipsCount']],
    )
  expect(await ranked()).toEqual([
    [story.id, 25, 2],
    [other.id, 8, 1],
  ])
  const best = (await client.getData(`highlights/story?${always}`)).tips
  expect([best.id, best.stats.tipCount]).toEqual([story.id, 2])
  db.transactions.update(tips[0]!.id, { status: 'undo' })
  expect((await earningsOf(client, 'story')).gross).toBe(13)
  expect(await ranked()).toEqual([
    [other.id, 8, 1],
    [story.id, 5, 1],
  ])
})

it('has the same pending time in the list as in the balances', async () => {
  const client = await openClient('solo')
  const account = client.account()
  const waiting = async () => {
    const rows = (await readAllPages(client, `earnings?${always}`)) as unknown as {
      status: string
      net: number
      payoutPendingDays: number
    }[]
    expect(
      rows.filter(({ status, payoutPendingDays: days }) =>
        status === 'undo' ? days > 0 : status !== 'done' && days < 1,
      ),
    ).toEqual([])
    return rows
      .filter(({ payoutPendingDays: days }) => days > 0)
      .reduce((all, { net }) => all + cents(net), 0)
  }
  client.sandbox.act({ type: 'limits.set', minute: 1_000_000, day: 1_000_000 })
  for (const status of ['done', 'loading'] as const)
    client.sandbox.act({ type: 'tip', account_id: account, amount: 50, on: 'profile', status })
  for (const step of ['1s', '6d', '23h', '2h']) {
    const { payoutPending } = await client.getData('payouts/balances')
    expect(await waiting()).toBe(cents(payoutPending))
    client.sandbox.clock.advance(step)
  }
})

it('is a stream for an unlocked stream, even after the stream is deleted', async () => {
  const client = await openClient('empty')
  const { make } = client.sandbox
  const fanId = make.fan().id
  const [stream, post] = [make.post({ price: 15, isStream: true }), make.post({ price: 9 })]
  const pay = (postId: number, category: 'tip' | 'unlock') =>
    make.transaction({ postId, fanId, category, amount: category === 'tip' ? 6 : 15 }).id
  const [tip, unlock] = [pay(stream.id, 'tip'), pay(stream.id, 'unlock')]
  const [tipOnPost, unlockOfPost] = [pay(post.id, 'tip'), pay(post.id, 'unlock')]
  const expectKinds = async () => {
    expect((await earningsOf(client, 'streams')).gross).toBe(21)
    expect((await earningsOf(client, 'posts')).gross).toBe(21)
    expect(await paymentsOf(client, 'type=tips&tips_source=stream')).toEqual([tip])
    expect(await paymentsOf(client, 'type=stream')).toEqual([unlock])
    expect(await paymentsOf(client, 'type=tips&tips_source=post_all')).toEqual([tipOnPost])
    expect(await paymentsOf(client, 'type=post')).toEqual([unlockOfPost])
  }
  await expectKinds()
  for (const { id } of [stream, post]) expect((await client.delete(`posts/${id}`)).status).toBe(200)
  await expectKinds()
})

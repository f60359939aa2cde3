import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { idsOf, readAllPages } from '../support/read-all-pages.ts'

const cents = (dollars: number | null) => Math.round((dollars ?? 0) * 100)
const always = 'start_date=2010-01-01&end_date=2100-01-01'
const section = (client: Client, account: number, by: string) =>
  client.getData(`/v1/${account}/earnings/overview?${always}&by=${by}`)
const ids = async (client: Client, account: number, query: string) =>
  (await readAllPages(client, `/v1/${account}/earnings?${always}&${query}`)).map(
    ({ id }) => id as unknown as string,
  )
const sum = (rows: readonly { amount: number | null; net: number }[], field: 'amount' | 'net') =>
  // Payments without an amount are not counted.
  rows.reduce((total, row) => total + (row.amount === null ? 0 : cents(row[field])), 0) / 100

/** Returns an account's payments for saved streams that have a time. */
const forStreams = ({ sandbox: { db } }: Client, account: number) =>
  db.transactions.where(
    ({ accountId, postId, transaction_created_at: time }) =>
      accountId === account &&
      time !== null &&
      postId !== null &&
      db.posts.get(postId)?.isStream === true,
  )
/** Returns the account with the most rows. */
const busiest = (client: Client, rows: (account: number) => readonly unknown[]) =>
  client.db.accounts
    .where({ connected: true, session: 'active' })
    .toSorted((a, b) => rows(b.id).length - rows(a.id).length)[0]!.id

describe('the purpose of a payment', () => {
  it('is a story for a tip on a story; its statistics, the list, the overview and the highlights agree', async () => {
    const client = await openClient('agency')
    const { db } = client
    const onStories = (account: number) =>
      db.transactions.where(({ accountId, storyId }) => accountId === account && storyId !== null)
    const account = busiest(client, onStories)
    const rows = onStories(account)
    expect(rows.length).toBeGreaterThan(0)
    expect((await ids(client, account, 'type=tips&tips_source=story')).toSorted()).toEqual(
      idsOf(rows).toSorted(),
    )
    expect((await section(client, account, 'story')).story.earnings).toMatchObject({
      total: sum(rows, 'net'),
      gross: sum(rows, 'amount'),
    })
    const stories = await readAllPages(client, `/v1/${account}/engagement/stories/tips?${always}`, {
      list: 'items',
    })
    for (const { id, tipsAmountRaw, tipsCount } of stories as unknown as {
      id: number
      tipsAmountRaw: number
      tipsCount: number
    }[]) {
      const own = rows.filter(({ storyId }) => storyId === id)
      expect([id, tipsAmountRaw, tipsCount]).toEqual([id, sum(own, 'amount'), own.length])
    }
    const { tips } = await client.getData(`/v1/${account}/highlights/story?${always}`)
    expect([tips.id, tips.stats.tipCount]).toEqual([
      stories[0]!.id,
      rows.filter(({ storyId }) => storyId === tips.id).length,
    ])
    for (const { postId, messageId } of rows) expect([postId, messageId]).toEqual([null, null])
  })

  it('no longer counts for a story after a refund', async () => {
    const client = await openClient('agency')
    const { db } = client
    const [row] = db.transactions.where(
      ({ storyId, status, amount }) => storyId !== null && status === 'done' && (amount ?? 0) > 0,
    )
    const { accountId: account, storyId, amount } = row!
    const before = db.stories.get(storyId!)!
    const { gross } = (await section(client, account, 'story')).story.earnings
    client.sandbox.act({
      type: 'transaction.reverse',
      account_id: account,
      transaction_id: row!.id,
      to: 'undo',
    })
    const shown = await readAllPages(client, `/v1/${account}/engagement/stories/tips?${always}`, {
      list: 'items',
    })
    expect(shown.find(({ id }) => (id as unknown) === storyId)).toMatchObject({
      tipsCount: before.tipsCount - 1,
      tipsAmountRaw: (cents(before.tipsSumm) - cents(amount)) / 100,
    })
    expect(cents((await section(client, account, 'story')).story.earnings.gross)).toBe(
      cents(gross) - cents(amount),
    )
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
})

it('is a stream for an unlocked stream, even after the stream is deleted', async () => {
  const client = await openClient('agency')
  const account = busiest(client, (id) =>
    forStreams(client, id).filter(({ category }) => category === 'tip'),
  )
  const paid = forStreams(client, account)
  const [tips, unlocks] = (['tip', 'unlock'] as const).map((kind) =>
    idsOf(paid.filter(({ category }) => category === kind)).toSorted(),
  )
  expect(tips!.length).toBeGreaterThan(0)
  const read = async () => ({
    streams: (await section(client, account, 'streams')).streams.earnings,
    posts: (await section(client, account, 'posts')).posts.earnings,
    tips: (await ids(client, account, 'type=tips&tips_source=stream')).toSorted(),
    unlocks: (await ids(client, account, 'type=stream')).toSorted(),
    onPosts: await ids(client, account, 'type=tips&tips_source=post_all'),
    ofPosts: await ids(client, account, 'type=post'),
  })
  const before = await read()
  expect([before.tips, before.unlocks]).toEqual([tips, unlocks])
  expect(before.streams.gross).toBe(
    sum(
      paid.filter(({ status }) => status !== 'undo'),
      'amount',
    ),
  )
  for (const postId of new Set(paid.map((row) => row.postId)))
    expect((await client.delete(`/v1/${account}/posts/${postId}`)).status).toBe(200)
  expect(await read()).toEqual(before)
})

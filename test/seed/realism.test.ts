import { expect, it } from 'vitest'
import { groupBy } from '../../src/lib/iterables.ts'
import { toPlainText } from '../../src/lib/text.ts'
import { createFreshSandbox } from '../support/client.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Accounts with fewer fans are too small for shares. */
const minFans = 160
/** The smallest large tip, dollars. */
const largeTip = 20

const sum = (amounts: readonly (number | null)[]) =>
  amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0)
const countEach = (texts: readonly string[]) => {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
const groupByChat = <Row extends { accountId: number; fanId: number }>(rows: readonly Row[]) =>
  groupBy(rows, ({ accountId, fanId }) => `${accountId} ${fanId}`)

const sandboxes = await Promise.all(
  [undefined, 11, 4242].map(async (seed) => {
    const options = seed === undefined ? {} : { seed }
    return [seed ?? 'default', await createFreshSandbox('agency', options)] as const
  }),
)
const largeAccounts = ({ db }: (typeof sandboxes)[number][1]) =>
  db.accounts
    .all()
    .filter(({ id }) => db.subscriptions.where({ accountId: id }).length > minFans)
    .filter(({ id }) => db.massMessages.where({ accountId: id }).length > 10)

it.each(sandboxes)('brings the income of agency from plausible sources, seed %s', (_, sandbox) => {
  const { db } = sandbox
  const accounts = largeAccounts(sandbox)
  expect(accounts).toHaveLength(3)
  for (const { id, username } of accounts) {
    const paid = db.transactions.where(
      ({ accountId, status }) => accountId === id && status !== 'undo',
    )
    const gross = sum(paid.map(({ amount }) => amount))
    const fromMessages = sum(
      paid.filter(({ category }) => category === 'message').map(({ amount }) => amount),
    )
    const totals = [...groupBy(paid, ({ fanId }) => fanId).values()]
      .map((rows) => sum(rows.map(({ amount }) => amount)))
      .toSorted((a, b) => b - a)
    const best = sum(totals.slice(0, Math.ceil(totals.length / 100)))
    expect.soft(fromMessages / gross, `${username}: share of messages`).toBeGreaterThan(0.25)
    expect.soft(fromMessages / gross, `${username}: share of messages`).toBeLessThan(0.6)
    expect.soft(best / gross, `${username}: share of the best fans`).toBeGreaterThan(0.15)
    expect.soft(best / gross, `${username}: share of the best fans`).toBeLessThan(0.35)
  }
  const refunds = db.transactions.where(({ reversal }) => reversal === 'refund').length
  expect.soft(refunds / db.transactions.size).toBeGreaterThan(0.01)
  expect.soft(refunds / db.transactions.size).toBeLessThan(0.02)
})

it.each(sandboxes)('writes many different messages in agency, seed %s', (_, { db }) => {
  const texts = db.messages
    .where(({ queueId, text }) => queueId === null && text !== '')
    .map(({ accountId, text }) => ({ accountId, text: toPlainText(text) }))
  expect.soft(new Set(texts.map(({ text }) => text)).size / texts.length).toBeGreaterThan(0.45)
  for (const [accountId, own] of groupBy(texts, (each) => each.accountId)) {
    const long = own.map(({ text }) => text).filter((text) => text.length > 40)
    const repeated = [...countEach(long)].filter(([, count]) => count > 12)
    expect.soft({ accountId, repeated }).toEqual({ accountId, repeated: [] })
  }
})

it.each(sandboxes)('answers within seconds to hours in agency, seed %s', (_, { db }) => {
  const delays: number[] = []
  for (const rows of groupBy(db.messages.all(), ({ chatId }) => chatId).values()) {
    const inOrder = rows.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
    for (const [place, { isFromFan, createdAt, queueId }] of inOrder.entries()) {
      const before = inOrder[place - 1]
      if (before === undefined || before.isFromFan === isFromFan) continue
      if (queueId === null && before.queueId === null)
        delays.push(Date.parse(createdAt) - Date.parse(before.createdAt))
    }
  }
  const share = (from: number, to: number) =>
    delays.filter((delay) => delay >= from && delay < to).length / delays.length
  expect.soft(share(0, 2000)).toBeLessThan(0.01)
  expect.soft(share(2000, 5 * minuteMs)).toBeGreaterThan(0.2)
  expect.soft(share(5 * minuteMs, 12 * hourMs)).toBeGreaterThan(0.2)
  expect.soft(share(12 * hourMs, Infinity)).toBeLessThan(0.3)
})

it.each(sandboxes)('thanks the fans of agency for large tips, seed %s', (_, { db, clock }) => {
  const chats = groupByChat(db.messages.where({ isFromFan: false, queueId: null }))
  const tips = db.transactions.where(
    ({ category, amount, status, transaction_created_at: at }) =>
      category === 'tip' &&
      (amount ?? 0) > largeTip &&
      status !== 'undo' &&
      at !== null &&
      Date.parse(at) < clock.now() - 36 * hourMs,
  )
  const thanked = tips.filter(({ accountId, fanId, transaction_created_at: at }) => {
    const since = Date.parse(at ?? '')
    return chats.get(`${accountId} ${fanId}`)?.some(({ createdAt }) => {
      const delay = Date.parse(createdAt) - since
      return delay >= 0 && delay < 36 * hourMs
    })
  })
  expect(tips.length).toBeGreaterThan(30)
  expect(thanked.length / tips.length).toBeGreaterThan(0.85)
})

it.each(sandboxes)('has no fan of agency who pays before joining, seed %s', (_, { db }) => {
  const joined = new Map(
    db.subscriptions
      .all()
      .map(({ accountId, fanId, subscribedAt }) => [`${accountId} ${fanId}`, subscribedAt]),
  )
  const early = db.transactions.where(
    ({ accountId, fanId, transaction_created_at: at }) =>
      at !== null && at < (joined.get(`${accountId} ${fanId}`) ?? '~'),
  )
  expect(early).toEqual([])
})

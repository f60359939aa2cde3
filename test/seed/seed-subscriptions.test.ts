import { expect, it } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import type { Sandbox } from '../../src/index.ts'
import { listPeriods } from '../../src/resources/subscribers/subscriptions.ts'
import { mergePartialRefunds } from '../support/payments.ts'

const names = ['agency', 'solo', 'boundaries', 'quarter-close', 'bad-day'] as const
const sandboxes = new Map<string, Sandbox>(
  await Promise.all(
    names.map(async (scenario) => {
      const sandbox = createSandbox({ scenario })
      await sandbox.ready
      return [scenario, sandbox] as const
    }),
  ),
)
const open = (name: string) => sandboxes.get(name)!

it.each(names)('has a payment for each paid period of %s at its time, and no others', (name) => {
  const { db } = open(name)
  // Legacy rows without a time, amount or category are excluded on both sides.
  const whole = mergePartialRefunds(db.transactions.all()).filter(
    (row) =>
      row.transaction_created_at !== null &&
      row.amount !== null &&
      (row.category === 'new_subscription' || row.category === 'recurring_subscription'),
  )
  const paid = new Map(
    whole.map((row) => [
      `${row.accountId} ${row.fanId} ${row.transaction_created_at}`,
      [row.category, row.amount],
    ]),
  )
  expect(paid.size).toBe(whole.length)
  const due = new Map<string, unknown>(
    db.subscriptions.all().flatMap((subscription) => {
      const { accountId, fanId } = subscription
      return listPeriods(subscription)
        .toReversed()
        .flatMap(({ paidAt, price }, place) =>
          price > 0
            ? [
                [
                  `${accountId} ${fanId} ${paidAt}`,
                  [place === 0 ? 'new_subscription' : 'recurring_subscription', price],
                ] as const,
              ]
            : [],
        )
    }),
  )
  for (const [key, payment] of paid) expect([key, due.get(key)]).toEqual([key, payment])
  const legacy = db.transactions.where(
    (row) => row.transaction_created_at === null || row.amount === null || row.category === null,
  ).length
  expect(due.size - paid.size).toBeLessThanOrEqual(legacy)
})

it.each(names)('has no fan of %s who was last seen before their latest activity', (name) => {
  const { db } = open(name)
  const acts = [
    ...db.subscriptions.all().map(({ fanId, subscribedAt }) => ({ fanId, at: subscribedAt })),
    ...db.transactions
      .where(({ category }) => category !== 'recurring_subscription')
      .map(({ fanId, transaction_created_at: at }) => ({ fanId, at: at ?? '' })),
    ...db.messages
      .where({ isFromFan: true })
      .map(({ fanId, createdAt }) => ({ fanId, at: createdAt })),
    ...db.comments
      .where(({ fanId, accountId }) => fanId !== accountId)
      .map(({ fanId, postedAt }) => ({ fanId, at: postedAt })),
  ]
  expect(acts.filter(({ fanId, at }) => at > (db.fans.get(fanId)?.lastSeen ?? ''))).toEqual([])
  expect(
    db.subscriptions.where(
      ({ fanId, lastActivity }) => lastActivity !== db.fans.get(fanId)?.lastSeen,
    ),
  ).toEqual([])
})

it.each(names)('seeds loading payments of %s for at most two days', (name) => {
  const { db, clock } = open(name)
  // The late payments of quarter-close are its story. They are written in its file.
  const isWritten = ({ id }: { id: string }) => /^7044\d{8}$/.test(id)
  const earliest = new Date(clock.now() - 2 * 86_400_000).toISOString()
  expect(
    db.transactions.where(
      (row) =>
        row.status === 'loading' &&
        !isWritten(row) &&
        row.transaction_created_at !== null &&
        row.transaction_created_at < earliest,
    ),
  ).toEqual([])
})

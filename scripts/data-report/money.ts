import type { Sandbox } from '../../src/index.ts'
import { computeSum } from './statistics.ts'
import type { Figures } from './measured.ts'

/** Minimum number of fans for a meaningful distribution. */
const leastFans = 100

/** Measures the spending of fans and the payments over time for each account. */
export function measureMoney({ db }: Sandbox): { who: string; figures: Figures }[] {
  return db.accounts.all().flatMap(({ id, username, subscribePrice }) => {
    const payments = db.transactions.where({ accountId: id })
    const subscriptions = db.subscriptions.where({ accountId: id })
    if (payments.length === 0) return []
    const small = { ...measureRenewals(subscriptions, subscribePrice) }
    return [
      {
        who: username,
        figures:
          subscriptions.length < leastFans
            ? small
            : {
                ...small,
                ...measureSpending(db, id, subscriptions.length),
                ...measurePaymentHabits(payments),
                ...measurePostTips(db, id),
              },
      },
    ]
  })
}

type Db = Sandbox['db']
type Payments = ReturnType<Db['transactions']['all']>
type Subscriptions = ReturnType<Db['subscriptions']['all']>

function measureRenewals(subscriptions: Subscriptions, price: number): Figures {
  let [free, exact] = [0, 0]
  for (const { spans } of subscriptions)
    for (const [place, span] of spans.entries()) {
      if (place === 0) continue
      const isRenewal = spans[place - 1]?.until === span.from
      if (isRenewal && price > 0 && span.price === 0) free += 1
      if (isRenewal && (span.paidAt ?? span.from) === span.from) exact += 1
    }
  return {
    'renewals: free ones of a paid account': free,
    'renewals: exactly at expiry': exact,
  }
}

function measureSpending(db: Db, accountId: number, fans: number): Figures {
  const totals = db.fanSpend
    .where({ accountId })
    .map(({ total }) => total)
    .filter((total) => total > 0)
    .toSorted((a, b) => b - a)
  const all = computeSum(totals)
  const best = (share: number) =>
    computeSum(totals.slice(0, Math.ceil(totals.length * share))) / all
  const rising = totals.toReversed()
  const weighted = computeSum(rising.map((total, place) => (place + 1) * total))
  const count = totals.length
  return {
    'spenders: share of the top 1 %': best(0.01),
    'spenders: share of the top 5 %': best(0.05),
    'spenders: Gini coefficient': (2 * weighted) / (count * all) - (count + 1) / count,
    'spenders: fans who buy more than the subscription':
      db.fanSpend.where((row) => row.accountId === accountId && row.total > row.subscribes).length /
      fans,
  }
}

function measurePaymentHabits(payments: Payments): Figures {
  const days = { weekend: 0, other: 0 }
  for (const { transaction_created_at: at } of payments) {
    if (at === null) continue
    const day = new Date(at).getUTCDay()
    if (day === 0 || day === 6) days.weekend += 1
    else days.other += 1
  }
  return {
    'refunds: share of payments':
      payments.filter(({ status }) => status === 'undo').length / payments.length,
    'weekdays: weekend against other days': days.weekend / 2 / (days.other / 5),
  }
}

function measurePostTips(db: Db, accountId: number): Figures {
  const posts = db.posts.where({ accountId, status: 'published' })
  const tipped = posts.filter(({ tipCount }) => tipCount > 0)
  return {
    'posts: share with tips': tipped.length / posts.length,
    'tips: on posts and in streams': computeSum(tipped.map(({ tipCount }) => tipCount)),
  }
}

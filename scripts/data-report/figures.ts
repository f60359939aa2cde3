import type { Sandbox } from '../../src/index.ts'

type Db = Sandbox['db']
type Transactions = ReturnType<Db['transactions']['all']>
type Subscriptions = ReturnType<Db['subscriptions']['all']>

const dayMs = 86_400_000
const monthMs = 30 * dayMs

/** Types of payments that make up an account's income. */
export const sources = ['subscriptions', 'tips', 'messages', 'unlocks', 'others'] as const
export type Source = (typeof sources)[number]

const sourceOf: Record<string, Source> = {
  new_subscription: 'subscriptions',
  recurring_subscription: 'subscriptions',
  tip: 'tips',
  message: 'messages',
  unlock: 'unlocks',
}

/**
 * A day with much more income than the surrounding days, and the post or paid message that explains
 * the increase.
 */
export interface Spike {
  /** `YYYY-MM-DD` */
  day: string
  /** Income of the day, divided by the median daily income in the surrounding month. */
  times: number
  cause: string | undefined
}

/** A mass message that was sent. Each share is a fraction of the recipients. */
export interface SentFigures {
  /** Epoch ms. */
  at: number
  recipients: number
  seen: number
  /** Undefined for a free message. */
  bought: number | undefined
}

/**
 * Audience and income statistics of an account. Shares range from 0 to 1, and amounts are in
 * dollars.
 */
export interface AccountFigures {
  id: number
  username: string
  joinDate: string
  /** Number of days since the account joined. */
  days: number
  fans: number
  active: number
  /**
   * Share of fans who are still subscribed, by number of months since they joined. Includes only
   * fans who joined early enough.
   */
  survival: readonly number[]
  /**
   * Share of fans who are still subscribed, by the half-year in which they joined, oldest first.
   */
  cohorts: readonly { from: string; fans: number; active: number }[]
  /** Average share of subscribers that are lost per month. */
  churn: number
  /** Number of fans who left and came back. */
  returned: number
  /** Number of subscribers at the end of each week, oldest first. */
  subscribers: readonly number[]
  gross: number
  mix: Record<Source, number>
  /** Gross income by weekday, starting with Sunday. */
  weekdays: readonly number[]
  /** Gross income by week, oldest first. */
  weeks: readonly number[]
  /** Views of each week's posts, oldest first. */
  views: readonly number[]
  /**
   * Ratio of the average daily income on the first three days of a month to the average from the
   * 20th to the 27th.
   */
  payday: number
  spikes: readonly Spike[]
  tips: { values: number; least: number; most: number; odd: number }
  /**
   * Number of posts that have more views than possible viewers (visitors, and fans who were
   * subscribed after publication).
   */
  postsWithTooManyViews: readonly number[]
  undone: { refunds: number; chargebacks: number }
  /** Age of the oldest pending payment or pending refund, days. */
  oldestPending: number
  massMessages: readonly SentFigures[]
  /** Rank correlation between the spending and the id of a fan, from -1 to 1. */
  spendById: number
}

/** Statistics of all accounts and fans in a sandbox. */
export interface Figures {
  accounts: readonly AccountFigures[]
  /** Number of fans who subscribe to one account, to two accounts, and so on. */
  accountsOfFans: readonly number[]
  /** VAT rates that occur in the payments, percent. */
  vatRates: readonly number[]
  /** Number of fans whose payments use more than one VAT rate. */
  fansOfSeveralRates: number
}

/** Measures the seeded data of a sandbox. */
export function measureSandbox({ db, clock }: Sandbox): Figures {
  const now = clock.now()
  const accounts = db.accounts.all()
  const rates = listVatRatesByFan(db.transactions.all())
  const byFan = new Map<number, number>()
  for (const { fanId } of db.subscriptions.all()) byFan.set(fanId, (byFan.get(fanId) ?? 0) + 1)
  const accountsOfFans: number[] = []
  for (const count of byFan.values())
    accountsOfFans[count - 1] = (accountsOfFans[count - 1] ?? 0) + 1
  return {
    accounts: accounts.map(({ id }) => measureAccount(db, id, now)),
    accountsOfFans: Array.from(accountsOfFans, (count) => count ?? 0),
    vatRates: [...new Set([...rates.values()].flatMap((each) => [...each]))].toSorted(
      (a, b) => a - b,
    ),
    fansOfSeveralRates: [...rates.values()].filter(({ size }) => size > 1).length,
  }
}

function measureAccount(db: Db, id: number, now: number): AccountFigures {
  const account = db.accounts.get(id)
  const subscriptions = db.subscriptions.where({ accountId: id })
  const payments = db.transactions.where({ accountId: id })
  const earned = payments.filter(({ status }) => status !== 'undo')
  const timed = earned.flatMap(({ transaction_created_at: at, amount }) =>
    at === null ? [] : [{ at: Date.parse(at), amount: amount ?? 0 }],
  )
  const first = now - 728 * dayMs
  const weekOf = (at: number) => Math.floor((at - first) / (7 * dayMs))
  const byWeek = (rows: readonly { at: number; amount: number }[]) => {
    const weeks = Array.from({ length: 104 }, () => 0)
    for (const { at, amount } of rows)
      if (weekOf(at) >= 0 && weekOf(at) < 104) weeks[weekOf(at)] = (weeks[weekOf(at)] ?? 0) + amount
    return weeks
  }
  const weekdays = Array.from({ length: 7 }, () => 0)
  for (const { at, amount } of timed)
    weekdays[new Date(at).getUTCDay()] = (weekdays[new Date(at).getUTCDay()] ?? 0) + amount
  const posts = db.posts.where({ accountId: id, status: 'published' })
  const tips = earned
    .filter(({ category }) => category === 'tip')
    .flatMap(({ amount }) => amount ?? [])
  const gross = sum(earned.map(({ amount }) => amount ?? 0))
  const pending = payments.filter(
    ({ status }) => status === 'loading' || status === 'pending_return',
  )
  return {
    id,
    username: account?.username ?? '',
    joinDate: account?.joinDate ?? '',
    days: (now - Date.parse(account?.joinDate ?? '')) / dayMs,
    fans: subscriptions.length,
    active: subscriptions.filter((row) => !row.isExpired).length,
    survival: computeSurvival(subscriptions, now),
    cohorts: computeCohorts(subscriptions, now),
    churn: computeChurn(subscriptions, now),
    returned: subscriptions.filter(({ spans }) => countBreaks(spans) > 0).length,
    subscribers: Array.from({ length: 104 }, (_, week) =>
      countActiveAt(subscriptions, first + (week + 1) * 7 * dayMs - 1),
    ),
    gross,
    mix: computeRevenueMix(earned, gross),
    weekdays,
    weeks: byWeek(timed),
    views: byWeek(
      posts.map(({ postedAt, lookCount }) => ({ at: Date.parse(postedAt), amount: lookCount })),
    ),
    payday: computePaydayFactor(timed),
    spikes: findSpikes(db, id, timed),
    tips: {
      values: new Set(tips).size,
      least: Math.min(...tips),
      most: Math.max(...tips),
      odd: tips.filter((amount) => amount % 5 !== 0).length / tips.length,
    },
    postsWithTooManyViews: posts
      .filter(
        (post) =>
          post.uniqueLookCount >
          countPossibleViewers(subscriptions, Date.parse(post.postedAt)) +
            findMaxVisitorsAround(db, id, post.postedAt),
      )
      .map((post) => post.id),
    undone: {
      refunds: payments.filter((row) => row.reversal === 'refund').length,
      chargebacks: payments.filter((row) => row.reversal === 'chargeback').length,
    },
    oldestPending: Math.max(
      0,
      ...pending.map((row) => (now - Date.parse(row.transaction_created_at ?? '')) / dayMs),
    ),
    massMessages: measureSentMessages(db, id),
    spendById: computeRankCorrelationOfPairs(
      db.fanSpend.where({ accountId: id }).map(({ fanId, total }) => [fanId, total]),
    ),
  }
}

function computeRevenueMix(rows: Transactions, gross: number): Record<Source, number> {
  const mix = { subscriptions: 0, tips: 0, messages: 0, unlocks: 0, others: 0 }
  for (const { category, amount } of rows)
    mix[sourceOf[category ?? ''] ?? 'others'] += (amount ?? 0) / gross
  return mix
}

const isActiveAt = ({ spans }: Subscriptions[number], at: number) =>
  spans.some(({ from, until }) => Date.parse(from) <= at && at < Date.parse(until))

function countActiveAt(subscriptions: Subscriptions, at: number): number {
  return subscriptions.filter((row) => isActiveAt(row, at)).length
}

function computeSurvival(subscriptions: Subscriptions, now: number): number[] {
  return Array.from({ length: 13 }, (_, month) => {
    const old = subscriptions.filter(
      ({ subscribedAt }) => Date.parse(subscribedAt) + month * monthMs + dayMs <= now,
    )
    return (
      old.filter((row) =>
        isActiveAt(row, Date.parse(row.subscribedAt) + month * monthMs + dayMs / 2),
      ).length / old.length
    )
  })
}

function computeCohorts(subscriptions: Subscriptions, now: number) {
  return [4, 3, 2, 1].map((back) => {
    const from = now - back * 6 * monthMs
    const rows = subscriptions.filter(({ subscribedAt }) => {
      const at = Date.parse(subscribedAt)
      return at >= from && at < from + 6 * monthMs
    })
    return {
      from: new Date(from).toISOString().slice(0, 10),
      fans: rows.length,
      active: rows.filter((row) => !row.isExpired).length / rows.length,
    }
  })
}

/**
 * Returns, for each month of the last year, the share of subscribers at the start of the month who
 * were lost.
 */
function computeChurn(subscriptions: Subscriptions, now: number): number {
  let [lost, had] = [0, 0]
  for (let month = 12; month >= 1; month -= 1) {
    const start = now - month * monthMs
    const here = subscriptions.filter((row) => isActiveAt(row, start))
    had += here.length
    lost += here.filter((row) => !isActiveAt(row, start + monthMs - 1)).length
  }
  return lost / had
}

/** Returns the number of gaps between the subscription periods. */
function countBreaks(spans: Subscriptions[number]['spans']): number {
  return spans.filter(({ from }, place) => place > 0 && from > (spans[place - 1]?.until ?? ''))
    .length
}

function computePaydayFactor(rows: readonly { at: number; amount: number }[]): number {
  const dayOf = ({ at }: { at: number }) => new Date(at).getUTCDate()
  const mean = (first: number, last: number) =>
    sum(
      rows.filter((row) => dayOf(row) >= first && dayOf(row) <= last).map(({ amount }) => amount),
    ) /
    (last - first + 1)
  return mean(1, 3) / mean(20, 27)
}

/**
 * When searching for days with unusual income, larger payments count as this amount, dollars. A
 * single large tip is then not a spike.
 */
const maxPerPayment = 40

/** Returns the six days with the highest income relative to the surrounding two weeks. */
function findSpikes(
  db: Db,
  accountId: number,
  rows: readonly { at: number; amount: number }[],
): Spike[] {
  const days = new Map<number, number>()
  for (const { at, amount } of rows)
    days.set(
      Math.floor(at / dayMs),
      (days.get(Math.floor(at / dayMs)) ?? 0) + Math.min(maxPerPayment, amount),
    )
  const last = Math.max(...days.keys())
  /**
   * Returns the average income on the other days of the surrounding four weeks. Near the end of the
   * data, more of the earlier days are included.
   */
  const around = (day: number) => {
    const first = Math.min(day - 14, last - 28)
    const near = Array.from({ length: 29 }, (_, place) =>
      first + place === day ? 0 : (days.get(first + place) ?? 0),
    )
    return near.reduce((sum, dollars) => sum + dollars, 0) / (near.length - 1)
  }
  return [...days]
    .map(([day, dollars]) => ({ day, dollars, times: dollars / Math.max(1, around(day)) }))
    .toSorted((a, b) => b.dollars - a.dollars)
    .slice(0, 6)
    .map(({ day, times }) => ({
      day: new Date(day * dayMs).toISOString().slice(0, 10),
      times,
      cause: findSpikeCause(db, accountId, day),
    }))
}

/**
 * Returns the probable cause of a spike on the day or in the two days before: a post with many
 * views, a stream, or a paid message.
 */
function findSpikeCause(db: Db, accountId: number, day: number): string | undefined {
  const isNear = (at: string) =>
    Math.floor(Date.parse(at) / dayMs) <= day && Math.floor(Date.parse(at) / dayMs) >= day - 2
  const posts = db.posts.where({ accountId, status: 'published' })
  const usual =
    posts.map(({ uniqueLookCount }) => uniqueLookCount).toSorted((a, b) => a - b)[
      Math.floor(posts.length * 0.9)
    ] ?? 0
  const near = posts.filter(({ postedAt }) => isNear(postedAt))
  if (near.some(({ isStream }) => isStream)) return 'a stream'
  if (near.some(({ uniqueLookCount }) => uniqueLookCount > usual)) return 'a viral post'
  if (
    db.massMessages.find(
      (item) => item.accountId === accountId && item.sentAt !== null && isNear(item.sentAt),
    ) !== undefined
  )
    return 'a mass message'
  return undefined
}

/**
 * Counts the fans who could see a post because they were subscribed at some time after its
 * publication.
 */
function countPossibleViewers(subscriptions: Subscriptions, postedAt: number): number {
  return subscriptions.filter(({ spans }) =>
    spans.some(({ until }) => Date.parse(until) >= postedAt),
  ).length
}

/**
 * Returns the maximum plausible number of profile visitors in the three days after a post, based on
 * the number of fans.
 */
function findMaxVisitorsAround(db: Db, accountId: number, postedAt: string): number {
  return (
    3 *
    (6 +
      db.subscriptions.where((row) => row.accountId === accountId && row.subscribedAt <= postedAt)
        .length)
  )
}

function measureSentMessages(db: Db, accountId: number): SentFigures[] {
  return db.massMessages
    .where((item) => item.accountId === accountId && item.sentAt !== null)
    .map(({ id, sentAt, sentCount, price }) => {
      const copies = db.messages.where({ queueId: id })
      return {
        at: Date.parse(sentAt ?? ''),
        recipients: sentCount,
        seen: copies.filter(({ isViewed }) => isViewed).length / sentCount,
        bought:
          price > 0
            ? copies.filter(({ purchasedAt }) => purchasedAt !== null).length / sentCount
            : undefined,
      }
    })
    .toSorted((a, b) => a.at - b.at)
}

/**
 * Returns the VAT rates of each fan's payments, percent. Small payments are skipped, because their
 * rate cannot be computed from rounded amounts.
 */
function listVatRatesByFan(rows: Transactions): Map<number, Set<number>> {
  const rates = new Map<number, Set<number>>()
  for (const { fanId, amount, vat_amount: vat } of rows) {
    if (amount === null || vat === null || amount < 3) continue
    const known = rates.get(fanId) ?? new Set()
    rates.set(fanId, known.add(Math.round((vat / (amount - vat)) * 100)))
  }
  return rates
}

/** Returns the rank correlation of pairs. */
function computeRankCorrelationOfPairs(pairs: readonly (readonly [number, number])[]): number {
  const ranks = (values: readonly number[]) => {
    const order = values
      .map((_, place) => place)
      .toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
    const rank: number[] = []
    order.forEach((place, index) => (rank[place] = index))
    return rank
  }
  const [a, b] = [ranks(pairs.map(([x]) => x)), ranks(pairs.map(([, y]) => y))]
  const mean = (pairs.length - 1) / 2
  const covariance = sum(a.map((rank, place) => (rank - mean) * ((b[place] ?? 0) - mean)))
  return covariance / sum(a.map((rank) => (rank - mean) ** 2))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

import { z } from 'zod'
import { TransactionCategory, TransactionStatus } from '../schemas/fans.ts'
import { dayMs, fromIso } from '../schemas/time.ts'
import { earningKey, earningKind } from './earning-kinds.ts'
import { mergeSorted } from './sorted-list.ts'
import { ascending, defineTable, descending, orderBy } from './table.ts'
import type { TableWatcher } from './table.ts'
import { readEnds } from './window.ts'
import type { World } from './world.ts'

/** One purchase of one fan on one account, amounts in dollars. Legacy rows lack some of the fields. */
export const Transaction = z.object({
  id: z.string(),
  accountId: z.int(),
  fanId: z.int(),
  transaction_created_at: z.iso.datetime().nullable(),
  amount: z.number().nullable(),
  fee: z.number().nullable(),
  vat_amount: z.number().nullable(),
  net: z.number(),
  currency: z.string().nullable(),
  category: TransactionCategory.nullable(),
  status: TransactionStatus,
  /** The post tipped or unlocked, if any. */
  postId: z.int().nullable(),
  /** Whether that post was a saved live stream when it was paid for. */
  isOnStream: z.boolean(),
  /** The message tipped or unlocked, if any. */
  messageId: z.int().nullable(),
  /** The story tipped, if any. */
  storyId: z.int().nullable(),
})
export type Transaction = Readonly<z.infer<typeof Transaction>>

/** What one fan spent on one account, refunds left out: kept up to date with every transaction. Amounts in dollars. */
export const FanSpend = z.object({
  id: z.string(),
  accountId: z.int(),
  fanId: z.int(),
  total: z.number(),
  tips: z.number(),
  /** First and further months. */
  subscribes: z.number(),
  messages: z.number(),
  /** Unlocked posts. */
  posts: z.number(),
  count: z.int(),
  largest: z.number(),
  first: z.string().nullable(),
  last: z.string().nullable(),
  /** `total` by `count`, to the cent. */
  average: z.number(),
  /** Days from the first purchase to the last, begun days counted whole. */
  daysActive: z.int(),
  /** `total` by the weeks of `daysActive`, to the cent; 0 within the first week. */
  averageWeekly: z.number(),
})
export type FanSpend = Readonly<z.infer<typeof FanSpend>>

/** The part of a fan's spend that a category adds to, besides the total. */
export const spendParts = {
  tip: 'tips',
  new_subscription: 'subscribes',
  recurring_subscription: 'subscribes',
  message: 'messages',
  unlock: 'posts',
  unknown: undefined,
} as const satisfies Record<NonNullable<Transaction['category']>, string | undefined>

/** The group of one fan on one account, in every index that has such groups. */
export function fanKey(accountId: number, fanId: number): string {
  return `${accountId}:${fanId}`
}

/** Newest first, rows without a time last, then by id. */
export const newestFirst = orderBy<Transaction>(
  descending((row) => row.transaction_created_at ?? ''),
  ascending((row) => row.id),
)

export const transactions = defineTable({
  schema: Transaction,
  indexes: {
    byFan: { group: (row) => fanKey(row.accountId, row.fanId), order: newestFirst },
    byAccount: { group: (row) => row.accountId, order: newestFirst },
    byPost: { group: (row) => row.postId, order: newestFirst },
    byMessage: { group: (row) => row.messageId, order: newestFirst },
    byStory: { group: (row) => row.storyId, order: newestFirst },
    /** By what the account earned with it. */
    byEarning: { group: (row) => earningKey(row.accountId, earningKind(row)), order: newestFirst },
  },
})

const highestFirst = (measure: (row: FanSpend) => number | string) => ({
  group: (row: FanSpend) => row.accountId,
  order: orderBy<FanSpend>(
    descending(measure),
    ascending((row) => row.fanId),
  ),
})

export const fanSpend = defineTable({
  schema: FanSpend,
  indexes: {
    total: highestFirst((row) => row.total),
    count: highestFirst((row) => row.count),
    average: highestFirst((row) => row.average),
    averageWeekly: highestFirst((row) => row.averageWeekly),
    daysActive: highestFirst((row) => row.daysActive),
    last: highestFirst((row) => row.last ?? ''),
  },
})

/** Which of a fan's transactions are wanted; an absent or empty field wants all. Times are epoch ms, both ends inclusive. */
export interface TransactionFilter {
  categories?: readonly string[]
  statuses?: readonly string[]
  from?: number
  to?: number
}

/** Reads the filter of a request. @throws {ApiError} window_reversed */
export function readTransactionFilter({ categories: wanted, statuses: states, ...window }: { categories: readonly string[]; statuses: readonly string[]; from?: string; to?: string }, now: number): TransactionFilter {
  const { start: from, end: to } = readEnds({ from: window.from, to: window.to }, now)
  return { categories: wanted, statuses: states, from, to }
}

/** How many of a fan's transactions pass the filter, in all and by category and status; those without a category are unknown. */
export function countTransactions(world: World, fanId: number, accountIds: readonly number[], filter: TransactionFilter) {
  const counts = { all: 0, categories: new Map<string, number>(), statuses: new Map<string, number>() }
  for (const { category, status } of fanTransactions(world, fanId, accountIds, filter)) {
    counts.all += 1
    counts.categories.set(category ?? 'unknown', (counts.categories.get(category ?? 'unknown') ?? 0) + 1)
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1)
  }
  return counts
}

/** A fan's transactions on these accounts that pass the filter, newest first, one after the other. */
export function* fanTransactions(world: World, fanId: number, accountIds: readonly number[], filter: TransactionFilter): Generator<Transaction> {
  const matches = toPredicate(filter)
  const isBounded = filter.from !== undefined || filter.to !== undefined
  const to = filter.to === undefined ? undefined : new Date(filter.to).toISOString()
  const from = filter.from === undefined ? '' : new Date(filter.from).toISOString()
  const walks = accountIds.map((accountId) => {
    const list = world.db.transactions.in('byFan', fanKey(accountId, fanId))
    return list.walk(to === undefined ? 0 : list.rank((row) => (row.transaction_created_at ?? '') <= to))
  })
  for (const row of mergeSorted(walks, newestFirst)) {
    const time = row.transaction_created_at
    if (isBounded && (time === null || time < from)) return
    if (matches(row)) yield row
  }
}

/** What the fan spent on the account; undefined when there is no purchase. */
export function spendOf(world: World, accountId: number, fanId: number): FanSpend | undefined {
  return world.db.fanSpend.get(fanKey(accountId, fanId))
}

/** Keeps the table fanSpend in agreement with the transactions. */
export function watchFanSpend(world: World): TableWatcher<Transaction> {
  const { db } = world
  db.fanSpend.derive(() => sumUpFans(db.transactions.all()))
  return {
    keeps: db.fanSpend,
    change(before, after) {
      const row = after ?? before
      if (row === undefined) return
      const spend = sumUp(db.transactions.in('byFan', fanKey(row.accountId, row.fanId)).walk())
      db.fanSpend.remove(fanKey(row.accountId, row.fanId))
      if (spend !== undefined) db.fanSpend.insert(spend)
      if (before === undefined || after === undefined || fanKey(before.accountId, before.fanId) === fanKey(after.accountId, after.fanId)) return
      this.change(before, undefined)
    },
  }
}

function sumUpFans(rows: readonly Transaction[]): FanSpend[] {
  const byFan = new Map<string, Transaction[]>()
  for (const row of rows) {
    const key = fanKey(row.accountId, row.fanId)
    const group = byFan.get(key)
    if (group === undefined) byFan.set(key, [row])
    else group.push(row)
  }
  return [...byFan.values()].flatMap((group) => sumUp(group) ?? [])
}

/** Dollars of whole cents: what sums of amounts are rounded to. */
export function toCents(dollars: number): number {
  return Math.round(dollars * 100)
}

function sumUp(rows: Iterable<Transaction>): FanSpend | undefined {
  let cents = 0
  const parts = { tips: 0, subscribes: 0, messages: 0, posts: 0 }
  let count = 0
  let largest = 0
  let first: string | null = null
  let last: string | null = null
  let any: Transaction | undefined
  for (const row of rows) {
    if (row.status === 'undo') continue
    any ??= row
    count += 1
    const amount = row.amount ?? 0
    cents += toCents(amount)
    const part = row.category === null ? undefined : spendParts[row.category]
    if (part !== undefined) parts[part] += toCents(amount)
    if (amount > largest) largest = amount
    const time = row.transaction_created_at
    if (time === null) continue
    if (first === null || time < first) first = time
    if (last === null || time > last) last = time
  }
  if (any === undefined) return undefined
  const { accountId, fanId } = any
  const daysActive = first === null || last === null ? 0 : Math.ceil((fromIso(last) - fromIso(first)) / dayMs)
  return {
    id: fanKey(accountId, fanId),
    accountId,
    fanId,
    total: cents / 100,
    tips: parts.tips / 100,
    subscribes: parts.subscribes / 100,
    messages: parts.messages / 100,
    posts: parts.posts / 100,
    count,
    largest,
    first,
    last,
    average: Math.round(cents / count) / 100,
    daysActive,
    averageWeekly: daysActive <= 7 ? 0 : Math.round((cents * 7) / daysActive) / 100,
  }
}

function toPredicate({ categories: wanted = [], statuses: states = [] }: TransactionFilter): (row: Transaction) => boolean {
  return (row) =>
    (wanted.length === 0 || wanted.includes(row.category ?? 'unknown')) && (states.length === 0 || states.includes(row.status))
}

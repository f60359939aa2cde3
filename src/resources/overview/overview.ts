import { getBucketStart, chooseBucketWidth, findRowsInSpan } from '../../api/lists/day-counts.ts'
import { findPartitionPoint } from '../../lib/iterables.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { parseIso, toPlatformTime } from '../../lib/time.ts'
import type { PlatformTime } from '../../lib/time.ts'
import { getPrecedingWindow, computePercentChange } from '../../api/lists/windows.ts'
import type { Span } from '../../api/lists/windows.ts'
import type { World } from '../world.ts'
import type { EarningKind } from '../earnings/earnings.table.ts'
import { toAmountChart, sumEarnings } from '../earnings/earnings.ts'
import type { EarningSums } from '../earnings/running-sums.ts'
import { listClaimPayments } from '../links/link-totals.ts'
import { countMassMessageViews } from '../mass-messages/mass-messages.ts'
import type { Post } from '../posts/posts.table.ts'
import { countPublishedPosts } from '../posts/statistics/counters.ts'
import type { PublishedPosts } from '../posts/statistics/counters.ts'
import { toSparseVisitorChart } from '../reach/reach.ts'
import { getCachedVisits } from '../reach/visit-sums.ts'
import { countSubscriptionEvents } from '../subscribers/events.ts'
import { toCentAmounts } from '../payments/transactions.table.ts'

/** A value and its change in percent since the previous window. */
interface FigureWithChange {
  total: number
  delta: number
}

/**
 * Adds up the account's earnings of these kinds, by default of all kinds (dollars). Compares the
 * net amount with the previous window.
 */
export function summariseEarnings(
  world: World,
  { id }: Account,
  { categories, ...window }: Span & { categories?: readonly EarningKind[] | undefined },
) {
  return toEarned(window, (span) => sumEarnings(world, id, { ...span, categories }))
}

/**
 * Counts the posts published in the window, excluding streams, and all views of these posts. Adds
 * up the earnings from unlocked posts and from tips on posts in the window.
 */
export function summarisePosts(world: World, account: Account, { start, end }: Span) {
  const counted = world.cached(countPosts, account, { start, end })
  return addEarnings(world, account, { counted, start, end, categories: ofPosts })
}

const ofPosts = ['unlock_post', 'tip_post'] as const

function countPosts(world: World, { id }: Account, window: Span): Overview {
  return summariseCreatedItems(window, (span) => countPublishedPosts(world, id, span))
}

/**
 * Returns the statistics of saved streams in the same format as for posts. `count` is the total
 * length of the streams in minutes, rounded up.
 */
export function summariseStreams(world: World, account: Account, { start, end }: Span) {
  const counted = world.cached(countStreams, account, { start, end })
  return addEarnings(world, account, { counted, start, end, categories: ofStreams })
}

const ofStreams = ['unlock_stream', 'tip_stream'] as const

function countStreams(world: World, { id }: Account, window: Span) {
  const inSpan = (span: Span) =>
    findRowsInSpan(world.db.posts.in('streams', id), span, (post) => post.postedAt)
  const overview = summariseCreatedItems(window, (span) =>
    inSpan(span).map((post) => ({ count: 1, views: post.lookCount })),
  )
  const minutes = compare(window, (span) =>
    Math.ceil(
      inSpan(span).reduce((seconds, post) => seconds + sumMediaSeconds(world, post), 0) / 60,
    ),
  )
  return { ...overview, count: { total: `${minutes.total}m`, delta: minutes.delta } }
}

/**
 * Counts the mass messages sent in the window and the fans who opened them. Adds up the earnings
 * from messages and from tips in chats in the window.
 */
export function summariseMessages(world: World, account: Account, { start, end }: Span) {
  const counted = world.cached(countMessages, account, { start, end })
  return addEarnings(world, account, { counted, start, end, categories: ofMessages })
}

const ofMessages = ['message', 'tip_chat'] as const

function countMessages(world: World, { id }: Account, window: Span): Overview {
  const list = world.db.massMessages.in('sent', id)
  const itemsIn = (span: Span) =>
    findRowsInSpan(list, span, (item) => item.sentAt ?? '').map((item) => ({
      count: 1,
      views: countMassMessageViews(world, item),
    }))
  return summariseCreatedItems(window, itemsIn)
}

/**
 * Counts the stories of the window and their viewers. Adds up the earnings from tips on stories in
 * the window.
 */
export function summariseStories(world: World, account: Account, { start, end }: Span) {
  const counted = world.cached(countStories, account, { start, end })
  return addEarnings(world, account, { counted, start, end, categories: ofStories })
}

const ofStories = ['tip_story'] as const

function countStories(world: World, { id }: Account, window: Span): Overview {
  const list = world.db.stories.in('byAccount', id)
  const itemsIn = (span: Span) =>
    findRowsInSpan(list, span, (story) => story.createdAt).map((story) => ({
      count: 1,
      views: story.viewersCount,
    }))
  return summariseCreatedItems(window, itemsIn)
}

/**
 * Counts the tracking links created in the window and all clicks on them. Adds up payments in the
 * window by fans who joined through any tracking link.
 */
export function summarisePromotions(world: World, account: Account, window: Span) {
  const list = world.db.trackingLinks.in('byAccount', account.id)
  const overview = summariseCreatedItems(window, (span) =>
    findRowsInSpan(list, span, (link) => link.createdAt).map((link) => ({
      count: 1,
      views: link.countTransitions,
    })),
  )
  const payments = world.cached(listClaimerPayments, account)
  const sumOf = (from: number, to: number) => {
    const [before, last] = [payments[from - 1], payments[Math.max(from, to) - 1]]
    return {
      gross: (last?.grossSoFar ?? 0) - (before?.grossSoFar ?? 0),
      net: (last?.netSoFar ?? 0) - (before?.netSoFar ?? 0),
    }
  }
  const earnings = toEarned(window, (span) => sumOf(...findPaymentRange(payments, span)))
  const width = chooseBucketWidth(window)
  const chartData: { date: PlatformTime; count: number }[] = []
  const [first, end] = findPaymentRange(payments, window)
  for (let index = first; index < end;) {
    const date = getBucketStart(payments[index]?.at ?? 0, width)
    const next = Math.min(
      end,
      findPartitionPoint(payments, ({ at }) => getBucketStart(at, width) > date),
    )
    chartData.push({ date: toPlatformTime(date), count: sumOf(index, next).net / 100 })
    index = next
  }
  const hasStatistic = overview.hasStatistic || chartData.length > 0
  return { ...overview, hasStatistic, earnings, chartData }
}

/** Counts the profile visitors, new subscribers and renewals of the window. */
export function summariseVisitors(world: World, account: Account, window: Span) {
  const visitors = compare(window, (span) => getCachedVisits(world, account, span).total)
  const count = (kind: 'new' | 'renewal') =>
    compare(window, (span) => countSubscriptionEvents(world, account.id, { ...span, kind }))
  const added = count('new')
  const renewed = count('renewal')
  return {
    hasStatistic: visitors.total + added.total + renewed.total > 0,
    count: visitors,
    visitors,
    subscriptions: { new: added, renew: renewed },
    chartData: world.json(toSparseVisitorChart, account, window),
  }
}

/** Compares a value with the value for the previous window of the same length. */
function compare(window: Span, measure: (span: Span) => number): FigureWithChange {
  const total = measure(window)
  return { total, delta: computePercentChange(total, measure(getPrecedingWindow(window))) }
}

/**
 * A payment by a fan who joined through a tracking link, with running totals. Amounts are in cents,
 * and times in epoch ms.
 */
interface ClaimerPayment {
  at: number
  grossSoFar: number
  netSoFar: number
}

/** Returns the payments of fans who joined through the account's tracking links, oldest first. */
function listClaimerPayments(world: World, { id }: Account): readonly ClaimerPayment[] {
  const payments: { at: number; gross: number; net: number }[] = []
  for (const claim of world.db.subscriptions.in('byLinkKind', `tracking:${id}`).walk()) {
    for (const row of listClaimPayments(world, claim))
      payments.push({ at: parseIso(row.transaction_created_at ?? ''), ...toCentAmounts(row) })
  }
  let [grossSoFar, netSoFar] = [0, 0]
  return payments
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, gross, net }) => {
      grossSoFar += gross
      netSoFar += net
      return { at, grossSoFar, netSoFar }
    })
}

/** Returns the index range [from, to) of the payments in a time span. */
function findPaymentRange(
  payments: readonly ClaimerPayment[],
  { start, end }: Span,
): [number, number] {
  return [
    findPartitionPoint(payments, ({ at }) => at >= start),
    findPartitionPoint(payments, ({ at }) => at > end),
  ]
}

/** Adds the earnings of these kinds in the window, with a chart that adds up to the total. */
function addEarnings<Counted extends { hasStatistic: boolean }>(
  world: World,
  account: Account,
  {
    counted,
    start,
    end,
    categories,
  }: Span & { counted: Counted; categories: readonly EarningKind[] },
) {
  const { count } = sumEarnings(world, account.id, { start, end, categories })
  return {
    ...counted,
    hasStatistic: counted.hasStatistic || count > 0,
    earnings: summariseEarnings(world, account, { start, end, categories }),
    chartData: world.json(toAmountChart, account, { start, end, categories }),
  }
}

interface Overview {
  hasStatistic: boolean
  count: FigureWithChange
  views: FigureWithChange
}

/** Number of created items, and their total number of views. */
type CreatedItems = Pick<PublishedPosts, 'count' | 'views'>

/** Counts the items created in the window and all views of these items. */
function summariseCreatedItems(
  window: Span,
  itemsIn: (span: Span) => readonly CreatedItems[],
): Overview {
  const items = itemsIn(window)
  const itemsBefore = itemsIn(getPrecedingWindow(window))
  const sum = (all: readonly CreatedItems[], of: 'count' | 'views') =>
    all.reduce((total, item) => total + item[of], 0)
  const figure = (of: 'count' | 'views') => ({
    total: sum(items, of),
    delta: computePercentChange(sum(items, of), sum(itemsBefore, of)),
  })
  return {
    hasStatistic: items.length > 0,
    count: figure('count'),
    views: figure('views'),
  }
}

function toEarned(window: Span, sum: (span: Span) => Pick<EarningSums, 'gross' | 'net'>) {
  const { gross, net } = sum(window)
  return {
    total: net / 100,
    gross: gross / 100,
    delta: computePercentChange(net, sum(getPrecedingWindow(window)).net),
  }
}

/** Returns the total duration of a post's media, seconds. */
function sumMediaSeconds(world: World, { mediaFiles }: Post): number {
  return mediaFiles.reduce(
    (seconds, id) => seconds + (world.db.vaultMedia.get(id)?.duration ?? 0),
    0,
  )
}

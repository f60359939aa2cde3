import { bucketStart, bucketWidth } from '../../engine/buckets.ts'
import { toCents } from '../../engine/money.ts'
import { rowsInSpan } from '../../engine/rows-in-span.ts'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { fromIso, toPlatformTime } from '../../engine/time.ts'
import { percentChange, precedingWindow } from '../../engine/window.ts'
import type { Span } from '../../engine/window.ts'
import type { World } from '../../world/world.ts'
import type { EarningKind } from '../earnings/earnings.table.ts'
import { chartEarnings, sumEarnings } from '../earnings/earnings.ts'
import type { EarningSums } from '../earnings/running-sums.ts'
import { paymentsOf } from '../links/events.ts'
import { viewsOf } from '../mass-messages/mass-messages.ts'
import type { Post } from '../posts/posts.table.ts'
import { publishedIn } from '../posts/published-days.ts'
import type { Published } from '../posts/published-days.ts'
import { chartVisitors } from '../reach/reach.ts'
import { sumVisits } from '../reach/visitors.ts'
import { countEvents } from '../subscribers/events.ts'

/** A figure and its change in percent against the window before. */
interface Compared {
  total: number
  delta: number
}

/** What the account earned from these kinds, and the change of the net amount. Dollars. */
export function compareEarnings(world: World, accountId: number, window: Span, categories?: readonly EarningKind[]) {
  return toEarned(window, (span) => sumEarnings(world, accountId, { ...span, categories }))
}

/** The posts published in the window and their views to date, and what tips and unlocks of posts earned in it. Streams are left out. */
export function overviewPosts(world: World, { id }: Account, window: Span) {
  return {
    ...overviewOf(window, (span) => [...publishedIn(world, id, span)]),
    ...earningsOf(world, id, window, ['unlock_post', 'tip_post']),
  }
}

/** The saved streams of the window, with the same figures as posts. `count` is their length in minutes, rounded up. */
export function overviewStreams(world: World, { id }: Account, window: Span) {
  const inSpan = (span: Span) => rowsInSpan(world.db.posts.in('streams', id), span, (post) => post.postedAt)
  const overview = overviewOf(window, (span) => inSpan(span).map((post) => ({ count: 1, views: post.lookCount })))
  const minutes = compare(window, (span) => Math.ceil(inSpan(span).reduce((seconds, post) => seconds + secondsOf(world, post), 0) / 60))
  return {
    ...overview,
    count: { total: `${minutes.total}m`, delta: minutes.delta },
    ...earningsOf(world, id, window, ['unlock_stream', 'tip_stream']),
  }
}

/** The mass messages sent in the window and how many fans opened them, and what messages and tips in chats earned in it. */
export function overviewMessages(world: World, { id }: Account, window: Span) {
  const list = world.db.massMessages.in('sent', id)
  const itemsIn = (span: Span) =>
    rowsInSpan(list, span, (item) => item.sentAt ?? '').map((item) => ({
      count: 1,
      views: viewsOf(world, item),
    }))
  return { ...overviewOf(window, itemsIn), ...earningsOf(world, id, window, ['message', 'tip_chat']) }
}

/** The stories of the window and their viewers, and what tips for any story earned in it. */
export function overviewStories(world: World, { id }: Account, window: Span) {
  const list = world.db.stories.in('byAccount', id)
  const itemsIn = (span: Span) =>
    rowsInSpan(list, span, (story) => story.createdAt).map((story) => ({
      count: 1,
      views: story.viewersCount,
    }))
  return { ...overviewOf(window, itemsIn), ...earningsOf(world, id, window, ['tip_story']) }
}

/** The tracking links created in the window and their clicks to date, and what fans who came through any link paid in it. */
export function overviewPromotions(world: World, { id }: Account, window: Span) {
  const list = world.db.trackingLinks.in('byAccount', id)
  const overview = overviewOf(window, (span) =>
    rowsInSpan(list, span, (link) => link.createdAt).map((link) => ({
      count: 1,
      views: link.countTransitions,
    })),
  )
  const earnings = toEarned(window, (span) => {
    const sums = { gross: 0, net: 0 }
    for (const { gross, net } of claimerPayments(world, id, span)) {
      sums.gross += gross
      sums.net += net
    }
    return sums
  })
  const width = bucketWidth(window)
  const cents = new Map<number, number>()
  for (const { at, net } of claimerPayments(world, id, window)) {
    const start = bucketStart(at, width)
    cents.set(start, (cents.get(start) ?? 0) + net)
  }
  const chartData = [...cents].toSorted(([a], [b]) => a - b).map(([date, net]) => ({ date: toPlatformTime(date), count: net / 100 }))
  return { ...overview, earnings, chartData }
}

/** The visitors of the profile, the new subscribers and the renewals of the window. */
export function overviewVisitors(world: World, account: Account, window: Span) {
  const chart = chartVisitors(world, account, { ...window, by: 'total' }).visitors.filter(({ count }) => count > 0)
  const visitors = compare(window, (span) => sumVisits(world, account.id, span).total)
  const count = (kind: 'new' | 'renewal') => compare(window, (span) => countEvents(world, account.id, { ...span, kind }))
  const added = count('new')
  const renewed = count('renewal')
  return {
    hasStatistic: visitors.total + added.total + renewed.total > 0,
    count: visitors,
    visitors,
    subscriptions: { new: added, renew: renewed },
    chartData: chart,
  }
}

/** Compares a figure of the window with the same figure of the window before, which is as long. */
function compare(window: Span, measure: (span: Span) => number): Compared {
  const total = measure(window)
  return { total, delta: percentChange(total, measure(precedingWindow(window))) }
}

/** The payments in the span of the fans whom a tracking link of the account brought, in cents. */
function* claimerPayments(world: World, accountId: number, { start, end }: Span): Generator<{ at: number; gross: number; net: number }> {
  for (const claim of world.db.subscriptions.in('byLinkKind', `tracking:${accountId}`).walk()) {
    for (const row of paymentsOf(world, claim)) {
      const at = fromIso(row.transaction_created_at ?? '')
      if (at >= start && at <= end) yield { at, gross: toCents(row.amount ?? 0), net: toCents(row.net) }
    }
  }
}

/** What these kinds earned in the window, and when. The points of the chart sum to the total. */
function earningsOf(world: World, accountId: number, window: Span, categories: readonly EarningKind[]) {
  return {
    earnings: compareEarnings(world, accountId, window, categories),
    chartData: chartEarnings(world, accountId, { ...window, categories }).map(({ date, net }) => ({ date, count: net / 100 })),
  }
}

/** What was made: how many items, and how many views they have. */
type Made = Pick<Published, 'count' | 'views'>

/** The count of items created in the window and their views. */
function overviewOf(window: Span, itemsIn: (span: Span) => readonly Made[]) {
  const items = itemsIn(window)
  const itemsBefore = itemsIn(precedingWindow(window))
  const sum = (all: readonly Made[], of: 'count' | 'views') => all.reduce((total, item) => total + item[of], 0)
  const figure = (of: 'count' | 'views') => ({
    total: sum(items, of),
    delta: percentChange(sum(items, of), sum(itemsBefore, of)),
  })
  return {
    hasStatistic: items.length > 0,
    count: figure('count'),
    views: figure('views'),
  }
}

function toEarned(window: Span, sum: (span: Span) => Pick<EarningSums, 'gross' | 'net'>) {
  const { gross, net } = sum(window)
  return { total: net / 100, gross: gross / 100, delta: percentChange(net, sum(precedingWindow(window)).net) }
}

/** How long the media of a post are together. */
function secondsOf(world: World, { mediaFiles }: Post): number {
  return mediaFiles.reduce((seconds, id) => seconds + (world.db.vaultMedia.get(id)?.duration ?? 0), 0)
}

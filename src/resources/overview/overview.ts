import { bucketStart, bucketWidth } from '../../engine/buckets.ts'
import { toCents } from '../../engine/money.ts'
import type { SortedList } from '../../engine/store/sorted-list.ts'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { fromIso, toIso } from '../../engine/time.ts'
import { percentChange, precedingWindow } from '../../engine/window.ts'
import type { Span } from '../../engine/window.ts'
import type { World } from '../../world/world.ts'
import type { EarningKind } from '../earnings/earnings.table.ts'
import { sumEarnings } from '../earnings/earnings.ts'
import type { EarningSums } from '../earnings/earnings.ts'
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

/** What the account earned by these kinds, dollars, and its change: of the net amount. */
export function compareEarnings(world: World, accountId: number, window: Span, categories?: readonly EarningKind[]) {
  return toEarned(window, (span) => sumEarnings(world, accountId, { ...span, categories }))
}

/** Posts published in the window and their views since; what posts, streams left out, were tipped and unlocked for in it. */
export function overviewPosts(world: World, { id }: Account, window: Span) {
  return {
    ...overviewOf(window, (span) => [...publishedIn(world, id, span)]),
    earnings: compareEarnings(world, id, window, ['unlock_post', 'tip_post']),
  }
}

/** The saved streams of the window, as posts; their length in begun minutes in place of their number. */
export function overviewStreams(world: World, { id }: Account, window: Span) {
  const inSpan = (span: Span) => within(world.db.posts.in('streams', id), span, (post) => post.postedAt)
  const overview = overviewOf(window, (span) =>
    inSpan(span).map((post) => ({ at: fromIso(post.postedAt), count: 1, views: post.lookCount })),
  )
  const minutes = compare(window, (span) => Math.ceil(inSpan(span).reduce((seconds, post) => seconds + secondsOf(world, post), 0) / 60))
  return {
    ...overview,
    count: { total: `${minutes.total}m`, delta: minutes.delta },
    earnings: compareEarnings(world, id, window, ['unlock_stream', 'tip_stream']),
  }
}

/** Mass messages that went out in the window, and by how many they were opened; what messages and tips in chats brought in it. */
export function overviewMessages(world: World, { id }: Account, window: Span) {
  const list = world.db.massMessages.in('sent', id)
  const made = (span: Span) =>
    within(list, span, (item) => item.sentAt ?? '').map((item) => ({
      at: fromIso(item.sentAt ?? ''),
      count: 1,
      views: viewsOf(world, item),
    }))
  return { ...overviewOf(window, made), earnings: compareEarnings(world, id, window, ['message', 'tip_chat']) }
}

/** Stories of the window and their viewers; what any stories were tipped in it. */
export function overviewStories(world: World, { id }: Account, window: Span) {
  const list = world.db.stories.in('byAccount', id)
  const made = (span: Span) =>
    within(list, span, (story) => story.createdAt).map((story) => ({ at: fromIso(story.createdAt), count: 1, views: story.viewersCount }))
  return { ...overviewOf(window, made), earnings: compareEarnings(world, id, window, ['tip_story']) }
}

/** Tracking links made in the window and their clicks since; what those who came through any of them paid in it. */
export function overviewPromotions(world: World, { id }: Account, window: Span) {
  const list = world.db.trackingLinks.in('byAccount', id)
  const overview = overviewOf(window, (span) =>
    within(list, span, (link) => link.createdAt).map((link) => ({ at: fromIso(link.createdAt), count: 1, views: link.countTransitions })),
  )
  const earnings = toEarned(window, ({ start, end }) => {
    const sums = { gross: 0, net: 0 }
    for (const claim of world.db.subscriptions.in('byLinkKind', `tracking:${id}`).walk()) {
      for (const row of paymentsOf(world, claim)) {
        const at = fromIso(row.transaction_created_at ?? '')
        if (at < start || at > end) continue
        sums.gross += toCents(row.amount ?? 0)
        sums.net += toCents(row.net)
      }
    }
    return sums
  })
  return { ...overview, earnings }
}

/** Who looked at the profile in the window, new subscribers and renewals in it. */
export function overviewVisitors(world: World, account: Account, window: Span) {
  const chart = chartVisitors(world, account, { ...window, by: 'total' }).visitors.filter(({ count }) => count > 0)
  const visitors = compare(window, (span) => sumVisits(world, account.id, span).total)
  const count = (kind: 'new' | 'renewal') => compare(window, (span) => countEvents(world, account.id, { ...span, kind }))
  const [fresh, renew] = [count('new'), count('renewal')]
  return {
    hasStatistic: visitors.total + fresh.total + renew.total > 0,
    count: visitors.total,
    visitors,
    subscriptions: { new: fresh, renew },
    chartData: chart,
  }
}

/** Compares a figure of the window with that of the window before, which is as long. */
function compare(window: Span, measure: (span: Span) => number): Compared {
  const total = measure(window)
  return { total, delta: percentChange(total, measure(precedingWindow(window))) }
}

/** What was made in the window and how often it was seen; the chart sums to the count. */
function overviewOf(window: Span, madeIn: (span: Span) => readonly Published[]) {
  const [now, before] = [madeIn(window), madeIn(precedingWindow(window))]
  const sum = (made: readonly Published[], of: 'count' | 'views') => made.reduce((all, each) => all + each[of], 0)
  const figure = (of: 'count' | 'views') => ({ total: sum(now, of), delta: percentChange(sum(now, of), sum(before, of)) })
  return {
    hasStatistic: now.length > 0,
    count: figure('count'),
    views: figure('views'),
    chartData: chartMade(now, bucketWidth(window)),
  }
}

function toEarned(window: Span, sum: (span: Span) => Pick<EarningSums, 'gross' | 'net'>) {
  const { gross, net } = sum(window)
  return { total: net / 100, gross: gross / 100, delta: percentChange(net, sum(precedingWindow(window)).net) }
}

/** The rows of the span in a list that has its newest first. */
function within<Row>(list: SortedList<Row>, { start, end }: Span, time: (row: Row) => string): Row[] {
  return list.slice(
    list.rank((row) => fromIso(time(row)) <= end),
    list.rank((row) => fromIso(time(row)) < start),
  )
}

function chartMade(made: readonly Published[], width: 'hour' | 'day' | 'month') {
  const counts = new Map<number, number>()
  for (const { at, count } of made) counts.set(bucketStart(at, width), (counts.get(bucketStart(at, width)) ?? 0) + count)
  return [...counts].toSorted(([a], [b]) => a - b).map(([date, count]) => ({ date: toIso(date), count }))
}

function secondsOf(world: World, { mediaFiles }: Post): number {
  return mediaFiles.reduce((seconds, id) => seconds + (world.db.vaultMedia.get(id)?.duration ?? 0), 0)
}

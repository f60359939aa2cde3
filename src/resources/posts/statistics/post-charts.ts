import { toCents } from '../../../lib/money.ts'
import { parseIso, getStartOfUtcDay, toPlatformTime } from '../../../lib/time.ts'
import type { PlatformTime } from '../../../lib/time.ts'
import { getComments } from '../../comments/comments.ts'
import type { World } from '../../world.ts'
import type { Post } from '../posts.table.ts'
import { distributeOverDays } from './distribute-over-days.ts'
import type { CountsByDay } from './distribute-over-days.ts'

/** One point of a chart: a UTC day and its count. */
export interface ChartPoint {
  date: PlatformTime
  count: number
}

/** Charts of a post. The counts in each chart add up to the total with the same name. */
export interface PostCharts {
  lookChart: ChartPoint[]
  uniqueLookChart: ChartPoint[]
  likeChart: ChartPoint[]
  commentChart: ChartPoint[]
  tipChart: ChartPoint[]
  tipSumChart: ChartPoint[]
  purchasesChart: ChartPoint[]
}

/**
 * Returns the charts of a post by day. Seeded views and likes have no date, so they are distributed
 * over the days after publication.
 */
export function buildPostCharts(world: World, post: Post): PostCharts {
  const payments = world.db.transactions
    .list('byPost', post.id)
    .filter((row) => row.status !== 'undo')
  const tips = payments.filter((row) => row.category === 'tip')
  const unlocks = payments.filter((row) => row.category === 'unlock')
  const comments = getComments(world, post.id).slice()
  const active = countActiveFans(post, [
    ...payments.map(({ fanId, transaction_created_at: at }) => ({
      fanId,
      at: at ?? post.postedAt,
    })),
    ...comments.map(({ fanId, postedAt: at }) => ({ fanId, at })),
  ])
  const viewers = computeMaxByDay(
    active,
    distributeOverDays(post, countOthers(world, post, 'likeCount')),
  )
  const lookChart = chartEngagement(world, post, 'lookCount', viewers)
  return {
    lookChart,
    uniqueLookChart: limitByDay(
      chartEngagement(world, post, 'uniqueLookCount', viewers),
      lookChart,
    ),
    likeChart: chartEngagement(world, post, 'likeCount'),
    commentChart: sumAmountsByDay(
      comments,
      (comment) => comment.postedAt,
      () => 1,
    ),
    tipChart: sumAmountsByDay(
      tips,
      (row) => row.transaction_created_at ?? post.postedAt,
      () => 1,
    ),
    tipSumChart: sumAmountsByDay(
      tips,
      (row) => row.transaction_created_at ?? post.postedAt,
      (row) => row.amount ?? 0,
    ),
    purchasesChart: sumAmountsByDay(
      unlocks,
      (row) => row.transaction_created_at ?? post.postedAt,
      () => 1,
    ),
  }
}

/**
 * Returns the views or likes of a post by day. Views and likes in postDays count on their day. The
 * remaining views and likes are distributed over the days. Each day gets at least its minimum, as
 * long as enough views or likes are left. The counts never exceed the total, even if a caller
 * lowered the total.
 */
function chartEngagement(
  world: World,
  post: Post,
  figure: EngagementFigure,
  minimums: CountsByDay = new Map(),
): ChartPoint[] {
  const days = new Map<number, number>()
  const add = (day: number, count: number) => days.set(day, (days.get(day) ?? 0) + count)
  let others = countOthers(world, post, figure)
  for (const [day, minimum] of sortDays(minimums)) {
    const count = Math.min(minimum, others)
    add(day, count)
    others -= count
  }
  for (const [day, count] of distributeOverDays(post, others)) add(day, count)
  for (const day of world.db.postDays.in('byPost', post.id).walk())
    add(parseIso(day.date), day[figure])
  let left = post[figure]
  return sortDays(days)
    .map(([day, count]) => {
      const shown = Math.min(count, left)
      left -= shown
      return { date: toPlatformTime(day), count: shown }
    })
    .filter(({ count }) => count > 0)
}

/** Views or likes of a post that must be distributed over days. */
type EngagementFigure = 'lookCount' | 'uniqueLookCount' | 'likeCount'

function sortDays(days: CountsByDay): [number, number][] {
  return [...days].toSorted(([a], [b]) => a - b)
}

/**
 * Returns the number of a post's views or likes that are not in postDays, because they were seeded.
 */
function countOthers({ db }: World, post: Post, figure: EngagementFigure): number {
  let others = post[figure]
  for (const day of db.postDays.in('byPost', post.id).walk()) others -= day[figure]
  return Math.max(0, others)
}

/**
 * Counts the fans who paid for a post or commented on it, by day. Only seeded payments and comments
 * are included.
 */
function countActiveFans(
  { accountId, countedUntil }: Post,
  events: readonly { fanId: number; at: string }[],
): CountsByDay {
  const fans = new Map<number, Set<number>>()
  for (const { fanId, at } of events) {
    if (at > countedUntil || fanId === accountId) continue
    const day = getStartOfUtcDay(parseIso(at))
    const known = fans.get(day)
    if (known === undefined) fans.set(day, new Set([fanId]))
    else known.add(fanId)
  }
  return new Map([...fans].map(([day, { size }]) => [day, size]))
}

/** Returns the larger of two counts for each day. */
function computeMaxByDay(one: CountsByDay, other: CountsByDay): CountsByDay {
  const days = new Map(one)
  for (const [day, count] of other) days.set(day, Math.max(count, days.get(day) ?? 0))
  return days
}

/**
 * If the count of a day exceeds its limit, moves the excess to the nearest later day below its
 * limit, or else to an earlier day. The total does not change if the limits add up to at least the
 * total.
 */
function limitByDay(points: readonly ChartPoint[], limits: readonly ChartPoint[]): ChartPoint[] {
  const counts = new Map(points.map(({ date, count }) => [date, count]))
  const limitOf = new Map(limits.map(({ date, count }) => [date, count]))
  const dates = [...new Set([...counts.keys(), ...limitOf.keys()])].toSorted()
  let excess = 0
  for (const date of [...dates, ...dates.toReversed()]) {
    const wanted = (counts.get(date) ?? 0) + excess
    const count = Math.min(wanted, limitOf.get(date) ?? 0)
    counts.set(date, count)
    excess = wanted - count
  }
  return dates
    .map((date) => ({ date, count: counts.get(date) ?? 0 }))
    .filter(({ count }) => count > 0)
}

/**
 * Adds up amounts by day as integers, as in the API. Rounds the amounts so that they add up to the
 * rounded total.
 */
function sumAmountsByDay<Row>(
  rows: readonly Row[],
  time: (row: Row) => string,
  amount: (row: Row) => number,
): ChartPoint[] {
  const days = new Map<number, number>()
  for (const row of rows) {
    const day = getStartOfUtcDay(parseIso(time(row)))
    days.set(day, (days.get(day) ?? 0) + toCents(amount(row)))
  }
  let centsSoFar = 0
  return [...days]
    .toSorted(([a], [b]) => a - b)
    .map(([day, cents]) => {
      const before = Math.round(centsSoFar / 100)
      centsSoFar += cents
      return { date: toPlatformTime(day), count: Math.round(centsSoFar / 100) - before }
    })
    .filter(({ count }) => count > 0)
}

import type { ChangeListener } from '../../../data/change-log.ts'
import { createRandom } from '../../../world/random.ts'
import { toCents } from '../../../lib/money.ts'
import { dayMs, parseIso, getStartOfUtcDay, toPlatformTime } from '../../../lib/time.ts'
import type { PlatformTime } from '../../../lib/time.ts'
import { getComments } from '../../comments/comments.ts'
import type { Transaction } from '../../payments/transactions.table.ts'
import type { World } from '../../world.ts'
import type { Post } from '../posts.table.ts'

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
    .in('byPost', post.id)
    .slice()
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
 * Returns the tip and purchase statistics of a post, excluding refunds. Amounts are in dollars,
 * exact to the cent.
 */
export function sumPostPayments(
  rows: Iterable<Pick<Transaction, 'status' | 'category' | 'amount'>>,
): Pick<Post, 'tipCount' | 'tipSum' | 'purchasedCount' | 'purchasedSumm'> {
  let tipCount = 0
  let tipCents = 0
  let purchasedCount = 0
  let purchasedCents = 0
  for (const row of rows) {
    if (row.status === 'undo') continue
    if (row.category === 'tip') {
      tipCount += 1
      tipCents += toCents(row.amount ?? 0)
    }
    if (row.category === 'unlock') {
      purchasedCount += 1
      purchasedCents += toCents(row.amount ?? 0)
    }
  }
  return { tipCount, tipSum: tipCents / 100, purchasedCount, purchasedSumm: purchasedCents / 100 }
}

/** Keeps the tip and purchase statistics of posts in sync with transactions. */
export function createPostPaymentUpdater(world: World): ChangeListener<Transaction> {
  return (before, after) => {
    for (const postId of new Set([before?.postId, after?.postId])) {
      const post = postId === undefined || postId === null ? undefined : world.db.posts.get(postId)
      if (post === undefined) continue
      const [old, now] = [before, after].map((row) =>
        sumPostPayments(row?.postId === post.id ? [row] : []),
      )
      world.db.posts.update(post.id, { hasStats: true, ...replacePayment(post, old, now) })
    }
  }
}

type Payments = ReturnType<typeof sumPostPayments>

/**
 * Updates a post's statistics after a payment changed from `old` to `now`, without adding up all
 * payments of the post again.
 */
function replacePayment(
  post: Payments,
  old: Payments = noPayments,
  now: Payments = noPayments,
): Payments {
  const count = (field: 'tipCount' | 'purchasedCount') =>
    Math.max(0, post[field] - old[field] + now[field])
  const sum = (field: 'tipSum' | 'purchasedSumm') =>
    Math.max(0, toCents(post[field]) - toCents(old[field]) + toCents(now[field])) / 100
  return {
    tipCount: count('tipCount'),
    tipSum: sum('tipSum'),
    purchasedCount: count('purchasedCount'),
    purchasedSumm: sum('purchasedSumm'),
  }
}

const noPayments: Payments = { tipCount: 0, tipSum: 0, purchasedCount: 0, purchasedSumm: 0 }

/**
 * Sets the tip and purchase statistics of manually written posts from their payments. Posts without
 * payments keep their values.
 */
export function derivePostPaymentStatistics({ db }: World): void {
  for (const postId of new Set(db.transactions.all().map((row) => row.postId))) {
    const post = db.posts.get(postId ?? 0)
    if (post === undefined) continue
    const paid = sumPostPayments(db.transactions.in('byPost', post.id).walk())
    const isSaid = (Object.keys(paid) as (keyof typeof paid)[]).every(
      (figure) => post[figure] === paid[figure],
    )
    if (!isSaid) db.posts.update(post.id, { hasStats: true, ...paid })
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

/** Counts by the start of a UTC day, epoch ms. */
type CountsByDay = ReadonlyMap<number, number>

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

/** Maximum number of days over which views and likes are distributed. */
const maxSpreadDays = 180

/** Factors for the days of the week, starting with Sunday. */
const weekdays = [1.12, 0.95, 0.9, 0.93, 0.97, 1.02, 1.11] as const
/**
 * Probability that a post is shared again on a given day, and the factor for the views of that day.
 */
const revival = { chance: 0.035, factor: 3.5 }

/**
 * Distributes a total over the days after publication, weighted towards the first days. Each post
 * has its own decay rate. Daily counts also vary by weekday and at random. The daily counts add up
 * to exactly the total.
 */
export function distributeOverDays(post: Post, total: number): CountsByDay {
  const posted = parseIso(post.postedAt)
  const first = getStartOfUtcDay(posted)
  const end = parseIso(post.countedUntil)
  const days = Math.min(maxSpreadDays, Math.max(1, (getStartOfUtcDay(end) - first) / dayMs + 1))
  const random = createRandom(0, 'fading', post.id)
  const fading = 0.9 + 1.3 * random.next()
  const missing = (posted - first) / dayMs
  const weights = Array.from({ length: days }, (_, day) => {
    const start = first + day * dayMs
    // The first day starts at the time of publication, and the last day may not be over yet.
    const [from, until] = [Math.max(start, posted), Math.max(posted, Math.min(start + dayMs, end))]
    const noise = 0.55 + 0.9 * random.next() * random.next() + 0.4 * random.next()
    const again = random.chance(revival.chance) ? revival.factor : 1
    const weekday = weekdays[new Date(start).getUTCDay()] ?? 1
    const fresh = (day + 1 - (day === 0 ? 0 : missing)) ** -fading
    return Math.sqrt((until - from) / dayMs) * fresh * weekday * noise * again
  })
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  // The random offset prevents a small total from always falling on the last day.
  const offset = random.next()
  const points = new Map<number, number>()
  let weightSoFar = 0
  let countSoFar = 0
  for (const [day, weight] of weights.entries()) {
    weightSoFar += weight
    const reached =
      day === days - 1 || whole === 0
        ? total
        : Math.min(total, Math.floor((total * weightSoFar) / whole + offset))
    if (reached > countSoFar) points.set(first + day * dayMs, reached - countSoFar)
    countSoFar = reached
  }
  return points
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

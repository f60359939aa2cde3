import { partition } from '../../engine/store/sorted-list.ts'
import { fromIso } from '../../engine/time.ts'
import { append, createPicker, momentBetween, ownRows } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import type { Message } from '../messages/messages.table.ts'
import { sumPayments, seenBy, publishedOf } from '../posts/stats.ts'
import type { GrowingPost } from '../posts/stats.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { periodStarts } from '../subscribers/subscriptions.ts'
import { toTransaction } from './draw.ts'
import type { Category } from './draw.ts'
import type { PaymentSizes } from './sizes.ts'
import type { Transaction } from './transactions.table.ts'

type Plan = AccountPlan<PaymentSizes>

/** What fans pay for, by share, besides the months of their subscription and the messages that they unlock. */
const shares: readonly (readonly [Category, number])[] = [
  ['tip', 64],
  ['unlock', 30],
  ['unknown', 6],
]

/** How many of the payments may be months of subscriptions: on an account with few payments most fans joined for free. */
const mostMonths = 0.6

/** Who pays, and for what. */
interface Market {
  fans: readonly Subscription[]
  posts: readonly GrowingPost[]
  paidMessages: readonly Message[]
}

/** Seeds the purchases of an account's fans, and gives the posts the figures that follow from them. */
export function seedTransactions(seeding: Seeding, plan: Plan): void {
  const own: Transaction[] = []
  const { account } = plan
  const market: Market = {
    fans: ownRows(seeding.rows.subscriptions, account),
    posts: publishedOf(seeding.rows.posts, account),
    paidMessages: ownRows(seeding.rows.messages, account).filter(({ price }) => price > 0),
  }
  const { sizes } = plan
  const [given, others] = [market.fans.slice(0, sizes.transactionsPerFan.length), market.fans.slice(sizes.transactionsPerFan.length)]
  const createOne = createPurchases(seeding, plan, market)
  const months = payMonths(seeding, plan, others)
  for (const [index, fan] of given.entries()) {
    joinForFree(fan)
    for (let left = sizes.transactionsPerFan[index] ?? 0; left > 0; left -= 1) own.push(atEdges(createOne(fan), left))
  }
  if (sizes.transactions > 0) {
    append(own, months)
    append(own, buyMessages(seeding, plan, { ...market, fans: others }))
    // A fan's weight falls with their place: a few spend most.
    const pick = createPicker(
      seeding.random,
      others.map((fan, place) => [fan, 1 / (place + 3)] as const),
    )
    while (own.length < sizes.transactions) {
      const fan = pick()
      if (fan === undefined) break
      own.push(createOne(fan))
    }
  }
  for (const row of own) seeding.rows.transactions.push(row)
  giveFigures(market.posts, own)
}

/** Rows around the page size come with equal times, all of them settled, and every seventh without one. */
function atEdges(row: Transaction, left: number): Transaction {
  return {
    ...row,
    status: row.status === 'loading' ? 'done' : row.status,
    transaction_created_at: left % 7 === 3 ? null : `2026-08-${String(10 + (left % 5)).padStart(2, '0')}T12:00:00.000Z`,
  }
}

/** Each period of a subscription that has a price was paid when it began; once the payments for months are used up, fans joined for free. */
function payMonths(seeding: Seeding, plan: Plan, fans: readonly Subscription[]): Transaction[] {
  const own: Transaction[] = []
  const most = Math.ceil(plan.sizes.transactions * mostMonths)
  for (const fan of fans) {
    const periods = fan.spans.flatMap((span) => periodStarts(span).map((time) => ({ time, price: span.price })))
    if (own.length + periods.length > most) joinForFree(fan)
    else
      for (const [place, { time, price }] of periods.entries())
        if (price > 0)
          own.push(
            toTransaction(seeding, plan, {
              fan,
              time,
              amount: price,
              category: place === 0 ? 'new_subscription' : 'recurring_subscription',
            }),
          )
  }
  return own
}

function joinForFree(fan: Subscription): void {
  Object.assign(fan, { price: 0, spans: fan.spans.map((span) => ({ ...span, price: 0 })) })
}

function buyMessages(seeding: Seeding, plan: Plan, { fans, paidMessages }: Market): Transaction[] {
  const byFan = new Map(fans.map((fan) => [fan.fanId, fan]))
  return paidMessages.flatMap((message) => {
    const fan = byFan.get(message.fanId)
    if (fan === undefined || seeding.random.chance(0.4)) return []
    const time = Math.min(fromIso(message.createdAt) + seeding.random.integer(1, 300) * 60_000, seeding.now - 1000)
    return toTransaction(seeding, plan, { fan, time, amount: message.price, category: 'message', messageId: message.id })
  })
}

function createPurchases(seeding: Seeding, plan: Plan, { posts, fans }: Market): (fan: Subscription) => Transaction {
  const { random } = seeding
  const { tips, generousTips, otherPurchases } = seeding.texts.prices
  const all = posts.map((post) => ({ post, time: fromIso(post.postedAt) }))
  const paid = all.filter(({ post }) => post.price > 0)
  const unlocked = new Set<string>()
  const lives = new Map(
    fans.map((fan, place) => [
      fan,
      {
        from: fromIso(fan.subscribedAt),
        until: Math.min(fromIso(fan.expiredAt), seeding.now - 1000),
        tips: place < fans.length / 10 ? generousTips : tips,
      },
    ]),
  )
  return (fan) => {
    const { from, until, tips: usual } = lives.get(fan) ?? { from: seeding.now, until: seeding.now, tips }
    const time = momentBetween(seeding, from, until)
    const category = random.weighted(shares)
    if (category === 'unlock') {
      const post = lastBefore(paid, time, random.integer(0, 30))
      const key = `${post?.id} ${fan.fanId}`
      if (post !== undefined && !unlocked.has(key)) {
        unlocked.add(key)
        return toTransaction(seeding, plan, { fan, time, amount: post.price, category, postId: post.id })
      }
      return toTransaction(seeding, plan, { fan, time, amount: random.pick(usual), category: 'tip' })
    }
    if (category === 'tip') {
      const post = random.chance(0.5) ? lastBefore(all, time, random.integer(0, 12)) : undefined
      return toTransaction(seeding, plan, { fan, time, amount: random.pick(usual), category, postId: post?.id })
    }
    return toTransaction(seeding, plan, { fan, time, amount: random.pick(otherPurchases), category })
  }
}

/** The post that was out at that time, or so many before it. */
function lastBefore(posts: readonly { post: GrowingPost; time: number }[], time: number, back: number): GrowingPost | undefined {
  const after = partition(posts, (each) => each.time > time)
  return after === 0 ? undefined : posts[Math.max(0, after - 1 - back)]?.post
}

function giveFigures(posts: readonly GrowingPost[], own: readonly Transaction[]): void {
  const byPost = new Map<number, Transaction[]>()
  for (const row of own) {
    if (row.postId === null) continue
    const list = byPost.get(row.postId)
    if (list === undefined) byPost.set(row.postId, [row])
    else list.push(row)
  }
  for (const post of posts) {
    const payments = byPost.get(post.id)
    if (payments !== undefined) Object.assign(post, sumPayments(payments), seenBy(post, payments.length))
  }
}

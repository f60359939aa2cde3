import { shareOut } from '../../effects/purchases.ts'
import { partition } from '../../engine/store/sorted-list.ts'
import { dayMs, fromIso, toIso } from '../../engine/time.ts'
import { append, createPicker, daysAgo, momentBetween } from '../../world/sowing.ts'
import type { Field, Sower } from '../../world/sowing.ts'
import type { Subscription } from '../fans/fans.table.ts'
import type { Message } from '../messages/messages.table.ts'
import { seenBy } from '../posts/seed.ts'
import type { GrowingPost } from '../posts/seed.ts'
import { sumPayments } from '../posts/stats.ts'
import { periodStarts } from '../subscribers/subscriptions.ts'
import type { Transaction } from './transactions.table.ts'

type Category = NonNullable<Transaction['category']>

/** What fans pay for, by share, besides the months of their subscription and the messages that they unlock. */
const shares: readonly (readonly [Category, number])[] = [
  ['tip', 64],
  ['unlock', 30],
  ['unknown', 6],
]
/** What became of payments that had time to settle. */
const statuses: readonly (readonly [Transaction['status'], number])[] = [
  ['done', 94],
  ['undo', 4],
  ['pending_return', 2],
]
/** How many of the payments may be months of subscriptions: on an account with few payments most fans joined for free. */
const mostMonths = 0.6
const legacyDays = 500

interface Ground {
  fans: readonly Subscription[]
  posts: readonly GrowingPost[]
  paidMessages: readonly Message[]
}

/** Sows the purchases of an account's fans, and gives the posts the figures that follow from them. */
export function sowTransactions(sower: Sower, field: Field, ground: Ground): void {
  const own: Transaction[] = []
  const { data } = field
  const [given, others] = [ground.fans.slice(0, data.transactionsPerFan.length), ground.fans.slice(data.transactionsPerFan.length)]
  const createOne = createPurchases(sower, field, ground)
  const months = payMonths(sower, field, others)
  for (const [index, fan] of given.entries()) {
    joinForFree(fan)
    for (let left = data.transactionsPerFan[index] ?? 0; left > 0; left -= 1) own.push(atEdges(createOne(fan), left))
  }
  if (data.transactions > 0) {
    append(own, months)
    append(own, buyMessages(sower, field, { ...ground, fans: others }))
    // A fan's weight falls with their place: a few spend most.
    const pick = createPicker(sower.random, others.map((fan, place) => [fan, 1 / (place + 3)] as const))
    while (own.length < data.transactions) {
      const fan = pick()
      if (fan === undefined) break
      own.push(createOne(fan))
    }
  }
  for (const row of own) sower.rows.transactions.push(row)
  giveFigures(ground.posts, own)
}

/** Rows around the page size come with equal times, all of them settled, and every seventh without one. */
function atEdges(row: Transaction, left: number): Transaction {
  return { ...row, status: row.status === 'loading' ? 'done' : row.status, transaction_created_at: left % 7 === 3 ? null : `2026-08-${String(10 + (left % 5)).padStart(2, '0')}T12:00:00.000Z` }
}

/** Each period of a subscription that has a price was paid when it began; once the payments for months are used up, fans joined for free. */
function payMonths(sower: Sower, field: Field, fans: readonly Subscription[]): Transaction[] {
  const own: Transaction[] = []
  const most = Math.ceil(field.data.transactions * mostMonths)
  for (const fan of fans) {
    const periods = fan.spans.flatMap((span) => periodStarts(span).map((time) => ({ time, price: span.price })))
    if (own.length + periods.length > most) joinForFree(fan)
    else for (const [place, { time, price }] of periods.entries()) if (price > 0) own.push(toTransaction(sower, field, { fan, time, amount: price, category: place === 0 ? 'new_subscription' : 'recurring_subscription' }))
  }
  return own
}

function joinForFree(fan: Subscription): void {
  Object.assign(fan, { price: 0, spans: fan.spans.map((span) => ({ ...span, price: 0 })) })
}

function buyMessages(sower: Sower, field: Field, { fans, paidMessages }: Ground): Transaction[] {
  const byFan = new Map(fans.map((fan) => [fan.fanId, fan]))
  return paidMessages.flatMap((message) => {
    const fan = byFan.get(message.fanId)
    if (fan === undefined || sower.random.chance(0.4)) return []
    const time = Math.min(fromIso(message.createdAt) + sower.random.integer(1, 300) * 60_000, sower.now - 1000)
    return toTransaction(sower, field, { fan, time, amount: message.price, category: 'message', messageId: message.id })
  })
}

function createPurchases(sower: Sower, field: Field, { posts, fans }: Ground): (fan: Subscription) => Transaction {
  const { random } = sower
  const { tips, generousTips, otherPurchases } = sower.texts.prices
  const all = posts.map((post) => ({ post, time: fromIso(post.postedAt) }))
  const paid = all.filter(({ post }) => post.price > 0)
  const unlocked = new Set<string>()
  const lives = new Map(
    fans.map((fan, place) => [
      fan,
      { from: fromIso(fan.subscribedAt), until: Math.min(fromIso(fan.expiredAt), sower.now - 1000), tips: place < fans.length / 10 ? generousTips : tips },
    ]),
  )
  return (fan) => {
    const { from, until, tips: usual } = lives.get(fan) ?? { from: sower.now, until: sower.now, tips }
    const time = momentBetween(sower, from, until)
    const category = random.weighted(shares)
    if (category === 'unlock') {
      const post = lastBefore(paid, time, random.integer(0, 30))
      const key = `${post?.id} ${fan.fanId}`
      if (post !== undefined && !unlocked.has(key)) {
        unlocked.add(key)
        return toTransaction(sower, field, { fan, time, amount: post.price, category, postId: post.id })
      }
      return toTransaction(sower, field, { fan, time, amount: random.pick(usual), category: 'tip' })
    }
    if (category === 'tip') {
      const post = random.chance(0.5) ? lastBefore(all, time, random.integer(0, 12)) : undefined
      return toTransaction(sower, field, { fan, time, amount: random.pick(usual), category, postId: post?.id })
    }
    return toTransaction(sower, field, { fan, time, amount: random.pick(otherPurchases), category })
  }
}

/** The post that was out at that time, or so many before it. */
function lastBefore(posts: readonly { post: GrowingPost; time: number }[], time: number, back: number): GrowingPost | undefined {
  const after = partition(posts, (each) => each.time > time)
  return after === 0 ? undefined : posts[Math.max(0, after - 1 - back)]?.post
}

interface Purchase {
  fan: Subscription
  time: number
  amount: number
  category: Category
  postId?: number
  messageId?: number
}

/** A purchase of a fan; some old ones lack a field. */
export function toTransaction(sower: Sower, { account }: Field, { fan, time, amount, category, postId, messageId }: Purchase): Transaction {
  const { random } = sower
  const { fee, vat_amount, net } = shareOut(random, amount)
  const isLegacy = time < daysAgo(sower, legacyDays) && random.chance(0.4)
  const gap = isLegacy ? random.pick(['amount', 'fee', 'vat_amount', 'currency', 'category', 'time'] as const) : undefined
  const isLinked = postId !== undefined || messageId !== undefined
  return {
    id: String(sower.nextId('transactions')),
    accountId: account.id,
    fanId: fan.fanId,
    transaction_created_at: gap === 'time' ? null : toIso(time),
    amount: gap === 'amount' && !isLinked ? null : amount,
    fee: gap === 'fee' ? null : fee,
    vat_amount: gap === 'vat_amount' ? null : vat_amount,
    net,
    currency: gap === 'currency' ? null : 'USD',
    category: gap === 'category' && !isLinked ? null : category,
    status: time > sower.now - 2 * dayMs ? random.pick(['done', 'loading'] as const) : random.weighted(statuses),
    postId: postId ?? null,
    isOnStream: false,
    messageId: messageId ?? null,
    storyId: null,
  }
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


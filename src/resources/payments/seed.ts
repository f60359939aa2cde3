import { dayMs, fromIso, startOfDay } from '../../engine/time.ts'
import { inUnits } from '../../engine/work.ts'
import type { Work } from '../../engine/work.ts'
import { append, shuffle } from '../../world/seeding.ts'
import type { AccountPlan, Mutable, Seeding } from '../../world/seeding.ts'
import { publishedPosts, seenBy } from '../posts/seeded-posts.ts'
import type { SeededPost } from '../posts/seeded-posts.ts'
import { sumPayments } from '../posts/stats.ts'
import type { ChatSizes } from '../chats/sizes.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { periodStarts } from '../subscribers/subscriptions.ts'
import { refundPart, toTransaction } from './draw.ts'
import type { Category } from './draw.ts'
import type { PaymentSizes } from './sizes.ts'
import { createOtherPurchases, drawingPostPurchases, drawingSpenders, toSpender } from './spending.ts'
import type { Spender } from './spending.ts'
import type { Transaction } from './transactions.table.ts'

type Plan = AccountPlan<PaymentSizes & ChatSizes>

/** The largest share of payments that may be for months of subscriptions. On an account with few payments most fans joined for free. */
const mostMonthsShare = 0.6

/** The share of the messages of conversations that may be sold, and the largest share of payments that may be for them. */
const soldMessages = { share: 0.05, ofPayments: 0.1 }

/** How many purchases go into a unit of work. */
const purchasesPerUnit = 128

/**
 * Seeds what the fans of an account pay for its posts, and sets the figures of the posts that follow from it. It settles who pays for the
 * subscription, too. What else they pay comes later: whoever asks for posts need not wait for conversations.
 */
export function* seedPostPayments(seeding: Seeding, plan: Plan): Work {
  const rows: Transaction[] = []
  const { sizes } = plan
  const posts = publishedPosts(seeding.rows.posts)
  const { countedFans, otherFans } = fansOf(seeding, plan)
  const monthCount = yield* chooseSubscribers(seeding, plan, shuffle(seeding.branch('order').random, otherFans))
  const drawSpender = yield* drawingSpenders(seeding, plan, otherFans)
  const drawForPost = yield* drawingPostPurchases(seeding, plan, posts)
  const drawOther = createOtherPurchases(seeding, plan, posts)
  for (const [index, fan] of countedFans.entries()) {
    joinForFree(fan)
    const spender = toSpender(fan, seeding.random, seeding.now)
    for (let left = sizes.transactionsPerFan[index] ?? 0; left > 0; left -= 1) {
      const at = edgeTime(seeding, left)
      rows.push(toEdgeCase(drawForPost(spender, at) ?? drawOther(spender, at), left))
    }
  }
  let left = otherFans.length === 0 ? 0 : sizes.transactions - rows.length - monthCount - countSold(sizes)
  while (left > 0) {
    const row = drawForPost(drawSpender() as Spender)
    const parts = row === undefined ? [] : refundPart(seeding, row)
    append(rows, parts)
    left -= Math.max(1, parts.length)
    if (left % purchasesPerUnit === 0) yield
  }
  append(seeding.rows.transactions, rows)
  yield* updateFigures(posts, rows)
}

/** Seeds what else the fans of an account pay: months of their subscriptions, messages of their conversations, and tips for nothing. */
export function* seedOtherPayments(seeding: Seeding, plan: Plan): Work {
  const { sizes } = plan
  if (sizes.transactions === 0) return
  const rows = seeding.rows.transactions
  const { otherFans } = fansOf(seeding, plan)
  yield* payMonths(seeding, plan, otherFans)
  append(rows, buyMessages(seeding, plan, otherFans))
  if (otherFans.length === 0 || rows.length >= sizes.transactions) return
  const drawSpender = yield* drawingSpenders(seeding, plan, otherFans)
  const drawOther = createOtherPurchases(seeding, plan, publishedPosts(seeding.rows.posts))
  while (rows.length < sizes.transactions) {
    const row = drawOther(drawSpender() as Spender)
    // A refund of a part is a payment more, so the last one has none.
    if (rows.length < sizes.transactions - 1) append(rows, refundPart(seeding, row))
    else rows.push(row)
    if (rows.length % purchasesPerUnit < 2) yield
  }
}

/** The fans of whom the scenario says how much each buys, and the others. */
function fansOf({ rows: { subscriptions } }: Seeding, { sizes }: Plan): Record<'countedFans' | 'otherFans', readonly Subscription[]> {
  const count = sizes.transactionsPerFan.length
  return { countedFans: subscriptions.slice(0, count), otherFans: subscriptions.slice(count) }
}

/** About how many messages of conversations are sold. */
function countSold({ transactions, chats, messagesPerChat }: Plan['sizes']): number {
  return Math.floor(Math.min(transactions * soldMessages.ofPayments, ((chats * messagesPerChat) / 2) * soldMessages.share))
}

/** Turns a row, of a time that other rows share, into an edge case for paging: settled, and every seventh without a time. */
function toEdgeCase(row: Transaction, left: number): Transaction {
  return {
    ...row,
    status: row.status === 'loading' ? 'done' : row.status,
    transaction_created_at: left % 7 === 3 ? null : row.transaction_created_at,
  }
}

/** One of five times, some weeks ago, that purchases share. Epoch ms. */
function edgeTime({ now }: Seeding, left: number): number {
  return startOfDay(now) - (52 - (left % 5)) * dayMs + dayMs / 2
}

/** Lets fans pay for each period of their subscription. Once that is too many payments the others join for free. Tells how many it is. */
function* chooseSubscribers(seeding: Seeding, { sizes }: Plan, fans: readonly Subscription[]): Work<number> {
  const most = Math.ceil(sizes.transactions * mostMonthsShare)
  let count = 0
  yield* inUnits(fans, (fan) => {
    const periods = fan.spans.reduce((sum, span) => sum + periodStarts(span).length, 0)
    if (count + periods > most) joinForFree(fan)
    else if (fan.price > 0) count += periods
  })
  return count
}

/** Pays each period of the subscriptions when it begins. */
function* payMonths(seeding: Seeding, plan: Plan, fans: readonly Subscription[]): Work {
  const { rows } = seeding
  yield* inUnits(fans, (fan) => {
    let category: Category = 'new_subscription'
    for (const span of fan.spans)
      for (const time of periodStarts(span)) {
        if (span.price > 0)
          append(rows.transactions, refundPart(seeding, toTransaction(seeding, plan, { fan, time, amount: span.price, category })))
        category = 'recurring_subscription'
      }
  })
}

/** Takes the price off a subscription. */
function joinForFree(fan: Mutable<Subscription>): void {
  fan.price = 0
  for (const span of fan.spans) span.price = 0
}

/** The payments for the paid messages that fans bought in their chats. */
function buyMessages(seeding: Seeding, plan: Plan, fans: readonly Subscription[]): Transaction[] {
  const byFan = new Map(fans.map((fan) => [fan.fanId, fan]))
  const paidMessages = seeding.rows.messages.filter(({ price }) => price > 0)
  const rows: Transaction[] = []
  for (const { id: messageId, fanId, price: amount, purchasedAt } of paidMessages) {
    const fan = byFan.get(fanId)
    if (fan === undefined || purchasedAt === null) continue
    append(
      rows,
      refundPart(seeding, toTransaction(seeding, plan, { fan, time: fromIso(purchasedAt), amount, category: 'message', messageId })),
    )
  }
  return rows
}

/** Sets the figures of posts that follow from the payments for them. */
function* updateFigures(posts: readonly SeededPost[], rows: readonly Transaction[]): Work {
  const byPost = new Map<number, Transaction[]>()
  yield* inUnits(rows, (row) => {
    if (row.postId === null) return
    const list = byPost.get(row.postId)
    if (list === undefined) byPost.set(row.postId, [row])
    else list.push(row)
  })
  yield* inUnits(posts, (post) => {
    const payments = byPost.get(post.id)
    if (payments !== undefined) Object.assign(post, sumPayments(payments), seenBy(post, payments.length))
  })
}

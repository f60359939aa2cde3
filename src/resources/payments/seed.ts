import { dayMs, fromIso, startOfDay } from '../../engine/time.ts'
import { inUnits } from '../../engine/work.ts'
import type { Work } from '../../engine/work.ts'
import { append, shuffle } from '../../world/seeding.ts'
import type { AccountPlan, Mutable, Seeding } from '../../world/seeding.ts'
import { publishedPosts, seenBy } from '../posts/seeded-posts.ts'
import type { SeededPost } from '../posts/seeded-posts.ts'
import { sumPayments } from '../posts/stats.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { periodStarts } from '../subscribers/subscriptions.ts'
import { refundPart, toTransaction } from './draw.ts'
import type { Category } from './draw.ts'
import type { PaymentSizes } from './sizes.ts'
import { createSpending, toSpender } from './spending.ts'
import type { Spender } from './spending.ts'
import type { Transaction } from './transactions.table.ts'

type Plan = AccountPlan<PaymentSizes>

/** The largest share of payments that may be for months of subscriptions. On an account with few payments most fans joined for free. */
const mostMonthsShare = 0.6

/** How many purchases go into a unit of work. */
const purchasesPerUnit = 128

/** Seeds the purchases of an account's fans, and sets the figures of the posts that follow from them. */
export function* seedTransactions(seeding: Seeding, plan: Plan): Work {
  const rows: Transaction[] = []
  const { sizes } = plan
  const fans = seeding.rows.subscriptions
  const posts = publishedPosts(seeding.rows.posts)
  const countedFans = fans.slice(0, sizes.transactionsPerFan.length)
  const otherFans = fans.slice(sizes.transactionsPerFan.length)
  const months = yield* payMonths(seeding, plan, shuffle(seeding.branch('order').random, otherFans))
  const { drawPurchase, drawSpender } = yield* createSpending(seeding, plan, { fans: otherFans, posts })
  for (const [index, fan] of countedFans.entries()) {
    joinForFree(fan)
    for (let left = sizes.transactionsPerFan[index] ?? 0; left > 0; left -= 1)
      rows.push(toEdgeCase(drawPurchase(toSpender(seeding, fan), edgeTime(seeding, left)), left))
  }
  if (sizes.transactions > 0) {
    append(rows, months)
    append(rows, buyMessages(seeding, plan, otherFans))
    while (otherFans.length > 0 && rows.length < sizes.transactions) {
      const row = drawPurchase(drawSpender() as Spender)
      // A refund of a part is a payment more, so the last one has none.
      if (rows.length < sizes.transactions - 1) append(rows, refundPart(seeding, row))
      else rows.push(row)
      if (rows.length % purchasesPerUnit < 2) yield
    }
  }
  append(seeding.rows.transactions, rows)
  yield* updateFigures(posts, rows)
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

/** Pays each period of the subscriptions when it begins. Once too many payments are for months, the other fans joined for free. */
function* payMonths(seeding: Seeding, plan: Plan, fans: readonly Subscription[]): Work<Transaction[]> {
  const rows: Transaction[] = []
  const most = Math.ceil(plan.sizes.transactions * mostMonthsShare)
  yield* inUnits(fans, (fan) => {
    const starts = fan.spans.map(periodStarts)
    const periods = starts.reduce((sum, { length }) => sum + length, 0)
    if (rows.length + periods > most) {
      joinForFree(fan)
      return
    }
    let category: Category = 'new_subscription'
    for (const [place, { price }] of fan.spans.entries())
      for (const time of starts[place] ?? []) {
        if (price > 0) append(rows, refundPart(seeding, toTransaction(seeding, plan, { fan, time, amount: price, category })))
        category = 'recurring_subscription'
      }
  })
  return rows
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

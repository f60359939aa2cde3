import { partition } from '../../engine/store/sorted-list.ts'
import { dayMs, fromIso, startOfDay } from '../../engine/time.ts'
import { inUnits, manyInUnits } from '../../engine/work.ts'
import type { Work } from '../../engine/work.ts'
import { append, createPicker, momentBetween, ownRows } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import type { Message } from '../messages/messages.table.ts'
import { publishedPosts, seenBy } from '../posts/seeded-posts.ts'
import type { SeededPost } from '../posts/seeded-posts.ts'
import { sumPayments } from '../posts/stats.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { periodStarts } from '../subscribers/subscriptions.ts'
import { toTransaction } from './draw.ts'
import type { Category } from './draw.ts'
import type { PaymentSizes } from './sizes.ts'
import type { Transaction } from './transactions.table.ts'

type Plan = AccountPlan<PaymentSizes>

/** What fans pay for besides months of their subscription and messages, each category with its weight. */
const categoryWeights: readonly (readonly [Category, number])[] = [
  ['tip', 64],
  ['unlock', 30],
  ['unknown', 6],
]

/** The largest share of payments that may be for months of subscriptions. On an account with few payments most fans joined for free. */
const mostMonthsShare = 0.6

/** The fans who pay, and the posts and messages that they can pay for. */
interface PurchaseInputs {
  fans: readonly Subscription[]
  posts: readonly SeededPost[]
  paidMessages: readonly Message[]
}

/** Seeds the purchases of an account's fans, and sets the figures of the posts that follow from them. */
export function* seedTransactions(seeding: Seeding, plan: Plan): Work {
  const rows: Transaction[] = []
  const { account, sizes } = plan
  const inputs: PurchaseInputs = {
    fans: ownRows(seeding.rows.subscriptions, account),
    posts: publishedPosts(seeding.rows.posts, account),
    paidMessages: ownRows(seeding.rows.messages, account).filter(({ price }) => price > 0),
  }
  const countedFans = inputs.fans.slice(0, sizes.transactionsPerFan.length)
  const otherFans = inputs.fans.slice(sizes.transactionsPerFan.length)
  const createOne = yield* createPurchases(seeding, plan, inputs)
  const months = yield* payMonths(seeding, plan, otherFans)
  for (const [index, fan] of countedFans.entries()) {
    joinForFree(fan)
    for (let left = sizes.transactionsPerFan[index] ?? 0; left > 0; left -= 1)
      rows.push(toEdgeCase(createOne(fan, edgeTime(seeding, left)), left))
  }
  if (sizes.transactions > 0) {
    append(rows, months)
    append(rows, buyMessages(seeding, plan, { ...inputs, fans: otherFans }))
    // The weight of a fan falls with their place: a few fans spend most.
    const pick = createPicker(
      seeding.random,
      otherFans.map((fan, place) => [fan, 1 / (place + 3)] as const),
    )
    if (otherFans.length > 0) {
      append(rows, yield* manyInUnits(sizes.transactions - rows.length, () => createOne(pick() as Subscription)))
    }
  }
  append(seeding.rows.transactions, rows)
  yield* updateFigures(inputs.posts, rows)
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
    if (rows.length + starts.reduce((sum, { length }) => sum + length, 0) > most) {
      joinForFree(fan)
      return
    }
    let category: Category = 'new_subscription'
    fan.spans.forEach(({ price }, place) =>
      starts[place]?.forEach((time) => {
        if (price > 0) rows.push(toTransaction(seeding, plan, { fan, time, amount: price, category }))
        category = 'recurring_subscription'
      }),
    )
  })
  return rows
}

/** Takes the price off a subscription. */
function joinForFree(fan: Subscription): void {
  Object.assign(fan, { price: 0, spans: fan.spans.map((span) => ({ ...span, price: 0 })) })
}

/** The payments for the paid messages that fans bought in their chats. */
function buyMessages(seeding: Seeding, plan: Plan, { fans, paidMessages }: PurchaseInputs): Transaction[] {
  const byFan = new Map(fans.map((fan) => [fan.fanId, fan]))
  return paidMessages.flatMap((message) => {
    const fan = byFan.get(message.fanId)
    if (fan === undefined || message.purchasedAt === null) return []
    const time = fromIso(message.purchasedAt)
    return toTransaction(seeding, plan, { fan, time, amount: message.price, category: 'message', messageId: message.id })
  })
}

/** A function that draws one purchase of a fan, at a time that is given or drawn: a tip, an unlocked post or something else. */
function* createPurchases(
  seeding: Seeding,
  plan: Plan,
  { posts, fans }: PurchaseInputs,
): Work<(fan: Subscription, at?: number) => Transaction> {
  const { random } = seeding
  const { tips, generousTips, otherPurchases } = seeding.texts.prices
  const all: { post: SeededPost; time: number }[] = []
  yield* inUnits(posts, (post) => all.push({ post, time: fromIso(post.postedAt) }))
  const paid = all.filter(({ post }) => post.price > 0)
  const unlocked = new Set<string>()
  const habits = new Map(
    fans.map((fan, place) => [
      fan,
      {
        from: fromIso(fan.subscribedAt),
        until: Math.min(fromIso(fan.expiredAt), seeding.now - 1000),
        tips: place < fans.length / 10 ? generousTips : tips,
      },
    ]),
  )
  return (fan, at) => {
    const { from, until, tips: usual } = habits.get(fan) ?? { from: seeding.now, until: seeding.now, tips }
    const drawn = momentBetween(seeding, from, until)
    const time = at ?? drawn
    const category = random.weighted(categoryWeights)
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

/** The newest post at that time, or the one so many before it; undefined when none was out. */
function lastBefore(posts: readonly { post: SeededPost; time: number }[], time: number, back: number): SeededPost | undefined {
  const after = partition(posts, (each) => each.time > time)
  return after === 0 ? undefined : posts[Math.max(0, after - 1 - back)]?.post
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

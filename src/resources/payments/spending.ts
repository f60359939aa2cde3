import type { Random } from '../../engine/random.ts'
import { partition } from '../../engine/store/sorted-list.ts'
import { fromIso, hourMs } from '../../engine/time.ts'
import { inUnits } from '../../engine/work.ts'
import type { Work } from '../../engine/work.ts'
import { createPicker } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import type { SeededPost } from '../posts/seeded-posts.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { toTransaction } from './draw.ts'
import { drawTip } from './tips.ts'
import type { Transaction } from './transactions.table.ts'

/** The fans who pay, and the published posts that they can pay for, oldest first. */
export interface Shop {
  fans: readonly Subscription[]
  posts: readonly SeededPost[]
}

/** Draws one purchase of a fan, at a time that is given or drawn: a tip, an unlocked post or something else. Epoch ms. */
export type DrawPurchase = (fan: Subscription, at?: number) => Transaction

/** A time as a subscriber. Epoch ms. */
interface Stay {
  from: number
  until: number
}

/** A fan's times as a subscriber. */
interface Spender {
  stays: readonly Stay[]
  /** How long all of them are together, ms. */
  length: number
  /** How likely a purchase is by this fan, against others. */
  weight: number
}

/** After a post went out, half of those who pay for it do so within so many hours. */
const halfPaidHours = 14

/** Who stays so long buys no more often for staying longer. */
const longStayMs = 180 * 24 * hourMs

/** Among how many of the posts before a moment a fan looks for one to unlock. */
const mostOlderPosts = 24

/** Makes what draws the purchases of an account's fans, and what draws who makes the next one: a few fans spend most. */
export function* createSpending(
  seeding: Seeding,
  plan: AccountPlan,
  { fans, posts }: Shop,
): Work<{ drawPurchase: DrawPurchase; drawSpender: () => Subscription | undefined }> {
  const { random, texts } = seeding
  const { drawSpending } = seeding.audienceOf(plan)
  const { money } = plan.persona
  const { tips, unlocks, others } = money.buys
  const kinds = [
    ['tip', tips],
    ['unlock', unlocks],
    ['unknown', others],
  ] as const
  const all: TimedPost[] = []
  yield* inUnits(posts, (post) => all.push({ post, time: fromIso(post.postedAt) }))
  const paid = all.filter(({ post }) => post.price > 0)
  const unlockedBy = new Map<number, Set<number>>()
  const spenders = new Map<Subscription, Spender>()
  yield* inUnits(fans, (fan) => spenders.set(fan, toSpender(seeding, fan)))
  const drawSpender = createPicker(
    random,
    fans.map((fan) => [fan, spenders.get(fan)?.weight ?? 0] as const),
  )
  const drawPurchase: DrawPurchase = (fan, at) => {
    const spender = spenders.get(fan) ?? toSpender(seeding, fan)
    const stay = drawStay(random, spender)
    const moment = at ?? drawSpending(random, stay.from, stay.until)
    /** When the fan pays for a post of before the moment: then, or soon after it went out, if they were there. */
    const payTime = (postedAt: number) => {
      if (random.chance(0.5)) return moment
      const soon = Math.floor(postedAt - (halfPaidHours * hourMs * Math.log(1 - random.next())) / Math.LN2)
      return at === undefined && soon >= stay.from && soon < stay.until ? soon : moment
    }
    const category = random.weighted(kinds)
    if (category === 'unknown')
      return toTransaction(seeding, plan, { fan, time: moment, amount: random.pick(texts.prices.otherPurchases), category })
    if (category === 'unlock') {
      const unlocked = unlockedBy.get(fan.fanId) ?? new Set()
      const found = findLocked(paid, moment, unlocked)
      if (found !== undefined) {
        const { post, time } = found
        unlockedBy.set(fan.fanId, unlocked.add(post.id))
        return toTransaction(seeding, plan, { fan, time: payTime(time), amount: post.price, category, post })
      }
    }
    const found = random.chance(0.5) ? lastBefore(all, moment, Math.floor(random.next() * random.next() * 4)) : undefined
    const amount = drawTip(random, money, spender.weight > 4 ? 1.5 : 1)
    const time = found === undefined ? moment : payTime(found.time)
    return toTransaction(seeding, plan, { fan, time, amount, category: 'tip', post: found?.post })
  }
  return { drawPurchase, drawSpender }
}

interface TimedPost {
  post: SeededPost
  /** Epoch ms. */
  time: number
}

function toSpender({ random, now }: Seeding, { spans }: Subscription): Spender {
  const stays: Stay[] = []
  let length = 0
  for (let place = 0; place < spans.length; place += 1) {
    const span = spans[place] as Subscription['spans'][number]
    const stay = { from: fromIso(span.from), until: Math.min(fromIso(span.until), now - 1000) }
    if (place > 0 && stay.until <= stay.from) continue
    stays.push(stay)
    length += lengthOf(stay)
  }
  // Few are many times as generous as most, and who stays longer pays more often.
  const generosity = Math.min(16, (1 - random.next()) ** (-1 / 1.1))
  return { stays, length, weight: generosity * Math.min(1, length / longStayMs) }
}

/** One of a fan's stays: a longer one is more likely. */
function drawStay(random: Random, { stays, length }: Spender): Stay {
  let left = random.next() * length
  let place = 0
  while (place < stays.length - 1 && (left -= lengthOf(stays[place] as Stay)) >= 0) place += 1
  return stays[place] ?? { from: 0, until: 0 }
}

function lengthOf({ from, until }: Stay): number {
  return Math.max(1, until - from)
}

/** The newest post before a moment that is not unlocked; undefined when none of the last two dozen is. */
function findLocked(posts: readonly TimedPost[], moment: number, unlocked: ReadonlySet<number>): TimedPost | undefined {
  const newest = partition(posts, ({ time }) => time > moment) - 1
  for (let place = newest; place >= Math.max(0, newest - mostOlderPosts); place -= 1) {
    const timed = posts[place]
    if (timed !== undefined && !unlocked.has(timed.post.id)) return timed
  }
  return undefined
}

/** The newest post before a moment, or the one so many before it; undefined when none was out. */
function lastBefore(posts: readonly TimedPost[], moment: number, back: number): TimedPost | undefined {
  const after = partition(posts, ({ time }) => time > moment)
  return after === 0 ? undefined : posts[Math.max(0, after - 1 - back)]
}

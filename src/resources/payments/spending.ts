import type { Random } from '../../engine/random.ts'
import { fromIso, hourMs } from '../../engine/time.ts'
import { inUnits } from '../../engine/work.ts'
import type { Work } from '../../engine/work.ts'
import { createPicker } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import type { SeededPost } from '../posts/seeded-posts.ts'
import { lastDeedsOn } from '../subscribers/last-deeds.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { toTransaction } from './draw.ts'
import { drawTip } from './tips.ts'
import type { Transaction } from './transactions.table.ts'

/** The fans who pay, and the published posts that they can pay for, oldest first. */
export interface Shop {
  fans: readonly Subscription[]
  posts: readonly SeededPost[]
}

/** What draws the purchases of an account's fans. */
export interface Spending {
  /** Draws who makes the next purchase: a few fans spend most. Undefined without fans. */
  drawSpender: () => Spender | undefined
  /** Draws one purchase, at a time that is given or drawn: a tip, an unlocked post or something else. Epoch ms. */
  drawPurchase: (spender: Spender, at?: number) => Transaction
}

/** A time as a subscriber. Epoch ms. */
interface Stay {
  from: number
  until: number
}

/** A fan who pays, and their times as a subscriber. */
export interface Spender {
  fan: Subscription
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

/** Which share of those who saw a post buys it at most: some posts are wanted more than others. */
const mostBuyers = [0.1, 0.45] as const

/** Among how many of the posts before a moment a fan looks for one to unlock. */
const mostOlderPosts = 24

/** Makes what draws the purchases of an account's fans. */
export function* createSpending(seeding: Seeding, plan: AccountPlan, { fans, posts }: Shop): Work<Spending> {
  const { random, texts } = seeding
  const { drawSpending } = seeding.audienceOf(plan)
  const { money } = plan.persona
  const { tips, unlocks, others } = money.buys
  const kinds = [
    ['tip', tips],
    ['unlock', unlocks],
    ['unknown', others],
  ] as const
  const all = yield* createWall(random, posts)
  const paid = yield* createWall(
    random,
    posts.filter(({ price }) => price > 0),
  )
  const unlockedBy = new Map<number, Set<number>>()
  const spenders: (readonly [Spender, number])[] = []
  const lastDeed = lastDeedsOn(seeding, plan.account)
  yield* inUnits(fans, (fan) => {
    const spender = toSpender(seeding, fan, lastDeed(fan.fanId))
    spenders.push([spender, spender.weight])
  })
  const drawSpender = createPicker(random, spenders)
  const drawPurchase = (spender: Spender, at?: number) => {
    const { fan } = spender
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
      const unlocked = unlockedBy.get(fan.fanId)
      const place = findLocked(paid, moment, unlocked)
      const post = place === -1 ? undefined : paid.posts[place]
      if (post !== undefined) {
        if (unlocked === undefined) unlockedBy.set(fan.fanId, new Set([post.id]))
        else unlocked.add(post.id)
        paid.left[place] = (paid.left[place] ?? 0) - 1
        return toTransaction(seeding, plan, { fan, time: payTime(paid.times[place] ?? 0), amount: post.price, category, post })
      }
    }
    const place = random.chance(0.5) ? lastBefore(all, moment, Math.floor(random.next() * random.next() * 4)) : -1
    const post = place === -1 ? undefined : all.posts[place]
    const amount = drawTip(random, money, spender.weight > 4 ? 1.5 : 1)
    const time = post === undefined ? moment : payTime(all.times[place] ?? 0)
    return toTransaction(seeding, plan, { fan, time, amount, category: 'tip', post })
  }
  return { drawPurchase, drawSpender }
}

/** Posts, oldest first, and when each went out. */
interface Wall {
  posts: readonly SeededPost[]
  /** Epoch ms. A list of numbers is searched without a look at any post. */
  times: Float64Array
  /** How many may still buy each of them. */
  left: Float64Array
}

function* createWall(random: Random, posts: readonly SeededPost[]): Work<Wall> {
  const [least, most] = mostBuyers
  const [times, left] = [new Float64Array(posts.length), new Float64Array(posts.length)]
  let place = 0
  yield* inUnits(posts, ({ postedAt, uniqueLookCount }) => {
    times[place] = fromIso(postedAt)
    left[place] = Math.ceil(uniqueLookCount * (least + (most - least) * random.next()))
    place += 1
  })
  return { posts, times, left }
}

/** Draws how generous a fan is, who pays until `last`, epoch ms. */
export function toSpender({ random, now }: Seeding, fan: Subscription, last = now): Spender {
  const { spans } = fan
  const stays: Stay[] = []
  let length = 0
  for (let place = 0; place < spans.length; place += 1) {
    const span = spans[place] as Subscription['spans'][number]
    const stay = { from: fromIso(span.from), until: Math.min(fromIso(span.until), last - 1000) }
    if (place > 0 && stay.until <= stay.from) continue
    stays.push(stay)
    length += lengthOf(stay)
  }
  // Few are many times as generous as most, and who stays longer pays more often.
  const generosity = Math.min(16, (1 - random.next()) ** (-1 / 1.1))
  return { fan, stays, length, weight: generosity * Math.min(1, length / longStayMs) }
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

/** The place of the newest post before a moment that is not unlocked, nor bought by many; -1 when none of the last two dozen is. */
function findLocked({ posts, times, left }: Wall, moment: number, unlocked: ReadonlySet<number> | undefined): number {
  const newest = countBefore(times, moment) - 1
  for (let place = newest; place >= Math.max(0, newest - mostOlderPosts); place -= 1)
    if ((left[place] ?? 0) > 0 && unlocked?.has(posts[place]?.id ?? 0) !== true) return place
  return -1
}

/** The place of the newest post before a moment, or of the one so many before it; -1 when none was out. */
function lastBefore({ times }: Wall, moment: number, back: number): number {
  const count = countBefore(times, moment)
  return count === 0 ? -1 : Math.max(0, count - 1 - back)
}

/** How many of the times are at a moment or before it. */
function countBefore(times: Float64Array, moment: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) > moment) high = middle
    else low = middle + 1
  }
  return low
}

import { groupBy } from '../../lib/iterables.ts'
import { createRandom } from '../../world/random.ts'
import type { Random } from '../../world/random.ts'
import { parseIso, hourMs } from '../../lib/time.ts'
import { countValuesUpTo, shuffle } from '../seeding.ts'
import type { AccountPlan, SeedContext } from '../seeding.ts'
import type { SeededPost } from '../posts/seed/posting.ts'
import { createLatestActivityLookup } from '../subscribers/find-subscription.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { Purchase, Spender } from './seeded-transactions.ts'
import { pickUnusualTip, pickTipAmount } from './seeded-transactions.ts'

/** Fraction of an account's fans who buy more than their subscription. */
const buyerShare = 0.185
/**
 * Exponent of the power law that determines the number of purchases by rank. `ofFifty` is the
 * exponent for fifty buyers. The exponent is lower for more buyers and higher for fewer buyers.
 */
const concentration = { ofFifty: 0.9, lessPerTenfold: 0.12, morePerTenth: 1.8 }
/**
 * Among few fans, the spending of the best one must not outweigh that of all others. So at least
 * `buyers` of them buy. If there are fewer buyers than `below`, the exponent is `power`, and all
 * tips are of the usual size. `tips` and `unlocks` are factors for the weight of tips and for the
 * number of fans who unlock a post.
 */
const small = { buyers: 6, below: 15, power: 0.45, tips: 0.6, unlocks: 2 }

/**
 * Fans who joined through a link with fewer claimers than `claimers` are `ranks` lower. Otherwise,
 * a single fan may bring nearly all of the revenue of a small link.
 */
const smallLink = { claimers: 24, ranks: 20 }
/** Minimum and range of the factor for the usual tip of a fan, if few fans buy. */
const smallGenerosity = { least: 0.8, range: 1.8 }

/** A time span in which a fan is subscribed. Epoch ms. */
interface SubscribedSpan {
  from: number
  until: number
}

/** Median delay between the publication of a post and a payment for it, hours. */
const halfPaidHours = 14

/** Longer subscription periods count as this length when the number of purchases is chosen. */
const longStayMs = 180 * 24 * hourMs

/**
 * Each post has a random maximum for the fraction of viewers who buy it. These are the lowest and
 * the highest possible maximum. One more fan may buy the post.
 */
const buyerShares = [0.04, 0.22] as const

/**
 * Fraction of tips that are for posts, fraction of posts that receive tips, and fraction of streams
 * among the posts with tips.
 */
const tippedPosts = { ofTips: 0.6, ofPosts: 0.042, streams: 0.7 }

/** Maximum number of older posts to check when looking for one to unlock. */
const maxOlderPosts = 24

/** Average time from the start of a stream to a tip, hours. */
const streamTipHours = 0.7

/**
 * Returns the fans who buy more than their subscription, best spenders first. The weight of their
 * purchases decreases with rank. Fans with long subscriptions are included more often.
 */
export function selectSpenders(
  seeding: SeedContext,
  { account }: AccountPlan,
  fans: readonly Subscription[],
): Spender[] {
  const lastActiveAt = createLatestActivityLookup(seeding, account)
  const { random } = seeding.alike('generosity', account.id)
  const drawn = fans.map((fan) => {
    const spender = createSpender(fan, lastActiveAt(fan.fanId))
    const loyalty = Math.min(1, spender.length / longStayMs)
    return { spender, order: loyalty * loyalty * random.next() }
  })
  const claimers = groupBy(fans, getLinkKey)
  const buyers = drawn
    .toSorted((a, b) => b.order - a.order)
    .slice(0, Math.max(small.buyers, Math.round(fans.length * buyerShare)))
    .map(({ spender }, rank) => {
      const link = getLinkKey(spender.fan)
      const isOfSmallLink =
        link !== undefined && (claimers.get(link)?.length ?? 0) < smallLink.claimers
      return {
        spender,
        rank: rank + (isOfSmallLink ? smallLink.ranks : 0),
      }
    })
    .toSorted((a, b) => a.rank - b.rank)
  const { ofFifty, lessPerTenfold, morePerTenth } = concentration
  const tenfolds = Math.log10(buyers.length / 50)
  const isSmall = hasFewBuyers(buyers)
  const power = isSmall
    ? small.power
    : ofFifty - tenfolds * (tenfolds > 0 ? lessPerTenfold : morePerTenth)
  return buyers.map(({ spender }, rank) => {
    const weight = (0.85 + 0.3 * random.next()) / (rank + 1) ** power
    const generosity = isSmall
      ? smallGenerosity.least + smallGenerosity.range * random.next()
      : 0.7 + 0.8 * Math.min(1, weight * 3)
    return Object.assign(spender, { weight, generosity })
  })
}

/** Returns the link through which a fan joined. Undefined if there is no link. */
function getLinkKey({ trackingLinkId, trialLinkId }: Subscription): string | undefined {
  if (trackingLinkId !== null) return `tracking ${trackingLinkId}`
  return trialLinkId === null ? undefined : `trial ${trialLinkId}`
}

/** True if so few fans of an account buy that tips must not dominate its earnings. */
export function hasFewBuyers({ length }: readonly unknown[]): boolean {
  return length < small.below
}

/** Categories of payments that are not for a post. */
export type OtherCategory = 'tip' | 'unknown'

/**
 * Returns a function that creates a random purchase (unlock or tip) for one of the published posts.
 * Posts must be sorted oldest first. If the time (epoch ms) is omitted, a random time is used. If
 * the fan buys something else, the function returns the category.
 */
export function createPostPurchasePicker(
  seeding: SeedContext,
  plan: AccountPlan,
  { posts, isSmall }: { posts: readonly SeededPost[]; isSmall: boolean },
): (spender: Spender, at?: number) => Purchase | OtherCategory {
  const { random } = seeding
  const { drawSpending } = seeding.getAudience(plan)
  const { money } = plan.persona
  const { tips, unlocks, others } = money.buys
  const kinds = [
    ['tip', isSmall ? tips * small.tips : tips],
    ['unlock', unlocks],
    ['unknown', others],
  ] as const
  const tipped = indexPosts(random, pickTipped(random, posts))
  const paid = indexPosts(
    random,
    posts.filter(({ price }) => price > 0),
    isSmall ? small.unlocks : 1,
  )
  return (spender, at) => {
    const kind = random.pickWeighted(kinds)
    if (kind === 'unknown') return kind
    const { fan } = spender
    const stay = drawStay(random, spender)
    const paidAt = at ?? drawSpending(random, stay.from, stay.until)
    /**
     * Returns the time of a payment for an older post: the given time, or soon after publication if
     * the fan was subscribed then.
     */
    const payTime = (postedAt: number) => {
      if (random.chance(0.5)) return paidAt
      const soon = Math.floor(
        postedAt - (halfPaidHours * hourMs * Math.log(1 - random.next())) / Math.LN2,
      )
      return at === undefined && soon >= stay.from && soon < stay.until ? soon : paidAt
    }
    if (kind === 'unlock') {
      const index = findLocked(paid, paidAt, spender.unlocked)
      const post = index === -1 ? undefined : paid.posts[index]
      if (post !== undefined) {
        spender.unlocked ??= new Set()
        spender.unlocked.add(post.id)
        paid.left[index] = (paid.left[index] ?? 0) - 1
        return {
          fan,
          time: payTime(paid.times[index] ?? 0),
          amount: post.price,
          category: kind,
          post,
        }
      }
    }
    if (!random.chance(tippedPosts.ofTips)) return 'tip'
    const index =
      at === undefined ? drawWithin(random, tipped, stay) : countValuesUpTo(tipped.times, at) - 1
    const post = tipped.posts[index]
    const postedAt = tipped.times[index] ?? 0
    if (post === undefined) return 'tip'
    // Most tips for a stream are sent during the stream, and some after it.
    const meanHours = post.isStream ? streamTipHours : halfPaidHours / 4
    const soon = Math.floor(postedAt - meanHours * hourMs * Math.log(1 - random.next()))
    const left = stay.until - postedAt
    const time = at ?? (soon < stay.until ? soon : postedAt + Math.floor(random.next() * left))
    return { fan, time, amount: drawSpenderTip(random, plan, spender), category: 'tip', post }
  }
}

/**
 * Creates a random purchase that is not for a post. If the time (epoch ms) is omitted, a random
 * time is used.
 */
export function createOtherPurchase(
  seeding: SeedContext,
  plan: AccountPlan,
  { spender, category, at }: OtherPurchase,
): Purchase {
  const { random, texts } = seeding
  const stay = drawStay(random, spender)
  const time = at ?? seeding.getAudience(plan).drawSpending(random, stay.from, stay.until)
  const amount =
    category === 'tip'
      ? (pickUnusualTip(random) ?? drawSpenderTip(random, plan, spender))
      : random.pick(texts.prices.otherPurchases)
  return { fan: spender.fan, time, amount, category }
}

/**
 * A purchase that is not for a post: the fan, the category, and the time (epoch ms) if it is known.
 */
interface OtherPurchase {
  spender: Spender
  category: OtherCategory
  at?: number
}

function drawSpenderTip(random: Random, { persona }: AccountPlan, spender: Spender): number {
  return pickTipAmount(random, persona.money, spender.generosity)
}

/** Selects a few posts with many viewers to receive tips, mostly streams, oldest first. */
function pickTipped(random: Random, posts: readonly SeededPost[]): SeededPost[] {
  const wanted = Math.max(2, Math.round(posts.length * tippedPosts.ofPosts))
  const views = posts.reduce((sum, { uniqueLookCount }) => sum + uniqueLookCount, 0)
  const seen = posts.filter(({ uniqueLookCount }) => uniqueLookCount * posts.length >= views)
  const streams = shuffle(
    random,
    seen.filter(({ isStream }) => isStream),
  ).slice(0, Math.round(wanted * tippedPosts.streams))
  const picked = new Set(streams)
  for (let draw = 0; draw < posts.length && picked.size < Math.min(wanted, posts.length); draw += 1)
    picked.add(random.pick(seen))
  return posts.filter((post) => picked.has(post))
}

/** Posts and their publication times, oldest first. */
interface PostIndex {
  posts: readonly SeededPost[]
  ids: Float64Array
  /** Publication times, epoch ms. A separate array makes the binary search fast. */
  times: Float64Array
  /** Number of further purchases that each post can have. */
  left: Float64Array
}

function indexPosts(random: Random, posts: readonly SeededPost[], factor = 1): PostIndex {
  const [min, max] = buyerShares
  const [ids, times, left] = [
    new Float64Array(posts.length),
    new Float64Array(posts.length),
    new Float64Array(posts.length),
  ]
  let index = 0
  for (const { id, postedAt, uniqueLookCount } of posts) {
    ids[index] = id
    times[index] = parseIso(postedAt)
    left[index] = 1 + Math.ceil(uniqueLookCount * factor * (min + (max - min) * random.next()))
    index += 1
  }
  return { posts, ids, times, left }
}

/** A leaving fan still makes purchases during at least this fraction of the last period. */
const leastInterest = 0.3

/**
 * Picks a random fraction of the last period. During this part, a leaving fan still makes
 * purchases.
 */
function drawInterest(fanId: number): number {
  return leastInterest + (1 - leastInterest) * Math.sqrt(createRandom(0, 'interest', fanId).next())
}

/** Creates a spender of average weight whose last payment is before `last`, epoch ms. */
export function createSpender(fan: Subscription, last: number): Spender {
  const { spans } = fan
  const stays: number[] = []
  let length = 0
  for (let index = 0; index < spans.length; index += 1) {
    const span = spans[index] as Subscription['spans'][number]
    const from = parseIso(span.from)
    const end = parseIso(span.until)
    // A fan who leaves stops buying before the subscription ends.
    const share = index === spans.length - 1 && end < last ? drawInterest(fan.fanId) : 1
    const until = Math.min(Math.floor(from + (end - from) * share), last - 1000)
    if (index > 0 && until <= from) continue
    stays.push(from, until)
    length += Math.max(1, until - from)
  }
  return { fan, stays, length, weight: 0.1, generosity: 1.5, unlocked: undefined }
}

/** Picks a random subscription span of a fan. Longer spans are more likely. */
function drawStay(random: Random, { stays, length }: Spender): SubscribedSpan {
  let left = random.next() * length
  let index = 0
  while (
    index < stays.length - 2 &&
    (left -= Math.max(1, (stays[index + 1] ?? 0) - (stays[index] ?? 0))) >= 0
  )
    index += 2
  return { from: stays[index] ?? 0, until: stays[index + 1] ?? 0 }
}

/**
 * Returns the index of the newest post before a time that the fan has not unlocked and that can
 * still be bought. Returns -1 if none of the last posts matches.
 */
function findLocked(
  { ids, times, left }: PostIndex,
  time: number,
  unlocked: ReadonlySet<number> | undefined,
): number {
  const newest = countValuesUpTo(times, time) - 1
  for (let index = newest; index >= Math.max(0, newest - maxOlderPosts); index -= 1)
    if ((left[index] ?? 0) > 0 && unlocked?.has(ids[index] ?? 0) !== true) return index
  return -1
}

/**
 * Picks a random post published in a subscription span, and returns its index. Returns -1 if there
 * is no such post.
 */
function drawWithin(random: Random, { times }: PostIndex, { from, until }: SubscribedSpan): number {
  const [first, end] = [countValuesUpTo(times, from), countValuesUpTo(times, until)]
  return end > first ? random.integer(first, end - 1) : -1
}

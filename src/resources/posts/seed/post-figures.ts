import { dayMs, hourMs } from '../../../lib/time.ts'
import { busyHours } from '../../../seed/busy-hours.ts'
import type { Random } from '../../../world/random.ts'
import { mostFansOfSmallAccount } from '../../subscribers/find-subscription.ts'
import type { Post } from '../posts.table.ts'
import { noStatistics } from '../posts.ts'
import type { PostingContext } from './posting.ts'

/** Statistics of a post that depend on views and likes. */
type Figures = Pick<
  Post,
  'hasStats' | 'lookCount' | 'uniqueLookCount' | 'lookDuration' | 'likeCount'
>

/** Statistics of every post in an account with `equalTimes`. */
const evenFigures = { lookCount: 168, uniqueLookCount: 120, likeCount: 60 }

/**
 * Picks random numbers of views and likes for a post. Some posts are seen by few people, others by
 * many. A post of the last two hours has no views. Viewers are fans who were subscribed when the
 * post was published, and some fans who subscribed later. Fans who join months later view only a
 * few older posts. A viral post also has viewers who are not fans.
 */
export function pickPostFigures(
  { seeding: { now }, figures: random, plan, crowd }: PostingContext,
  { time, isVideo, isViral }: { time: number; isVideo: boolean; isViral: boolean },
): Figures {
  if (now - time < 2 * hourMs) return noStatistics
  const appeal = drawAppeal(random) * computeBusyness(time)
  const age = 1 - Math.exp((time - now) / dayMs)
  const here = drawViewerCount(random, crowd.at(time), Math.min(0.96, 0.74 * appeal) * age)
  const old = Math.min(now, time + oldDays * dayMs)
  const later =
    drawViewerCount(random, crowd.between(time, old), Math.min(0.9, 0.42 * appeal)) +
    drawViewerCount(random, crowd.between(old, now), shareOfOld(crowd.between(old, now)) * appeal)
  const visitors = isViral ? Math.floor((0.6 + 0.4 * random.next()) * crowd.until(time)) : 0
  const present = crowd.at(time)
  // At most the fans of a small account and its team view a post.
  const isSmall = present < mostFansOfSmallAccount
  const viewers = isSmall ? Math.min(here + later, present + team) : here + later
  const unique = viewers + visitors
  const perViewer = (isVideo ? 1.5 : 1.15) + 1.7 * random.next() ** 2 * Math.sqrt(appeal)
  const looks = Math.floor(unique * perViewer)
  const { lookCount, uniqueLookCount, likeCount } = plan.sizes.equalTimes
    ? evenFigures
    : {
        lookCount: looks,
        uniqueLookCount: unique,
        likeCount: roundRandomly(
          random,
          unique * Math.min(0.6, (0.07 + random.next() * 0.24) * Math.sqrt(appeal)),
        ),
      }
  return {
    hasStats: true,
    lookCount,
    uniqueLookCount,
    lookDuration: Math.floor(
      lookCount * (isVideo ? 4 + 36 * random.next() : 1.2 + random.next() * 2.6),
    ),
    likeCount,
  }
}

/** Number of people besides fans who view the posts of a small account. */
const team = 1
/**
 * Age in days at which a post counts as old, and the fraction of later subscribers who still view
 * an old post.
 */
const oldDays = 90
const oldShare = 0.04
/** In a small account, new fans view more of the older posts. */
const shareOfOld = (newcomers: number) => oldShare + 0.5 / (1 + newcomers / 6)

/** Fractions of posts with few or with many views, each with the factor for the number of views. */
const fates = { flops: 0.13, flopFactor: 0.42, hits: 0.1, hitFactor: 1.45 }

/**
 * Picks a random factor for the number of views of a post. For an ordinary post, its average is 1.
 */
function drawAppeal(random: Random): number {
  const fate = random.next()
  const factor = fate < fates.flops ? fates.flopFactor : fate > 1 - fates.hits ? fates.hitFactor : 1
  return factor * (0.72 + 0.5 * random.next())
}

const busiest = Math.max(...busyHours)

/**
 * Returns the factor for the number of views of a post, based on the hour and weekday of
 * publication.
 */
function computeBusyness(time: number): number {
  const date = new Date(time)
  const isWeekend = date.getUTCDay() === 0 || date.getUTCDay() === 6
  return (isWeekend ? 1.05 : 0.96) * (0.88 + (0.2 * (busyHours[date.getUTCHours()] ?? 0)) / busiest)
}

/** Picks a random number of people who see an item. The number varies around the expected value. */
function drawViewerCount(random: Random, people: number, share: number): number {
  return roundRandomly(random, people * Math.min(0.97, share * (0.85 + 0.3 * random.next())))
}

/**
 * Rounds up or down at random. The average result equals the given number, so that small numbers do
 * not always become 0.
 */
function roundRandomly(random: Random, number: number): number {
  return Math.floor(number + random.next())
}

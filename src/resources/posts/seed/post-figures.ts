import { dayMs, hourMs } from '../../../lib/time.ts'
import type { Random } from '../../../world/random.ts'
import type { Post } from '../posts.table.ts'
import { noStatistics } from '../posts.ts'
import type { Posting } from './posting.ts'

/** The figures that depend on views and likes. */
type Figures = Pick<
  Post,
  'hasStats' | 'lookCount' | 'uniqueLookCount' | 'lookDuration' | 'likeCount'
>

/** The figures of all posts of an account with `equalTimes`. */
const evenFigures = { lookCount: 168, uniqueLookCount: 120, likeCount: 60 }

/**
 * Draws the views and likes of a post. A post of the last two hours has none. The viewers are
 * subscribers at that time and some who subscribed later. A viral post also has other viewers.
 */
export function figuresOf(
  { seeding: { random, now }, plan, crowd }: Posting,
  { time, isVideo, isViral }: { time: number; isVideo: boolean; isViral: boolean },
): Figures {
  if (now - time < 2 * hourMs) return noStatistics
  const here = drawSeen(random, crowd.at(time), 0.7 * (1 - Math.exp((time - now) / dayMs)))
  const later = drawSeen(random, crowd.between(time, Math.min(now, time + 90 * dayMs)), 0.35)
  const visitors = isViral
    ? crowd.at(time) + Math.floor((1 + random.next()) * crowd.until(time))
    : 0
  const unique = here + later + visitors
  const looks = unique + Math.floor(unique * (0.1 + 0.8 * random.next()))
  const { lookCount, uniqueLookCount, likeCount } = plan.sizes.equalTimes
    ? evenFigures
    : {
        lookCount: looks,
        uniqueLookCount: unique,
        likeCount: Math.floor(unique * (0.12 + random.next() * 0.3)),
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

/**
 * Draws the number of people who see something. It is between 0.3 and 1.3 times the expected share.
 */
function drawSeen(random: Random, people: number, share: number): number {
  return Math.floor(people * share * random.next() + people * share * 0.3)
}

import type { VisitorSpike } from '../../../seed/audience.ts'
import { createWeightedPicker } from '../../seeding.ts'
import type { AccountPlan, SeedContext, Mutable } from '../../seeding.ts'
import type { Random } from '../../../world/random.ts'
import type { AccountSizes } from '../../accounts/sizes.ts'
import type { CommentSizes } from '../../comments/comments.table.ts'
import type { LabelSizes } from '../../labels/labels.table.ts'
import type { FanCounter } from '../../subscribers/fan-counter.ts'
import type { CaptionWriter } from '../caption.ts'
import type { PostSizes, Post } from '../posts.table.ts'
import type { MediaPool } from './media-pool.ts'
import { dayMs, hourMs, getStartOfUtcDay } from '../../../lib/time.ts'
import { getUtcOffsetMs } from '../../../seed/local-time.ts'
import type { Persona } from '../../../seed/persona.ts'

export type PostsPlan = AccountPlan<PostSizes & AccountSizes & LabelSizes & CommentSizes>

/** Context for creating the posts of an account. */
export interface PostingContext {
  seeding: SeedContext
  plan: PostsPlan
  mediaPool: MediaPool
  nextCursor: (time: number) => string
  crowd: FanCounter
  /** Labels of the account. Some labels have a topic. */
  labels: readonly { id: number; topics: readonly string[] | undefined }[]
  /** Random source for the views and likes of posts. */
  viewRandom: Random
  /** Random source for the topics of posts. */
  topics: Random
  writer: CaptionWriter
  /** The clock start, ISO. */
  startedAt: string
}

/** Plan of a post to create. `index` is its position among the account's posts, oldest first. */
export interface PostPlan {
  /** Publication time, epoch ms. */
  time: number
  index: number
  /** Cause of the traffic spike that this post starts, if any. */
  spike: VisitorSpike['cause'] | undefined
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
/** Maximum number of attempts to find a day on which the creator posts. */
const maxDraws = 8

/**
 * Creates a function that picks a random time for a post, between two times (epoch ms), on the
 * creator's usual weekdays and hours.
 */
export function createPostTimePicker(
  random: Random,
  persona: Pick<Persona, 'posting' | 'awake' | 'utcOffset' | 'summerTime'>,
) {
  const { days, hours } = persona.posting
  const maxOfADay = Math.max(...weekdays.map((day) => days[day] ?? 1))
  const own = Object.entries(hours).map(([hour, weight]) => [Number(hour), weight] as const)
  const pickHour = createWeightedPicker(
    random,
    own.length > 0 ? own : getPostingHours(persona.awake),
  )
  return (from: number, to: number): number => {
    let time = from
    for (let draw = 0; draw < maxDraws; draw += 1) {
      const day = getStartOfUtcDay(from + Math.floor(random.next() * (to - from)))
      const local = day + (pickHour() ?? 0) * hourMs + Math.floor(random.next() * hourMs)
      time = local - getUtcOffsetMs(persona, local)
      // 1 January 1970 was a Thursday.
      const weight = days[weekdays[(day / dayMs + 4) % 7] ?? 'sun'] ?? 1
      if (time >= from && time < to && random.chance(weight / maxOfADay)) return time
    }
    // Moves the last picked time to the same time of day on an earlier day.
    while (time >= to) time -= dayMs
    return Math.max(time, from)
  }
}

function getPostingHours({ from, until }: Persona['awake']): (readonly [number, number])[] {
  return Array.from({ length: until - from }, (_, place) => [(from + place) % 24, 1] as const)
}

/**
 * A post during seeding. Payments and comments are seeded later and change the statistics of the
 * post.
 */
export type SeededPost = Mutable<Post>

/** Returns the published posts of the account, oldest first. */
export function listPublishedPosts(posts: readonly Post[]): SeededPost[] {
  return posts.filter(({ status }) => status === 'published')
}

/**
 * Raises the number of viewers of a post to at least the number of fans who paid for the post or
 * commented on it.
 */
export function raiseViewCounts(
  { lookCount, uniqueLookCount }: Post,
  fans: number,
): Pick<Post, 'hasStats' | 'lookCount' | 'uniqueLookCount'> {
  return {
    hasStats: true,
    lookCount: Math.max(lookCount, fans),
    uniqueLookCount: Math.max(uniqueLookCount, fans),
  }
}

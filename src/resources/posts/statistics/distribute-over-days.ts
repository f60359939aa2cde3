import { dayMs, getStartOfUtcDay, parseIso } from '../../../lib/time.ts'
import { createRandom } from '../../../world/random.ts'
import type { Post } from '../posts.table.ts'

/** Counts by the start of a UTC day, epoch ms. */
export type CountsByDay = ReadonlyMap<number, number>

/** Maximum number of days over which views and likes are distributed. */
const maxSpreadDays = 180

/** Factors for the days of the week, starting with Sunday. */
const weekdays = [1.12, 0.95, 0.9, 0.93, 0.97, 1.02, 1.11] as const
/**
 * Probability that a post is shared again on a given day, and the factor for the views of that day.
 */
const revival = { chance: 0.035, factor: 3.5 }

/**
 * Distributes a total over the days after publication, weighted towards the first days. Each post
 * has its own decay rate. Daily counts also vary by weekday and at random. The daily counts add up
 * to exactly the total.
 */
export function distributeOverDays(post: Post, total: number): CountsByDay {
  const posted = parseIso(post.postedAt)
  const first = getStartOfUtcDay(posted)
  const end = parseIso(post.countedUntil)
  const days = Math.min(maxSpreadDays, Math.max(1, (getStartOfUtcDay(end) - first) / dayMs + 1))
  const random = createRandom(0, 'fading', post.id)
  const fading = 0.9 + 1.3 * random.next()
  const missing = (posted - first) / dayMs
  const weights = Array.from({ length: days }, (_, day) => {
    const start = first + day * dayMs
    // The first day starts at the time of publication, and the last day may not be over yet.
    const [from, until] = [Math.max(start, posted), Math.max(posted, Math.min(start + dayMs, end))]
    const noise = 0.55 + 0.9 * random.next() * random.next() + 0.4 * random.next()
    const again = random.chance(revival.chance) ? revival.factor : 1
    const weekday = weekdays[new Date(start).getUTCDay()] ?? 1
    const fresh = (day + 1 - (day === 0 ? 0 : missing)) ** -fading
    return Math.sqrt((until - from) / dayMs) * fresh * weekday * noise * again
  })
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  // The random offset prevents a small total from always falling on the last day.
  const offset = random.next()
  const points = new Map<number, number>()
  let weightSoFar = 0
  let countSoFar = 0
  for (const [day, weight] of weights.entries()) {
    weightSoFar += weight
    const reached =
      day === days - 1 || whole === 0
        ? total
        : Math.min(total, Math.floor((total * weightSoFar) / whole + offset))
    if (reached > countSoFar) points.set(first + day * dayMs, reached - countSoFar)
    countSoFar = reached
  }
  return points
}

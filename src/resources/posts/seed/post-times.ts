import { dayMs, hourMs, getStartOfUtcDay } from '../../../lib/time.ts'
import { getUtcOffsetMs } from '../../../seed/local-time.ts'
import type { Persona } from '../../../seed/persona.ts'
import { createWeightedPicker } from '../../../seed/seeding.ts'
import type { Random } from '../../../world/random.ts'

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

import type { Persona } from '../../../seed/persona.ts'
import type { Random } from '../../../world/random.ts'

/** A part of a series. It is the caption of one post. */
export interface SeriesPart {
  topic: string
  phrase: string
}

/** Minimum and maximum number of posts between one part of a series and the next. */
const steps = { min: 2, max: 5 }
/** At most this fraction of posts are parts of series. */
const maxShare = 0.25

/**
 * Distributes a creator's series over the posts. Returns the parts by post index. Series that do
 * not fit are omitted.
 */
export function planSeries(
  random: Random,
  series: Persona['series'],
  posts: number,
): Map<number, SeriesPart> {
  const planned = new Map<number, SeriesPart>()
  for (const { topic, parts } of series) {
    if (planned.size + parts.length > posts * maxShare) continue
    const places = drawPlaces(random, parts.length, { posts, taken: planned })
    for (const [index, place] of places.entries())
      planned.set(place, { topic, phrase: parts[index] ?? '' })
  }
  return planned
}

/**
 * Picks random post indexes, in ascending order, that no other series uses. Undefined if there are
 * not enough.
 */
function drawPlaces(
  random: Random,
  count: number,
  { posts, taken }: { posts: number; taken: { has: (place: number) => boolean } },
): number[] {
  const step = () => random.integer(steps.min, steps.max)
  let place = random.integer(0, Math.max(0, posts - 1 - count * steps.max))
  const places: number[] = []
  while (places.length < count && place < posts) {
    if (!taken.has(place)) {
      places.push(place)
      place += step()
    } else place += 1
  }
  return places.length === count ? places : []
}

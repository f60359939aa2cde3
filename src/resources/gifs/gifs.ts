import { createRandom } from '../../world/random.ts'
import type { Random } from '../../world/random.ts'
import { compareIds } from '../../data/rows.ts'
import { findPartitionPoint } from '../../lib/iterables.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import { requireTexts } from '../../seed/texts.ts'
import type { World } from '../world.ts'

/** A GIF of the platform's GIF provider. */
export interface Gif {
  id: string
  title: string
  slug: string
  rating: 'g' | 'pg' | 'pg-13'
  width: number
  height: number
}

/** Ratings of GIFs. Listing `g` several times gives half of all GIFs this rating. */
const ratings = ['g', 'g', 'g', 'pg', 'pg', 'pg-13'] as const
/** Possible sizes, as width and height. */
const sizes = [
  [480, 270],
  [480, 480],
  [500, 375],
  [400, 400],
  [480, 360],
  [270, 480],
] as const
const trendingShare = 1 / 8
/** Random seed of the GIFs. All worlds have the same GIFs. */
const gifSeed = 0

/**
 * Searches GIFs by title. Each word of the query must be a prefix of a word in the title. GIFs
 * whose titles contain the most query words in full come first.
 */
export function searchGifs(world: World, query: string): Gif[] {
  const terms = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  if (terms.length === 0) return []
  const { all, words, byWord } = world.cached(computeCatalogue, requireTexts(world))
  const found = terms.map((term) => {
    const places = new Set<number>()
    const start = findPartitionPoint(words, (word) => word >= term)
    for (let at = start; words[at]?.startsWith(term) === true; at += 1)
      for (const place of byWord.get(words[at] ?? '') ?? []) places.add(place)
    return places
  })
  const whole = terms.flatMap((term) => byWord.get(term) ?? [])
  const [first = new Set<number>(), ...others] = found
  // Titles that contain all terms as whole words come first.
  const ranked = Array.from({ length: terms.length + 1 }, (): number[] => [])
  for (const place of [...first].toSorted((a, b) => a - b)) {
    if (!others.every((places) => places.has(place))) continue
    const count = whole.reduce((sum, places) => sum + (places.has(place) ? 1 : 0), 0)
    ranked[terms.length - count]?.push(place)
  }
  return ranked.flat().map((place) => all[place] as Gif)
}

/** Returns the trending GIFs: one eighth of all GIFs. */
export function listTrendingGifs(world: World): readonly Gif[] {
  return world.cached(computeTrendingGifs, requireTexts(world))
}

function computeTrendingGifs(_world: World, { gifs }: SeedTexts): readonly Gif[] {
  return buildCatalogue(gifs, isTrending).toSorted((a, b) => compareIds(a.id, b.id))
}

/**
 * Picks a random trending GIF during seeding and returns its id. Does not build the whole
 * catalogue, because that would take longer than seeding all comments.
 */
export function pickTrendingGifId(random: Random, { moods, subjects }: SeedTexts['gifs']): string {
  for (;;) {
    const mood = random.pick(moods)
    const subject = random.pick(subjects)
    if (isTrending(mood, subject)) return deriveGifFields(mood, subject).id
  }
}

/**
 * All GIFs in id order, the sorted words of their titles, and an inverted index from words to GIFs.
 */
interface Catalogue {
  all: readonly Gif[]
  words: readonly string[]
  byWord: ReadonlyMap<string, ReadonlySet<number>>
}

function computeCatalogue(_world: World, { gifs }: SeedTexts): Catalogue {
  const all = buildCatalogue(gifs, () => true).toSorted((a, b) => compareIds(a.id, b.id))
  const byWord = new Map<string, Set<number>>()
  for (const [place, { title }] of all.entries()) {
    for (const word of title.toLowerCase().split(' ')) {
      const places = byWord.get(word)
      if (places === undefined) byWord.set(word, new Set([place]))
      else places.add(place)
    }
  }
  return { all, words: [...byWord.keys()].toSorted(compareIds), byWord }
}

function isTrending(mood: string, subject: string): boolean {
  return createRandom(gifSeed, 'trending', mood, subject).chance(trendingShare)
}

/** Builds the catalogue from all pairs of a mood and a matching subject. */
function buildCatalogue(
  { moods, subjects }: SeedTexts['gifs'],
  matches: (mood: string, subject: string) => boolean,
): Gif[] {
  return subjects.flatMap((subject) =>
    moods.filter((mood) => matches(mood, subject)).map((mood) => toGif(mood, subject)),
  )
}

function toGif(mood: string, subject: string): Gif {
  const words = `${mood} ${subject}`
  const { id, rating, width, height } = deriveGifFields(mood, subject)
  const title = `${words.replace(/\b\w/g, (letter) => letter.toUpperCase())} GIF`
  return { id, title, slug: `${words.replaceAll(' ', '-')}-${id}`, rating, width, height }
}

/** Picks random values for the GIF fields that depend on the mood and the subject. */
function deriveGifFields(
  mood: string,
  subject: string,
): Pick<Gif, 'id' | 'rating' | 'width' | 'height'> {
  const random = createRandom(gifSeed, 'gif', mood, subject)
  const [width, height] = random.pick(sizes)
  const rating = random.pick(ratings)
  let id = ''
  for (let place = 0; place < 13; place += 1) id += random.integer(0, 35).toString(36)
  return { id, rating, width, height }
}

import { randomAt } from '../../engine/random.ts'
import { compareIds } from '../../engine/store/rows.ts'
import type { SeedTexts } from '../../world/seed-texts.ts'

/** A GIF of the provider that the platform searches. */
export interface Gif {
  id: string
  title: string
  slug: string
  rating: 'g' | 'pg' | 'pg-13'
  width: number
  height: number
}

/** The ratings to draw from: three in six GIFs are rated g. */
const ratings = ['g', 'g', 'g', 'pg', 'pg', 'pg-13'] as const
/** The sizes to draw from, as width and height. */
const sizes = [
  [480, 270],
  [480, 480],
  [500, 375],
  [400, 400],
  [480, 360],
  [270, 480],
] as const
const trendingShare = 1 / 8
/** The seed of the GIFs: the provider has the same ones in every world. */
const gifSeed = 0

/** Finds the GIFs whose title has, for each word of the query, a word that begins with it. Titles with the most whole words come first. */
export function searchGifs({ gifs }: SeedTexts, query: string): Gif[] {
  const terms = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  if (terms.length === 0) return []
  const found = catalogue(gifs, (mood, subject) => {
    const words = [mood, ...subject.split(' '), 'gif']
    return terms.every((term) => words.some((word) => word.startsWith(term)))
  })
  return found.toSorted((a, b) => countWholeWords(b, terms) - countWholeWords(a, terms) || compareIds(a.id, b.id))
}

/** Lists the GIFs that everybody sends: one of eight. */
export function trendingGifs({ gifs }: SeedTexts): Gif[] {
  return catalogue(gifs, isTrending).toSorted((a, b) => compareIds(a.id, b.id))
}

function isTrending(mood: string, subject: string): boolean {
  return randomAt(gifSeed, 'trending', mood, subject).chance(trendingShare)
}

/** The GIFs of all moods and subjects that match. */
function catalogue({ moods, subjects }: SeedTexts['gifs'], matches: (mood: string, subject: string) => boolean): Gif[] {
  return subjects.flatMap((subject) => moods.filter((mood) => matches(mood, subject)).map((mood) => toGif(mood, subject)))
}

function toGif(mood: string, subject: string): Gif {
  const words = `${mood} ${subject}`
  const random = randomAt(gifSeed, 'gif', mood, subject)
  const [width, height] = random.pick(sizes)
  const rating = random.pick(ratings)
  const id = Array.from({ length: 13 }, () => random.integer(0, 35).toString(36)).join('')
  const title = `${words.replace(/\b\w/g, (letter) => letter.toUpperCase())} GIF`
  return { id, title, slug: `${words.replaceAll(' ', '-')}-${id}`, rating, width, height }
}

/** How many of the search terms are whole words of the title. */
function countWholeWords({ title }: Gif, terms: readonly string[]): number {
  const words = title.toLowerCase().split(' ')
  return terms.filter((term) => words.includes(term)).length
}

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

const ratings = ['g', 'g', 'g', 'pg', 'pg', 'pg-13'] as const
const sizes = [
  [480, 270],
  [480, 480],
  [500, 375],
  [400, 400],
  [480, 360],
  [270, 480],
] as const
const trendingEvery = 8

/** The GIFs whose titles have a word for each word of the query that begins with it, likeliest first. */
export function searchGifs({ gifs }: SeedTexts, query: string): Gif[] {
  const wanted = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  if (wanted.length === 0) return []
  const found = catalogue(gifs, (mood, subject) => {
    const words = [mood, ...subject.split(' '), 'gif']
    return wanted.every((word) => words.some((known) => known.startsWith(word)))
  })
  return found.toSorted((a, b) => fitness(b, wanted) - fitness(a, wanted) || compare(a.id, b.id))
}

/** The GIFs that everybody sends. */
export function trendingGifs({ gifs }: SeedTexts): Gif[] {
  return catalogue(gifs, (mood, subject) => hash(`${subject} of ${mood}`) % trendingEvery === 0).toSorted((a, b) => compare(a.id, b.id))
}

function catalogue({ moods, subjects }: SeedTexts['gifs'], isWanted: (mood: string, subject: string) => boolean): Gif[] {
  return subjects.flatMap((subject) => moods.filter((mood) => isWanted(mood, subject)).map((mood) => toGif(mood, subject)))
}

function toGif(mood: string, subject: string): Gif {
  const words = `${mood} ${subject}`
  const seed = hash(words)
  const [width, height] = sizes[seed % sizes.length] ?? sizes[0]
  const id = (hash(`${words} a`).toString(36).padStart(7, '0') + hash(`${words} b`).toString(36).padStart(7, '0')).slice(0, 13)
  const title = `${words.replace(/\b\w/g, (letter) => letter.toUpperCase())} GIF`
  return { id, title, slug: `${words.replaceAll(' ', '-')}-${id}`, rating: ratings[seed % ratings.length] ?? 'g', width, height }
}

/** How many of the words wanted stand whole in the title. */
function fitness({ title }: Gif, wanted: readonly string[]): number {
  const words = title.toLowerCase().split(' ')
  return wanted.filter((word) => words.includes(word)).length
}

/** FNV-1a of 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value >>> 0
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

import { partitionPoint } from '../../lib/partition-point.ts'
import { dayMs, fromIso, hourMs } from '../../lib/time.ts'
import { momentOf } from '../../seed/moment.ts'
import type { Persona } from '../../seed/persona.ts'
import { publishedPosts } from '../posts/seed/seeded-posts.ts'
import type { Post } from '../posts/posts.table.ts'

/** Maximum age in days of a post that fans mention. */
const spokenDays = 6
/** Maximum age in hours of a post that fans call today's. */
const todayHours = 14
/** Maximum length of a sentence that a fan quotes. */
const maxQuote = 70

/**
 * Returns a function that gives the placeholder values of the newest post at a time (epoch ms):
 * `post`, such as `that clip from Tuesday`, and `quote`, its first sentence. Empty if the post is
 * old.
 */
export function createPostValues(posts: readonly Post[], persona: Persona) {
  const published = publishedPosts(posts).filter(({ bucket }) => bucket === null)
  const times = published.map(({ postedAt }) => fromIso(postedAt))
  return (at: number): (readonly [string, string])[] => {
    const place = partitionPoint(times, (time) => time > at) - 1
    const post = published[place]
    const postedAt = times[place] ?? 0
    if (post === undefined || at - postedAt > spokenDays * dayMs) return []
    const day =
      at - postedAt < todayHours * hourMs
        ? 'from today'
        : `from ${momentOf(persona, postedAt).value('weekday')}`
    const quote = firstWords(post.rawText)
    const noun = nounOf(post)
    return [
      ...(noun === undefined ? [] : [['post', `${noun} ${day}`] as const]),
      ...(quote === undefined ? [] : [['quote', quote] as const]),
    ]
  }
}

/**
 * Returns the noun for a post; undefined without media, because no line mentions posts without
 * media.
 */
function nounOf({ mediaTypes, isStream }: Post): string | undefined {
  if (isStream) return 'the live'
  if (mediaTypes.includes('video')) return 'that clip'
  if (mediaTypes.includes('audio')) return 'that recording'
  if (mediaTypes.length === 0) return undefined
  return mediaTypes.length === 1 ? 'the picture' : 'the pictures'
}

/** Returns the first sentence of a caption without its full stop; undefined if it is too long. */
function firstWords(text: string): string | undefined {
  const end = text.search(/[.!?]/)
  const sentence = end === -1 ? text : text.slice(0, end)
  return sentence.length > maxQuote || sentence.length < 8 ? undefined : sentence
}

import { partitionPoint } from '../../lib/partition-point.ts'
import { dayMs, fromIso, hourMs } from '../../lib/time.ts'
import { momentOf } from '../../seed/moment.ts'
import type { Persona } from '../../seed/persona.ts'
import { publishedPosts } from '../posts/seed/seeded-posts.ts'
import type { Post } from '../posts/posts.table.ts'

/** Fans speak of posts of so many days at most, and call one of so many hours that of today. */
const spokenDays = 6
const todayHours = 14
/** The longest first sentence that a fan quotes. */
const maxQuote = 70

/**
 * Makes the function that tells what a fan can say of the newest post at a time, epoch ms: `post`,
 * such as `that clip from Tuesday`, and `quote`, its first words. None when it is old.
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

/** Returns the name for a post; undefined for one without media, of which the lines do not speak. */
function nounOf({ mediaTypes, isStream }: Post): string | undefined {
  if (isStream) return 'the live'
  if (mediaTypes.includes('video')) return 'that clip'
  if (mediaTypes.includes('audio')) return 'that recording'
  if (mediaTypes.length === 0) return undefined
  return mediaTypes.length === 1 ? 'the picture' : 'the pictures'
}

/** The first sentence of a caption, without its stop; undefined when that is long. */
function firstWords(text: string): string | undefined {
  const end = text.search(/[.!?]/)
  const sentence = end === -1 ? text : text.slice(0, end)
  return sentence.length > maxQuote || sentence.length < 8 ? undefined : sentence
}

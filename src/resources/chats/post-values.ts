import { findPartitionPoint } from '../../lib/partition-point.ts'
import { dayMs, parseIso, hourMs, toIsoTime } from '../../lib/time.ts'
import { createPhraseContext } from '../../seed/phrase-context.ts'
import type { Persona } from '../../seed/persona.ts'
import { listPublishedPosts } from '../posts/seed/seeded-posts.ts'
import type { Post } from '../posts/posts.table.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'

/** Placeholder values that describe the newest post. */
export interface PostValues {
  /** A phrase that refers to the post, such as `that clip from Tuesday`. */
  post: string | undefined
  /** The first words of the post. */
  quote: string | undefined
}

/** Looks up what chats can mention about the posts of an account at a time (epoch ms). */
export interface PostLookup {
  valuesAt: (at: number) => PostValues
  /**
   * Returns tags about the account: `live` after a stream, `streams` if it streams at that time,
   * `clip` after a video, `posted` after a post, `postday` on the day of a post, `picture` if the
   * newest post has a photo or video, `soon` before a post, `comments` after a post with comments,
   * `history` if it has many posts, and `crowd` if it has many subscribers.
   */
  tagsAt: (at: number) => string
}

/** The period during which chats mention each kind of post, days. */
const tagDays = { live: 6, streams: 45, clip: 10, posted: 5, postday: 0.5, comments: 40 } as const

/** Creators announce a post at most this long before it. */
const soonMs = 36 * hourMs

/** Numbers of posts and of subscribers that count as many. */
const many = { posts: 30, subscribers: 40 } as const

/**
 * Fans mention a post by its day until it is this old, and then as the last one, days. Fans do not
 * mention older posts.
 */
const spokenDays = { byDay: 6, asLast: 20 } as const
/** Fans say that a post is `from today` only if it is at most this old, hours. */
const todayHours = 14
/** Fans do not quote a first sentence that is longer than this, characters. */
const maxQuote = 70

const noPost: PostValues = { post: undefined, quote: undefined }

/** Creates a lookup of the newest post's values at a time. An old post has no values. */
export function createPostLookup(
  posts: readonly Post[],
  subscriptions: readonly Subscription[],
  persona: Persona,
): PostLookup {
  const published = listPublishedPosts(posts).filter(({ bucket }) => bucket === null)
  const times = published.map(({ postedAt }) => parseIso(postedAt))
  /** Placeholder values of each post, for its first day and for the time after that. */
  const known: { today: PostValues; later: PostValues; last: PostValues }[] = []
  const timesOf = (isOne: (post: Post) => boolean) =>
    times.filter((_, place) => isOne(published[place] as Post))
  const streams = timesOf(({ isStream }) => isStream)
  const clips = timesOf(({ mediaTypes, isStream }) => !isStream && mediaTypes.includes('video'))
  const discussed = timesOf(({ commentCount }) => commentCount > 0)
  const spans = subscriptions.flatMap((subscription) => subscription.spans)
  const begins = spans.map(({ from }) => from).sort()
  const ends = spans.map(({ until }) => until).sort()
  const countUntil = (sorted: readonly string[], time: string) =>
    findPartitionPoint(sorted, (each) => each > time)
  const isSince = (known: readonly number[], at: number, days: number) =>
    at - (known[findPartitionPoint(known, (time) => time > at) - 1] ?? -Infinity) < days * dayMs
  const tagsAt = (at: number) => {
    let tags = ' '
    const next = findPartitionPoint(times, (time) => time > at)
    const age = at - (times[next - 1] ?? -Infinity)
    if (age < tagDays.posted * dayMs) {
      tags += 'posted '
      if (age < tagDays.postday * dayMs) tags += 'postday '
      if (published[next - 1]?.mediaTypes.some((type) => type !== 'audio') === true)
        tags += 'picture '
    }
    if ((times[next] ?? Infinity) - at < soonMs) tags += 'soon '
    if (isSince(streams, at, tagDays.live)) tags += 'live '
    if (isSince(streams, at, tagDays.streams)) tags += 'streams '
    if (isSince(clips, at, tagDays.clip)) tags += 'clip '
    if (isSince(discussed, at, tagDays.comments)) tags += 'comments '
    if (next >= many.posts) tags += 'history '
    const time = toIsoTime(at)
    if (countUntil(begins, time) - countUntil(ends, time) >= many.subscribers) tags += 'crowd '
    return tags
  }
  const valuesAt = (at: number): PostValues => {
    const place = findPartitionPoint(times, (time) => time > at) - 1
    const post = published[place]
    const postedAt = times[place] ?? 0
    const age = at - postedAt
    if (post === undefined || age > spokenDays.asLast * dayMs) return noPost
    const { today, later, last } = (known[place] ??= getPostValues(post, postedAt, persona))
    if (age > spokenDays.byDay * dayMs) return last
    return age < todayHours * hourMs ? today : later
  }
  return { valuesAt, tagsAt }
}

function getPostValues(post: Post, postedAt: number, persona: Persona) {
  const noun = getMediaNoun(post)
  const quote = getFirstSentence(post.rawText)
  const weekday = createPhraseContext(persona, postedAt).value('weekday')
  return {
    today: { post: noun === undefined ? undefined : `${noun} from today`, quote },
    later: { post: noun === undefined ? undefined : `${noun} from ${weekday}`, quote },
    last: { post: noun?.replace(/^(?:the|that) /, 'the last '), quote: undefined },
  }
}

/** Returns a noun for a post. Undefined for posts without media, which no phrase mentions. */
function getMediaNoun({ mediaTypes, isStream }: Post): string | undefined {
  if (isStream) return 'the live'
  if (mediaTypes.includes('video')) return 'that clip'
  if (mediaTypes.includes('audio')) return 'that recording'
  if (mediaTypes.length === 0) return undefined
  return mediaTypes.length === 1 ? 'the picture' : 'the pictures'
}

/**
 * Returns the first sentence of a caption without its full stop. Undefined if the sentence is too
 * long.
 */
function getFirstSentence(text: string): string | undefined {
  const end = text.search(/[.!?]/)
  const sentence = end === -1 ? text : text.slice(0, end)
  return sentence.length > maxQuote || sentence.length < 8 ? undefined : sentence
}

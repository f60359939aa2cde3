import type { Random } from '../../world/random.ts'
import { toPlainText } from '../../lib/text.ts'
import { dayMs, parseIso, toIsoTime, minuteMs } from '../../lib/time.ts'
import { getEdgeCaseText } from '../../seed/given-names.ts'
import { delayUntilAwake, toLocalDate } from '../../seed/local-time.ts'
import { reassignIdsByTime } from '../../seed/seed-ids.ts'
import type { AccountPlan, Mutable, SeedContext } from '../seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import { writeAsFan } from '../chats/exchanges.ts'
import { listTextValues } from '../fans/fan-values.ts'
import {
  isSmallAccount,
  createLatestActivityLookup,
  resolveAccountAndFan,
} from '../subscribers/find-subscription.ts'
import { deriveLanguage } from '../fans/names.ts'
import { pickTrendingGifId } from '../gifs/gifs.ts'
import { listPublishedPosts, raiseViewCounts } from '../posts/seed/posting.ts'
import type { SeededPost } from '../posts/seed/posting.ts'
import { createActiveFanCheck } from '../subscribers/fan-counter.ts'
import type { IsActiveFan } from '../subscribers/fan-counter.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { Comment, CommentSizes } from './comments.table.ts'
import { CommentWriter, createComment } from './comments.ts'
import { defineFactory } from '../define.ts'
import { TextPicker } from '../../seed/text-picker.ts'
import { getPersona, requireTexts } from '../../seed/texts.ts'

type Plan = AccountPlan<CommentSizes & AccountSizes>

/** Maximum number of attempts to find a fan who could see the post. */
const maxDraws = 24
/**
 * Probabilities that a comment is a GIF, that it is edited later, and that the creator replies to
 * it if a reply is available.
 */
const chances = { gif: 0.03, edit: 0.04, answer: 0.45 }

/**
 * Seeds comments on the published posts of an account, and sets the comment counts of these posts.
 * Authors are subscribed when they comment. If the scenario sets the number of comments and no fan
 * is subscribed at that time, any fan can be the author.
 */
export function seedComments(seeding: SeedContext, { account, sizes, persona }: Plan): void {
  const posts: SeededPost[] = listPublishedPosts(seeding.rows.posts)
  const fans = seeding.rows.subscriptions
  if (fans.length === 0) return
  const { random, rows, texts, now } = seeding
  const isSpread = sizes.comments === 'spread'
  const writing = seeding.branch('texts').random
  const writer = new CommentWriter(writing, { texts, persona, picker: seeding.picker })
  const people = new Map(seeding.listFans(account.id).map((fan) => [fan.id, fan]))
  const lastActiveAt = createLatestActivityLookup(seeding, account)
  const crowd: Commenters = {
    fans,
    isActiveFan: createActiveFanCheck(fans, lastActiveAt),
    lastActiveAt,
    languages: [],
    isAnyRight: !isSpread,
  }
  const commentsPerLike = isSmallAccount(rows) ? perLike.few : perLike.many
  const drawCount = (post: SeededPost) => countComments(random, post, commentsPerLike)
  for (let postIndex = 0; postIndex < posts.length; postIndex += 1) {
    // Starts with the newest post.
    const post = posts[posts.length - 1 - postIndex] as SeededPost
    const count = sizes.comments === 'spread' ? drawCount(post) : (sizes.comments[postIndex] ?? 0)
    if (count === 0) continue
    const publishedAt = parseIso(post.postedAt)
    const before = rows.comments.length
    for (let index = 0; index < count; index += 1) {
      // If the scenario asks for equal times, groups of three comments share a minute.
      const delay = sizes.equalTimes ? Math.floor(index / 3) * minuteMs : drawDelay(seeding)
      const isOut = publishedAt + delay < now
      const at = isOut ? publishedAt + delay : drawCommentTime(random, publishedAt, now)
      const place = pickFan(random, crowd, at)
      const fan = fans[place]
      if (fan === undefined) continue
      const occasion = {
        local: toLocalDate(persona, at),
        values: listTextValues(texts, { fan: people.get(fan.fanId), account }),
      }
      const language = (crowd.languages[place] ??= deriveLanguage(texts, fan.fanId))
      const drawn = writer.write(post.topic, occasion, language)
      const text =
        sizes.texts === 'edge'
          ? toPlainText(getEdgeCaseText(texts, rows.comments.length))
          : language === 'en'
            ? writeAsFan(fan.fanId, drawn.text)
            : drawn.text
      const comment = addComment(seeding, post, { fanId: fan.fanId, at, text })
      if (isSpread && random.chance(chances.gif)) {
        comment.text = ''
        comment.giphyId = pickTrendingGifId(random, texts.gifs)
      }
      if (isSpread && random.chance(chances.edit))
        comment.changedAt = toIsoTime(
          Math.min(at + random.integer(minuteMs, 40 * minuteMs), now - 1000),
        )
      if (index === 0) comment.isPinned = random.chance(0.05)
      const readAt = at + random.integer(4 * minuteMs, 400 * minuteMs)
      if (!isSpread || drawn.reply === undefined || comment.giphyId !== null) continue
      const answeredAt = delayUntilAwake(persona, readAt)
      if (answeredAt >= now || !random.chance(chances.answer)) continue
      const answer = addComment(seeding, post, {
        fanId: account.id,
        at: answeredAt,
        text: drawn.reply,
      })
      Object.assign(answer, { isLiked: false, isLikedByAuthor: false })
    }
    const made = rows.comments.length - before
    if (made > 0) Object.assign(post, { commentCount: made }, raiseViewCounts(post, made))
  }
  reassignIdsByTime(rows.comments, ({ postedAt }) => postedAt)
}

interface Commenters {
  fans: readonly Subscription[]
  isActiveFan: IsActiveFan
  /** Returns the time of a fan's last activity, epoch ms. */
  lastActiveAt: (fanId: number) => number
  /** The language of each fan, by index. Derived on first use. */
  languages: (string | undefined)[]
  /** True if fans who are not subscribed at that time may also comment. */
  isAnyRight: boolean
}

/** A comment has at most this fraction of the likes of its post. */
const likers = 0.25

/**
 * Average number of comments per like of a post. A few posts have more comments. The fans of an
 * account with few fans comment more often.
 */
const perLike = { many: 0.055, few: 1.2 }
/** Every stream, and one in `each` posts, gets `times` as many comments as usual. */
const talkedAbout = { each: 9, times: 2.4 }

function countComments(
  random: Random,
  { likeCount, isStream, id }: SeededPost,
  commentsPerLike: number,
): number {
  const factor = isStream || id % talkedAbout.each === 0 ? talkedAbout.times : 1
  return Math.floor(likeCount * commentsPerLike * factor * random.next() + random.next())
}

/**
 * Returns a random delay between a post and a comment. The delay is usually a few hours, and at
 * most ten days.
 */
function drawDelay({ random }: SeedContext): number {
  return (
    Math.floor(random.next() * random.next() * (random.chance(0.7) ? dayMs : 10 * dayMs)) + minuteMs
  )
}

/** Returns a random time between the publication and one second ago, epoch ms. */
function drawCommentTime(random: Random, publishedAt: number, now: number): number {
  const end = Math.max(publishedAt, now - 1000)
  return publishedAt + Math.floor(random.next() * (end - publishedAt))
}

function addComment(
  seeding: SeedContext,
  post: SeededPost,
  { fanId, at, text }: { fanId: number; at: number; text: string },
): Mutable<Comment> {
  const { random, rows } = seeding
  // A few comments have many likes.
  const likes = Math.floor(Math.min(40, post.likeCount * likers) * random.next() ** 4)
  const isLiked = random.chance(0.3)
  const isLikedByAuthor = random.chance(0.3)
  const comment: Mutable<Comment> = Object.assign(
    createComment(post, { id: seeding.nextId('comments'), fanId, text, postedAt: toIsoTime(at) }),
    { likesCount: Math.max(likes, Number(isLiked || isLikedByAuthor)), isLiked, isLikedByAuthor },
  )
  rows.comments.push(comment)
  return comment
}

/**
 * Picks a random fan who is subscribed at a time (epoch ms), and returns the index. After too many
 * failed attempts, returns -1. If any fan may comment, returns the last active fan that was tried
 * instead.
 */
function pickFan(
  random: Random,
  { fans, isActiveFan: isPresent, lastActiveAt, isAnyRight }: Commenters,
  at: number,
): number {
  let other = -1
  for (let draw = 0; draw < maxDraws; draw += 1) {
    const place = random.integer(0, fans.length - 1)
    if (isPresent(place, at)) return place
    if (isAnyRight && at <= lastActiveAt(fans[place]?.fanId ?? 0)) other = place
  }
  return other
}

/** Fills in missing fields of comments. By default, a fan is the author. */
export const commentFactory = defineFactory({
  name: 'comment',
  table: 'comments',
  time: 'postedAt',
  complete(given, context) {
    const postId = given.postId ?? undefined
    const { accountId, fanId } = resolveAccountAndFan(context, {
      ...given,
      accountId: context.accountId(given),
    })
    const { world, random, at } = context
    const texts = requireTexts(world)
    const persona = getPersona(texts, world.db.accounts.get(accountId))
    const post =
      postId ??
      context.only(
        'postId',
        world.db.posts.in('published', accountId).walk(),
        `published post of the account ${accountId}`,
      )
    const writer = new CommentWriter(random, { texts, persona, picker: new TextPicker(random) })
    return {
      accountId,
      postId: post,
      fanId,
      text: writer.write(world.db.posts.get(post)?.topic ?? '', {
        local: toLocalDate(persona, at),
      }).text,
      postedAt: context.iso,
      changedAt: context.iso,
    }
  },
})

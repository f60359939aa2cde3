import { dayMs, fromIso, toIso, minuteMs } from '../../engine/time.ts'
import type { Work } from '../../engine/work.ts'
import { awakeAfter, momentOf } from '../../world/moment.ts'
import { ownRows } from '../../world/seeding.ts'
import type { AccountPlan, Mutable, Seeding } from '../../world/seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import { languageOf } from '../fans/names.ts'
import { drawTrending } from '../gifs/gifs.ts'
import { publishedPosts, seenBy } from '../posts/seeded-posts.ts'
import type { SeededPost } from '../posts/seeded-posts.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { Comment } from './comments.table.ts'
import type { CommentSizes } from './sizes.ts'
import { CommentWriter } from './writer.ts'

type Plan = AccountPlan<CommentSizes & AccountSizes>

/** How many posts go into a unit of work. */
const postsPerUnit = 64
/** How many fans are drawn to find one who could see the post. */
const mostDraws = 24
/** How often a comment is a GIF alone, is edited later, and is answered where the creator has an answer. */
const chances = { gif: 0.03, edit: 0.04, answer: 0.45 }

/**
 * Seeds comments on the published posts of an account, and sets the comment counts of the posts. Those who comment have a subscription at
 * that time; where a scenario says how many comments there are, and nobody has one, any fan comments.
 */
export function* seedComments(seeding: Seeding, { account, sizes, persona }: Plan): Work {
  const posts: SeededPost[] = publishedPosts(seeding.rows.posts, account)
  const fans = ownRows(seeding.rows.subscriptions, account)
  if (fans.length === 0) return
  const { random, rows } = seeding
  const isSpread = sizes.comments === 'spread'
  const writer = new CommentWriter(seeding.branch('texts').random, { texts: seeding.texts, persona })
  const newestFirst = posts.toReversed()
  const drawCount = (post: SeededPost) => (post.hasStats ? Math.floor(random.next() * random.next() * 16) : 0)
  for (const [postIndex, post] of newestFirst.entries()) {
    if (postIndex % postsPerUnit === postsPerUnit - 1) yield
    const count = sizes.comments === 'spread' ? drawCount(post) : (sizes.comments[postIndex] ?? 0)
    if (count === 0) continue
    const publishedAt = fromIso(post.postedAt)
    const before = rows.comments.length
    for (let index = 0; index < count; index += 1) {
      // With equal times, three comments share each minute.
      const delay = sizes.equalTimes ? Math.floor(index / 3) * minuteMs : drawDelay(seeding)
      const at = Math.min(publishedAt + delay, seeding.now - 1000)
      const fan = pickFan(seeding, fans, { instant: toIso(at), isAnyRight: !isSpread })
      if (fan === undefined) continue
      const drawn = writer.write(post.topic, momentOf(persona, at), languageOf(seeding.texts.names, fan.fanId))
      const comment = addComment(seeding, post, { fanId: fan.fanId, at, text: drawn.text })
      if (isSpread && random.chance(chances.gif)) Object.assign(comment, { text: '', giphyId: drawTrending(random, seeding.texts.gifs).id })
      if (isSpread && random.chance(chances.edit))
        comment.changedAt = toIso(Math.min(at + random.integer(1, 40) * minuteMs, seeding.now - 1000))
      if (index === 0) comment.isPinned = random.chance(0.05)
      const answeredAt = awakeAfter(persona, at + random.integer(4, 400) * minuteMs)
      if (
        !isSpread ||
        drawn.answer === undefined ||
        comment.giphyId !== null ||
        answeredAt >= seeding.now ||
        !random.chance(chances.answer)
      )
        continue
      Object.assign(
        addComment(seeding, post, { fanId: account.id, at: answeredAt, text: writer.answer(drawn.answer, momentOf(persona, at)) }),
        {
          isLiked: false,
          isLikedByAuthor: false,
        },
      )
    }
    const made = rows.comments.length - before
    if (made > 0) Object.assign(post, { commentCount: made }, seenBy(post, made))
  }
}

/** Most comments come within hours of the post, some within ten days. */
function drawDelay({ random }: Seeding): number {
  return Math.floor(random.next() * random.next() * (random.chance(0.7) ? dayMs : 10 * dayMs)) + minuteMs
}

function addComment(
  seeding: Seeding,
  post: SeededPost,
  { fanId, at, text }: { fanId: number; at: number; text: string },
): Mutable<Comment> {
  const { random, rows } = seeding
  const postedAt = toIso(at)
  const comment = {
    id: seeding.nextId('comments'),
    accountId: post.accountId,
    postId: post.id,
    fanId,
    text,
    giphyId: null,
    postedAt,
    changedAt: postedAt,
    likesCount: random.integer(0, 12),
    isLiked: random.chance(0.3),
    isLikedByAuthor: random.chance(0.3),
    isPinned: false,
    canLike: true,
  }
  rows.comments.push(comment)
  return comment
}

/** Draws a fan whose subscription runs at that time. After many draws it takes none, or the last one where any is right. */
function pickFan(
  { random }: Seeding,
  fans: readonly Subscription[],
  { instant, isAnyRight }: { instant: string; isAnyRight: boolean },
): Subscription | undefined {
  let fan = random.pick(fans)
  for (let draw = 1; draw < mostDraws && !isThere(fan, instant); draw += 1) fan = random.pick(fans)
  return isAnyRight || isThere(fan, instant) ? fan : undefined
}

function isThere({ spans }: Subscription, instant: string): boolean {
  return spans.some(({ from, until }) => from <= instant && instant < until)
}

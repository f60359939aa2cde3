import { fromIso, toIso } from '../../engine/time.ts'
import type { Field, Sower } from '../../world/sowing.ts'
import type { Subscription } from '../fans/fans.table.ts'
import { seenBy } from '../posts/seed.ts'
import type { GrowingPost } from '../posts/seed.ts'
import { commentText } from './text.ts'

const hourMs = 3_600_000

/** Sows comments under the published posts of an account, and counts them there. */
export function sowComments(sower: Sower, { account, data }: Field, { posts, fans }: { posts: readonly GrowingPost[]; fans: readonly Subscription[] }): void {
  if (fans.length === 0) return
  const { random, rows } = sower
  const newestFirst = posts.toReversed()
  for (const [place, post] of newestFirst.entries()) {
    const wanted = data.comments === 'spread' ? (post.hasStats ? Math.floor(random.next() * random.next() * 16) : 0) : (data.comments[place] ?? 0)
    if (wanted === 0) continue
    const publishedAt = fromIso(post.postedAt)
    for (let index = 0; index < wanted; index += 1) {
      const delay = data.equalTimes ? Math.floor(index / 3) * 60_000 : Math.floor(random.next() * random.next() * 240 * hourMs)
      const postedAt = toIso(Math.min(publishedAt + delay, sower.now - 1000))
      rows.comments.push({
        id: sower.nextId('comments'),
        accountId: account.id,
        postId: post.id,
        fanId: pickFan(sower, fans, postedAt).fanId,
        text: commentText(sower),
        giphyId: null,
        postedAt,
        changedAt: postedAt,
        likesCount: random.integer(0, 12),
        isLiked: random.chance(0.3),
        isLikedByAuthor: random.chance(0.3),
        isPinned: index === 0 && random.chance(0.05),
        canLike: true,
      })
    }
    Object.assign(post, { commentCount: wanted }, seenBy(post, wanted))
  }
}

/** A fan who had subscribed by then, where a few draws find one. */
function pickFan({ random }: Sower, fans: readonly Subscription[], instant: string): Subscription {
  let fan = random.pick(fans)
  for (let attempt = 0; attempt < 8 && fan.subscribedAt > instant; attempt += 1) fan = random.pick(fans)
  return fan
}

import { fromIso, toIso } from '../../engine/time.ts'
import { ownRows } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import { publishedPosts, seenBy } from '../posts/seeded-posts.ts'
import type { SeededPost } from '../posts/seeded-posts.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { CommentSizes } from './sizes.ts'
import { commentText } from './text.ts'

type Plan = AccountPlan<CommentSizes & AccountSizes>

const hourMs = 3_600_000

/** Seeds comments under the published posts of an account, and counts them there. */
export function seedComments(seeding: Seeding, { account, sizes }: Plan): void {
  const posts: SeededPost[] = publishedPosts(seeding.rows.posts, account)
  const fans = ownRows(seeding.rows.subscriptions, account)
  if (fans.length === 0) return
  const { random, rows } = seeding
  const newestFirst = posts.toReversed()
  for (const [place, post] of newestFirst.entries()) {
    const wanted =
      sizes.comments === 'spread' ? (post.hasStats ? Math.floor(random.next() * random.next() * 16) : 0) : (sizes.comments[place] ?? 0)
    if (wanted === 0) continue
    const publishedAt = fromIso(post.postedAt)
    for (let index = 0; index < wanted; index += 1) {
      const delay = sizes.equalTimes ? Math.floor(index / 3) * 60_000 : Math.floor(random.next() * random.next() * 240 * hourMs)
      const postedAt = toIso(Math.min(publishedAt + delay, seeding.now - 1000))
      rows.comments.push({
        id: seeding.nextId('comments'),
        accountId: account.id,
        postId: post.id,
        fanId: pickFan(seeding, fans, postedAt).fanId,
        text: commentText(seeding),
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
function pickFan({ random }: Seeding, fans: readonly Subscription[], instant: string): Subscription {
  let fan = random.pick(fans)
  for (let attempt = 0; attempt < 8 && fan.subscribedAt > instant; attempt += 1) fan = random.pick(fans)
  return fan
}

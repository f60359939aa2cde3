import { fromIso, toIso, hourMs, minuteMs } from '../../engine/time.ts'
import type { Work } from '../../engine/work.ts'
import { ownRows } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import { publishedPosts, seenBy } from '../posts/seeded-posts.ts'
import type { SeededPost } from '../posts/seeded-posts.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { CommentSizes } from './sizes.ts'
import { commentText } from './text.ts'

type Plan = AccountPlan<CommentSizes & AccountSizes>

/** How many posts go into a unit of work. */
const postsPerUnit = 64

/** Seeds comments on the published posts of an account, and sets the comment counts of the posts. */
export function* seedComments(seeding: Seeding, { account, sizes }: Plan): Work {
  const posts: SeededPost[] = publishedPosts(seeding.rows.posts, account)
  const fans = ownRows(seeding.rows.subscriptions, account)
  if (fans.length === 0) return
  const { random, rows } = seeding
  const newestFirst = posts.toReversed()
  const drawCount = (post: SeededPost) => (post.hasStats ? Math.floor(random.next() * random.next() * 16) : 0)
  for (const [postIndex, post] of newestFirst.entries()) {
    if (postIndex % postsPerUnit === postsPerUnit - 1) yield
    const count = sizes.comments === 'spread' ? drawCount(post) : (sizes.comments[postIndex] ?? 0)
    if (count === 0) continue
    const publishedAt = fromIso(post.postedAt)
    for (let index = 0; index < count; index += 1) {
      // With equal times, three comments share each minute.
      const delay = sizes.equalTimes ? Math.floor(index / 3) * minuteMs : Math.floor(random.next() * random.next() * 240 * hourMs)
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
    Object.assign(post, { commentCount: count }, seenBy(post, count))
  }
}

/** Draws a fan who had subscribed by that time; after nine draws it takes the last one. */
function pickFan({ random }: Seeding, fans: readonly Subscription[], instant: string): Subscription {
  let fan = random.pick(fans)
  for (let attempt = 0; attempt < 8 && fan.subscribedAt > instant; attempt += 1) fan = random.pick(fans)
  return fan
}

import { inUnits } from '../../engine/work.ts'
import type { Work } from '../../engine/work.ts'
import { ownRows } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import { publishedPosts } from '../posts/seeded-posts.ts'

/** Sums the likes and tips of the posts that show a media item, for each media item of an account. */
export function* seedEngagement({ rows }: Seeding, { account }: AccountPlan): Work {
  const vault = ownRows(rows.vaultMedia, account)
  const posts = publishedPosts(rows.posts, account)
  const counters = new Map(vault.map(({ id }) => [id, { likesCount: 0, tipsSumm: 0 }]))
  yield* inUnits(posts, ({ mediaFiles, likeCount, tipSum }) => {
    for (const id of mediaFiles) {
      const counter = counters.get(id)
      if (counter === undefined) continue
      counter.likesCount += likeCount
      counter.tipsSumm += tipSum
    }
  })
  for (const media of vault) Object.assign(media, counters.get(media.id))
}

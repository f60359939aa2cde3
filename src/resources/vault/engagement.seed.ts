import { ownRows } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import { publishedOf } from '../posts/stats.ts'

/** Gives the media the likes and tips of the posts that show them. */
export function seedEngagement({ rows }: Seeding, { account }: AccountPlan): void {
  const vault = ownRows(rows.vaultMedia, account)
  const posts = publishedOf(rows.posts, account)
  const counters = new Map(vault.map(({ id }) => [id, { likesCount: 0, tipsSumm: 0 }]))
  for (const { mediaFiles, likeCount, tipSum } of posts) {
    for (const id of mediaFiles) {
      const counter = counters.get(id)
      if (counter === undefined) continue
      counter.likesCount += likeCount
      counter.tipsSumm += tipSum
    }
  }
  for (const media of vault) Object.assign(media, counters.get(media.id))
}

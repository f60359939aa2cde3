import type { Mutable, SeedContext } from '../../seed/seeding.ts'
import { listPublishedPosts } from '../posts/seed/seeded-posts.ts'
import type { VaultMedia } from './vault.table.ts'

/** Adds up the likes and tips of the posts that contain each media item of the account. */
export function seedMediaEngagement({ rows }: SeedContext): void {
  const byId = new Map<number, Mutable<VaultMedia>>()
  for (const media of rows.vaultMedia) byId.set(media.id, media)
  for (const { mediaFiles, likeCount, tipSum } of listPublishedPosts(rows.posts)) {
    for (const id of mediaFiles) {
      const media = byId.get(id)
      if (media === undefined) continue
      media.likesCount += likeCount
      media.tipsSumm += tipSum
    }
  }
}

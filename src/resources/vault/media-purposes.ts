import type { VaultMedia } from './vault.table.ts'

/**
 * The use of a media item in seeded data. Each item has only one use, so that it is not sold twice.
 */
export type Purpose = 'posts' | 'offers' | 'massMessages'

/** The uses of media, in a cycle of five. */
const turns: readonly Purpose[] = ['posts', 'offers', 'posts', 'offers', 'massMessages']
/** Number of oldest media items, which are all used for posts. */
const firstMedia = 8
/**
 * Minimum size of a vault for each media item to have only one use. In a smaller vault, all media
 * can have all uses.
 */
const leastMedia = 12

/** Returns the creator's media for a given use, oldest first. */
export function selectMediaForPurpose(
  purpose: Purpose,
  vault: readonly VaultMedia[],
): readonly VaultMedia[] {
  const own = vault.filter(({ senderId }) => senderId === undefined)
  if (own.length < leastMedia) return own
  // Media in transcoding are always used for posts.
  return own.filter(
    ({ isReady }, place) =>
      (place < firstMedia || !isReady ? 'posts' : turns[place % turns.length]) === purpose,
  )
}

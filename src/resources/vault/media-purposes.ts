import type { VaultMedia } from './vault.table.ts'

/**
 * The use of a media item in seeded data. Each item has only one use, so that it is not sold twice.
 */
export type Purpose = 'posts' | 'offers' | 'massMessages'

/** The uses of five consecutive media, which are repeated. */
const turns: readonly Purpose[] = ['posts', 'offers', 'posts', 'offers', 'massMessages']
/** Number of oldest media that are all used for posts. */
const firstMedia = 8
/**
 * Minimum size of a vault in which each media item has only one use. In a smaller vault, each media
 * item can have all uses.
 */
const leastMedia = 12

/** Returns the creator's media for a use, oldest first. */
export function selectMediaForPurpose(
  purpose: Purpose,
  vault: readonly VaultMedia[],
): readonly VaultMedia[] {
  const own = vault.filter(({ senderId }) => senderId === undefined)
  if (own.length < leastMedia) return own
  // Media in transcoding are used for posts.
  return own.filter(
    ({ isReady }, place) =>
      (place < firstMedia || !isReady ? 'posts' : turns[place % turns.length]) === purpose,
  )
}

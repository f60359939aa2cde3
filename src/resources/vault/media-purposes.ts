import type { VaultMedia } from './vault.table.ts'

/**
 * The use of a media item in seeded data. Each item has only one use, so that it is not sold twice.
 */
export type Purpose = 'posts' | 'offers' | 'massMessages'

/** The uses of media, in a cycle of ten. */
const turns: readonly Purpose[] = [
  'posts',
  'offers',
  'posts',
  'massMessages',
  'offers',
  'posts',
  'posts',
  'massMessages',
  'offers',
  'posts',
]
/** Number of oldest media that are all used for posts. */
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
  return own.filter(({ isReady }, place) => findPurpose(place, isReady) === purpose)
}

/** Returns the use of the media item at a place in a large vault. */
function findPurpose(place: number, isReady: boolean): Purpose {
  // Media in transcoding are used for posts.
  return place < firstMedia || !isReady ? 'posts' : (turns[place % turns.length] ?? 'posts')
}

/** True if the media item at a place in a vault of a given size is only shown to fans who pay. */
export function isForSale(place: number, vaultSize: number): boolean {
  return vaultSize >= leastMedia && findPurpose(place, place < vaultSize - 2) !== 'posts'
}

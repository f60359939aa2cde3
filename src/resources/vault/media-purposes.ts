import type { VaultMedia } from './vault.table.ts'

/**
 * The use of a media item in seeded data. Each item has only one use, so that it is not sold twice.
 * `gifts` are sent free of charge in chats.
 */
export type Purpose = 'posts' | 'offers' | 'massMessages' | 'gifts'

/** Uses of media. Ten consecutive media have these uses, and the sequence then repeats. */
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
/** One in this many media is a gift, the first one at `first`. */
const gifts = { each: 20, first: 10 }
/** This number of the oldest media are used for posts only. */
const firstMedia = 8
/**
 * In vaults with at least this many media, each media item has only one use. In smaller vaults, all
 * media can have all uses.
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

/** Returns the use of the media item with the given index in a large vault. */
function findPurpose(place: number, isReady: boolean): Purpose {
  // Media that are still being transcoded are used for posts.
  if (place < firstMedia || !isReady) return 'posts'
  if (place % gifts.each === gifts.first) return 'gifts'
  return turns[place % turns.length] ?? 'posts'
}

/**
 * True if only paying fans can see the media item. Arguments: its index in the vault, and the size
 * of the vault.
 */
export function isForSale(place: number, vaultSize: number): boolean {
  if (vaultSize < leastMedia) return false
  const purpose = findPurpose(place, place < vaultSize - 2)
  return purpose === 'offers' || purpose === 'massMessages'
}

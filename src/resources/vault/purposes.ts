import type { VaultMedia } from './vault.table.ts'

/** The use of a media item in seeded data. An item has only one, so that it is not sold twice. */
export type Purpose = 'posts' | 'offers' | 'massMessages'

/** The purposes of five consecutive media. The pattern repeats. */
const turns: readonly Purpose[] = ['posts', 'offers', 'posts', 'offers', 'massMessages']
/** Number of the oldest media, which are for posts. */
const firstMedia = 8
/** Minimum size of a vault whose media are divided. Those of a smaller one have every purpose. */
const leastMedia = 12

/** Returns the media of the creator for a purpose, oldest first. */
export function mediaFor(purpose: Purpose, vault: readonly VaultMedia[]): readonly VaultMedia[] {
  const own = vault.filter(({ senderId }) => senderId === undefined)
  if (own.length < leastMedia) return own
  // Media that are still being transcoded are shown in posts.
  return own.filter(
    ({ isReady }, place) =>
      (place < firstMedia || !isReady ? 'posts' : turns[place % turns.length]) === purpose,
  )
}

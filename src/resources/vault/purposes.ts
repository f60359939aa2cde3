import type { VaultMedia } from './vault.table.ts'

/** What the media of a seeded vault are used for. No item has two uses, so none is sold twice. */
export type Purpose = 'posts' | 'offers' | 'massMessages'

/** The purposes of five media in a row. */
const turns: readonly Purpose[] = ['posts', 'offers', 'posts', 'offers', 'massMessages']
/** The first media are for posts. A vault of no more is for everything. */
const firstMedia = 8
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

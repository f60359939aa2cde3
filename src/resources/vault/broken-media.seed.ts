import type { Mutable, SeedContext } from '../../seed/seeding.ts'
import type { VaultMedia } from './vault.table.ts'

/** Only vaults with at least this many media get a failed and a locked media item. */
const leastMedia = 80

/**
 * In a large vault, makes the transcoding of one media item fail, and locks another item. Chooses
 * the newest unused media.
 */
export function seedBrokenMedia({ rows }: SeedContext): void {
  if (rows.vaultMedia.length < leastMedia) return
  const shown = new Set<number>()
  for (const list of [rows.posts, rows.messages, rows.massMessages, rows.stories])
    for (const { mediaFiles } of list)
      if (mediaFiles.length > 0) for (const id of mediaFiles) shown.add(id)
  const unused = (rows.vaultMedia as Mutable<VaultMedia>[])
    .filter(({ id, isReady, senderId }) => isReady && senderId === undefined && !shown.has(id))
    .toReversed()
  const [failed, locked] = [unused.find(({ type }) => type === 'video') ?? unused[0], unused.at(-1)]
  if (failed !== undefined) failed.hasError = true
  if (locked !== undefined && locked !== failed) locked.canView = false
}

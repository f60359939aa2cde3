import type { FactoryContext } from '../define-factory.ts'
import { toVaultKey } from './vault.table.ts'

/**
 * Picks a random photo from the account's vault that is ready at the time of the record. Empty if
 * there is no such photo.
 */
export function pickPhoto({ world, random, iso }: FactoryContext, accountId: number): number[] {
  const photos = world.db.vaultMedia.in('recent', toVaultKey({ accountId }, 'photo'))
  const first = photos.rank(({ createdAt }) => createdAt <= iso)
  if (first >= photos.size) return []
  const start = random.integer(first, photos.size - 1)
  for (const { id, isReady } of photos.walk(start)) if (isReady) return [id]
  return []
}

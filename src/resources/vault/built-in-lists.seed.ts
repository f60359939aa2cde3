import type { Mutable, SeedContext } from '../../seed/seeding.ts'
import { builtInLists } from './vault.table.ts'
import type { VaultMedia } from './vault.table.ts'

/** The bit of each built-in list. */
const bits = {
  stories: 1,
  posts: 2,
  messages: 4,
  streams: 8,
  media_stickers: 16,
} as const satisfies Record<(typeof builtInLists)[number], number>

/**
 * Adds the media of an account to the built-in lists. Runs after posts, messages and stories are
 * seeded.
 */
export function seedBuiltInLists({ rows }: SeedContext): void {
  /** Bit mask of the lists that contain each media item. */
  const listsOf = new Map<number, number>()
  for (const { mediaFiles, isStream } of rows.posts)
    addToList(listsOf, mediaFiles, isStream ? bits.posts | bits.streams : bits.posts)
  for (const { mediaFiles, isFromFan } of rows.messages) {
    if (mediaFiles.length > 0 && !isFromFan) addToList(listsOf, mediaFiles, bits.messages)
  }
  for (const { mediaFiles } of rows.stories) addToList(listsOf, mediaFiles, bits.stories)
  const idOf = new Map<string, number>(rows.vaultLists.map(({ id, type }) => [type, id]))
  for (const media of rows.vaultMedia as Mutable<VaultMedia>[]) {
    if (media.senderId !== undefined) continue
    const lists = listsOf.get(media.id) ?? 0
    // Media that are in no other list count as uploaded. So does every fifth item.
    const isUploaded = media.id % 5 === 2 || lists === 0
    const listIds: number[] = []
    for (const type of builtInLists) {
      const id =
        (lists & bits[type]) !== 0 || (isUploaded && type === 'media_stickers')
          ? idOf.get(type)
          : undefined
      if (id !== undefined) listIds.push(id)
    }
    media.listIds = listIds.concat(media.listIds)
  }
}

/** Sets the bit of a list for the given media. */
function addToList(listsOf: Map<number, number>, ids: readonly number[], list: number): void {
  for (const id of ids) listsOf.set(id, (listsOf.get(id) ?? 0) | list)
}

import type { Seeding } from '../../world/seeding.ts'
import { builtInLists } from './vault.table.ts'

/** Puts all media into the built-in lists that they belong to: runs once all posts, messages and stories are there. */
export function seedPlaces({ rows }: Seeding): void {
  const places = new Map(rows.vaultMedia.map(({ id }) => [id, new Set<string>()]))
  const put = (ids: readonly number[], type: string) => {
    for (const id of ids) places.get(id)?.add(type)
  }
  for (const { mediaFiles, isStream } of rows.posts) {
    put(mediaFiles, 'posts')
    if (isStream) put(mediaFiles, 'streams')
  }
  for (const { mediaFiles, isFromFan } of rows.messages) if (!isFromFan) put(mediaFiles, 'messages')
  for (const { mediaFiles } of rows.stories) put(mediaFiles, 'stories')
  const lists = new Map(rows.vaultLists.map(({ id, accountId, type }) => [`${accountId}:${type}`, id]))
  for (const media of rows.vaultMedia) {
    const types = places.get(media.id) ?? new Set()
    // Whatever came by no other way was uploaded, and some of the rest.
    if (media.id % 5 === 2 || types.size === 0) types.add('media_stickers')
    const builtIn = builtInLists.flatMap((type) => (types.has(type) ? (lists.get(`${media.accountId}:${type}`) ?? []) : []))
    Object.assign(media, { listIds: [...builtIn, ...media.listIds] })
  }
}

import { inUnits } from '../../engine/work.ts'
import type { Work } from '../../engine/work.ts'
import type { Seeding } from '../../world/seeding.ts'
import { builtInLists } from './vault.table.ts'

/** Puts all media into the built-in lists that they belong to. It runs after all posts, messages and stories are seeded. */
export function* seedBuiltInLists({ rows }: Seeding): Work {
  const typesOf = new Map(rows.vaultMedia.map(({ id }) => [id, new Set<string>()]))
  const addType = (ids: readonly number[], type: string) => {
    for (const id of ids) typesOf.get(id)?.add(type)
  }
  yield* inUnits(rows.posts, ({ mediaFiles, isStream }) => {
    addType(mediaFiles, 'posts')
    if (isStream) addType(mediaFiles, 'streams')
  })
  yield* inUnits(rows.messages, ({ mediaFiles, isFromFan }) => {
    if (mediaFiles.length > 0 && !isFromFan) addType(mediaFiles, 'messages')
  })
  for (const { mediaFiles } of rows.stories) addType(mediaFiles, 'stories')
  const lists = new Map(rows.vaultLists.map(({ id, accountId, type }) => [`${accountId}:${type}`, id]))
  for (const media of rows.vaultMedia) {
    const types = typesOf.get(media.id) ?? new Set()
    // A media item in no other list was uploaded, and so was every fifth.
    if (media.id % 5 === 2 || types.size === 0) types.add('media_stickers')
    const builtIn = builtInLists.flatMap((type) => (types.has(type) ? (lists.get(`${media.accountId}:${type}`) ?? []) : []))
    Object.assign(media, { listIds: [...builtIn, ...media.listIds] })
  }
}

import type { ChangeListener } from '../../data/change-log.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { requireTexts } from '../../seed/texts.ts'
import type { World } from '../world.ts'
import { toFanMediaKey } from '../messages/messages.table.ts'
import type { Message } from '../messages/messages.table.ts'
import { isBlankHtml } from '../../lib/text.ts'
import { toStreamMediaKey } from '../posts/posts.table.ts'
import type { Post } from '../posts/posts.table.ts'
import type { Story } from '../stories/stories.table.ts'
import { builtInLists } from './vault.table.ts'
import type { VaultMedia } from './vault.table.ts'
import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'

/** Type of a built-in list. */
type BuiltInType = (typeof builtInLists)[number]

/** Returns the id of the account's built-in list of a given type. */
export function findBuiltInListId(
  world: World,
  accountId: number,
  type: BuiltInType,
): number | undefined {
  for (const list of world.db.vaultLists.in('byAccount', accountId).walk())
    if (list.type === type) return list.id
  return undefined
}

/** Adds the built-in lists to each new account. */
export function createVaultInitialiser(world: World): ChangeListener<Account> {
  return (before, after) => {
    if (before === undefined && after !== undefined) addBuiltInLists(world, after)
  }
}

/**
 * Completes the vaults of scenarios that list records: creates the built-in lists and adds media to
 * them.
 */
export function completeManualVaults(world: World): void {
  for (const account of world.db.accounts.all()) addBuiltInLists(world, account)
  rebuildBuiltInLists(world)
}

/** Adds the built-in lists that an account does not have yet. */
function addBuiltInLists(world: World, { id: accountId }: Account): void {
  const names = requireTexts(world).lists.vault
  for (const type of builtInLists) {
    if (findBuiltInListId(world, accountId, type) !== undefined) continue
    // The list was never modified, so it has no modification time.
    world.make('vaultLists', {
      accountId,
      type,
      name: names[type],
      canUpdate: false,
      canDelete: false,
    })
  }
}

/** The built-in lists that are derived from records. */
const derivedTypes = ['stories', 'posts', 'messages', 'streams'] as const satisfies BuiltInType[]
type DerivedType = (typeof derivedTypes)[number]

/** Functions that return true if a record uses the media item, by list. */
const isShown: Readonly<Record<DerivedType, (world: World, mediaId: number) => boolean>> = {
  stories: ({ db }, id) => db.stories.in('byMedia', id).size > 0,
  posts: ({ db }, id) => db.posts.in('byMedia', id).size > 0,
  messages: ({ db }, id) => db.messages.in('byMedia', id).size > 0,
  streams: ({ db }, id) => db.posts.in('byMedia', toStreamMediaKey(id)).size > 0,
}

/** Keeps the built-in list of media in posts up to date, including scheduled and archived posts. */
export function createPostMediaUpdater(world: World): ChangeListener<Post> {
  return watchSource<Post>(world, 'posts', (post) => post.mediaFiles)
}

/** Keeps the built-in list of media in streams up to date. */
export function createStreamMediaUpdater(world: World): ChangeListener<Post> {
  return watchSource<Post>(world, 'streams', (post) => (post.isStream ? post.mediaFiles : []))
}

/** Keeps the built-in list of media in sent messages up to date. */
export function createMessageMediaUpdater(world: World): ChangeListener<Message> {
  return watchSource<Message>(world, 'messages', (message) =>
    message.isFromFan ? [] : message.mediaFiles,
  )
}

/** Keeps the built-in list of media in stories up to date, including past stories. */
export function createStoryMediaUpdater(world: World): ChangeListener<Story> {
  return watchSource<Story>(world, 'stories', (story) => story.mediaFiles)
}

/**
 * Rebuilds the built-in lists from the posts, messages and stories that use each media item. Each
 * table is read only once.
 */
function rebuildBuiltInLists(world: World): void {
  const { posts, messages, stories, vaultMedia } = world.db
  const idsOf = (rows: readonly { mediaFiles: readonly number[] }[]) =>
    new Set(rows.flatMap(({ mediaFiles }) => mediaFiles))
  const shown = {
    stories: idsOf(stories.all()),
    posts: idsOf(posts.all()),
    messages: idsOf(messages.all().filter(({ isFromFan }) => !isFromFan)),
    streams: idsOf(posts.all().filter(({ isStream }) => isStream)),
  } as const
  for (const { id } of vaultMedia.all())
    for (const type of derivedTypes) setListed(world, id, { type, isListed: shown[type].has(id) })
}

/** `shown` returns the media that a row uses. */
function watchSource<Row>(
  world: World,
  type: DerivedType,
  shown: (row: Row) => readonly number[],
): ChangeListener<Row> {
  return (before, after) => {
    const idsBefore = before === undefined ? [] : shown(before)
    const idsAfter = after === undefined ? [] : shown(after)
    for (const id of idsAfter)
      if (!idsBefore.includes(id)) setListed(world, id, { type, isListed: true })
    for (const id of idsBefore)
      if (!idsAfter.includes(id)) setListed(world, id, { type, isListed: isShown[type](world, id) })
  }
}

/**
 * Deletes a media item permanently and removes it from all records that use it. A post or message
 * is kept even if no media are left, except a scheduled post that needs media.
 */
export function deleteMedia({ db, clock }: World, { id, listIds }: VaultMedia): void {
  db.vaultMedia.remove(id)
  for (const listId of listIds)
    if (db.vaultLists.get(listId)?.type === 'custom')
      db.vaultLists.update(listId, { modifiedAt: clock.iso() })
  const withoutIt = (row: { mediaFiles: readonly number[]; previews: readonly number[] }) => ({
    mediaFiles: omitId(row.mediaFiles, id),
    previews: omitId(row.previews, id),
  })
  const [posts, messages, massMessages, stories] = [
    db.posts.list('byMedia', id),
    [id, toFanMediaKey(id)].flatMap((key) => db.messages.list('byMedia', key)),
    db.massMessages.list('byMedia', id),
    db.stories.list('byMedia', id),
  ]
  db.posts.updateMany(
    posts.map((post) => [
      post.id,
      {
        mediaFiles: omitId(post.mediaFiles, id),
        mediaTypes: post.mediaTypes.filter((_, place) => post.mediaFiles[place] !== id),
        preview: omitId(post.preview, id),
      },
    ]),
  )
  for (const post of posts.map((each) => db.posts.get(each.id) ?? each))
    if (post.status === 'scheduled' && post.mediaFiles.length === 0 && needsMedia(post))
      db.posts.remove(post.id)
  db.messages.updateMany(messages.map((row) => [row.id, withoutIt(row)]))
  db.massMessages.updateMany(massMessages.map((row) => [row.id, withoutIt(row)]))
  db.stories.updateMany(stories.map((row) => [row.id, { mediaFiles: omitId(row.mediaFiles, id) }]))
}

/** True for a post that shows or sells nothing without media. */
function needsMedia({ price, text }: Post): boolean {
  return price > 0 || isBlankHtml(text)
}

function omitId(ids: readonly number[], id: number): number[] {
  return ids.filter((other) => other !== id)
}

/** Adds a media item to the built-in list of a given type, or removes it. */
function setListed(
  world: World,
  mediaId: number,
  { type, isListed }: { type: BuiltInType; isListed: boolean },
): void {
  const media = world.db.vaultMedia.get(mediaId)
  const listId = media && findBuiltInListId(world, media.accountId, type)
  if (media === undefined || listId === undefined || media.listIds.includes(listId) === isListed)
    return
  const listIds = isListed ? [...media.listIds, listId] : omitId(media.listIds, listId)
  world.db.vaultMedia.update(mediaId, { listIds })
}

export const vaultInvariants: readonly Invariant<World>[] = [
  { name: 'built-in vault lists match the use of media', check: findMisplaced },
  { name: 'accounts use only media of their own vault', check: findForeignUse },
]

function findMisplaced(world: World): string[] {
  return findViolations(world.db.vaultMedia.all(), ({ id, accountId, listIds }) =>
    derivedTypes.flatMap((type) => {
      const isListed = isShown[type](world, id)
      const listId = findBuiltInListId(world, accountId, type)
      if (listId === undefined || listIds.includes(listId) === isListed) return []
      return isListed
        ? [`The media item ${id} is not in the list ${type}.`]
        : [`The media item ${id} is in the list ${type}, but no record of that kind uses it.`]
    }),
  )
}

/** Finds media from fans that are in a vault list, or in a post, story or message of the creator. */
function findForeignUse({ db }: World): string[] {
  const uses = [
    ['posts', db.posts],
    ['stories', db.stories],
    ['messages', db.messages],
    ['massMessages', db.massMessages],
  ] as const
  return findViolations(db.vaultMedia.all(), ({ id, senderId, listIds }) => {
    if (senderId === undefined) return []
    const places = uses.filter(([, table]) => table.in('byMedia', id).size > 0)
    return [
      ...places.map(([name]) => `The media item ${id} is in ${name}, but a fan sent it.`),
      ...listIds.map((list) => `The media item ${id} is in the list ${list}, but a fan sent it.`),
    ]
  })
}

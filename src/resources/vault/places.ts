import type { TableWatcher } from '../../engine/store/table.ts'
import type { World } from '../../world/world.ts'
import type { Message } from '../messages/messages.table.ts'
import { streamOf } from '../posts/posts.table.ts'
import type { Post } from '../posts/posts.table.ts'
import type { Story } from '../stories/stories.table.ts'
import type { VaultMedia } from './vault.table.ts'

/** The built-in lists that fill by themselves. */
type Shelf = 'posts' | 'messages' | 'streams' | 'stories' | 'media_stickers'

/** The id of the account's built-in list of that type. */
export function builtInListId(world: World, accountId: number, type: Shelf): number | undefined {
  for (const list of world.db.vaultLists.in('byAccount', accountId).walk()) if (list.type === type) return list.id
  return undefined
}

/** Keeps the built-in lists in agreement with the posts (scheduled and archived ones too), sent messages and stories (past ones too) that hold media. */
export function watchVaultPlaces(world: World): void {
  const { posts, messages, stories } = world.db
  posts.watch(
    watchPlace<Post>(world, { type: 'posts', shown: (post) => post.mediaFiles, isLeft: (id) => posts.in('byMedia', id).size > 0 }),
  )
  posts.watch(
    watchPlace<Post>(world, {
      type: 'streams',
      shown: (post) => (post.isStream ? post.mediaFiles : []),
      isLeft: (id) => posts.in('byMedia', streamOf(id)).size > 0,
    }),
  )
  messages.watch(
    watchPlace<Message>(world, {
      type: 'messages',
      shown: (message) => (message.isFromFan ? [] : message.mediaFiles),
      isLeft: (id) => messages.in('byMedia', id).size > 0,
    }),
  )
  stories.watch(
    watchPlace<Story>(world, { type: 'stories', shown: (story) => story.mediaFiles, isLeft: (id) => stories.in('byMedia', id).size > 0 }),
  )
}

interface Place<Row> {
  type: Shelf
  /** The media that a row shows. */
  shown: (row: Row) => readonly number[]
  /** Whether another row still shows the media. */
  isLeft: (mediaId: number) => boolean
}

function watchPlace<Row>(world: World, { type, shown, isLeft }: Place<Row>): TableWatcher<Row> {
  return {
    change(before, after) {
      const was = before === undefined ? [] : shown(before)
      const is = after === undefined ? [] : shown(after)
      for (const id of is) if (!was.includes(id)) place(world, id, { type, isIn: true })
      for (const id of was) if (!is.includes(id)) place(world, id, { type, isIn: isLeft(id) })
    },
    load() {},
  }
}

/** Removes a media item for good: lists, posts, messages, mass messages and stories that hold it lose it. What had nothing else to show stays, without media. */
export function deleteMedia(world: World, { id }: VaultMedia): void {
  world.db.vaultMedia.remove(id)
  for (const post of world.db.posts.in('byMedia', id).slice()) {
    const mediaFiles = without(post.mediaFiles, id)
    world.db.posts.update(post.id, {
      mediaFiles,
      mediaReadyAt: mediaFiles.length === 0 ? null : post.mediaReadyAt,
      mediaTypes: post.mediaTypes.filter((_, place) => post.mediaFiles[place] !== id),
      preview: without(post.preview, id),
    })
  }
  for (const { id: messageId, mediaFiles, previews } of world.db.messages.in('byMedia', id).slice()) {
    world.db.messages.update(messageId, { mediaFiles: without(mediaFiles, id), previews: without(previews, id) })
  }
  for (const { id: itemId, mediaFiles, previews } of world.db.massMessages.in('byMedia', id).slice()) {
    world.db.massMessages.update(itemId, { mediaFiles: without(mediaFiles, id), previews: without(previews, id) })
  }
  for (const { id: storyId, mediaFiles } of world.db.stories.in('byMedia', id).slice()) {
    world.db.stories.update(storyId, { mediaFiles: without(mediaFiles, id) })
  }
}

function without(ids: readonly number[], id: number): number[] {
  return ids.filter((other) => other !== id)
}

function place(world: World, mediaId: number, { type, isIn }: { type: Shelf; isIn: boolean }): void {
  const media = world.db.vaultMedia.get(mediaId)
  const listId = media && builtInListId(world, media.accountId, type)
  if (media === undefined || listId === undefined || media.listIds.includes(listId) === isIn) return
  world.db.vaultMedia.update(mediaId, { listIds: isIn ? [...media.listIds, listId] : media.listIds.filter((id) => id !== listId) })
}

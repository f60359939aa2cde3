import { z } from 'zod'
import { nothing } from '../../effects/draw.ts'
import { accountId, requireAccount, unknown } from '../../engine/action.ts'
import { fromIso } from '../../engine/time.ts'
import { SandboxError } from '../../errors.ts'
import { defineAction } from '../../world/define.ts'
import type { World } from '../../world/world.ts'
import { finishMedia } from '../posts/writes.ts'
import { vaultKey } from '../vault/vault.table.ts'
import { finishTranscoding } from '../vault/vault.ts'

/** Finishes transcoding before its time. */
export const readyMedia = defineAction({
  type: 'media.ready',
  summary: 'Media that are being transcoded turn ready now, and the posts and messages that show them',
  schema: z.lazy(() =>
    z.strictObject({
      account_id: accountId,
      media_id: z.int().optional().describe('A media item of the vault. Absent: all of the account.'),
    }),
  ),
  effect(world, { account_id, media_id }) {
    const account = requireAccount(world, account_id)
    if (media_id !== undefined && world.db.vaultMedia.get(media_id)?.accountId !== account.id) {
      throw unknown(
        { field: 'media_id', id: media_id, thing: `media item of ${account.username}` },
        world.db.vaultMedia.in('recent', vaultKey({ accountId: account.id })).slice(0, 11),
      )
    }
    const count = finishAll(world, account.id, media_id)
    if (count > 0) return `${count === 1 ? '1 item' : `${count} items`} of ${account.username} turned ready`
    if (media_id === undefined) throw nothing(account, 'media that are being transcoded')
    throw new SandboxError(`media_id is ${media_id}, but nothing of it is being transcoded.`)
  },
})

/**
 * Finishes the media of an account, or one item of them, with the posts and messages that show them. Returns how many media, posts,
 * messages and queued mass messages were waiting.
 */
function finishAll(world: World, accountId: number, mediaId: number | undefined): number {
  const { db, clock } = world
  const isIncluded = (id: number) => mediaId === undefined || id === mediaId
  const media = db.vaultMedia
    .in('processing', 'all')
    .slice()
    .filter((each) => each.accountId === accountId && isIncluded(each.id))
  const posts = db.posts
    .in('transcoding', 'all')
    .slice()
    .filter((post) => post.accountId === accountId && post.mediaFiles.some(isIncluded))
  const messages = messagesInTranscoding(world, accountId).filter((message) => message.mediaFiles.some(isIncluded))
  for (const each of media) finishTranscoding(world, each)
  for (const post of posts) finishMedia(world, post)
  for (const { id } of messages) db.messages.update(id, { mediaReadyAt: clock.iso() })
  const mass = db.massMessages
    .in('withNewMedia', accountId)
    .slice()
    .filter((item) => (item.mediaReadyAt ?? '') > clock.iso() && item.mediaFiles.some(isIncluded))
  for (const { id } of mass) db.massMessages.update(id, { mediaReadyAt: clock.iso() })
  const queued = mass.filter(({ state }) => state === 'queued')
  return media.length + posts.length + messages.length + queued.length
}

/** The messages whose media are not ready. It reads only messages that are no older than transcoding takes. */
function messagesInTranscoding({ db, clock, options }: World, accountId: number) {
  const now = clock.iso()
  const found = []
  for (const chat of db.chats.in('byAccount', accountId).walk(0)) {
    if (fromIso(chat.lastMessageAt) + options.transcodingMs < clock.now()) break
    for (const message of db.messages.in('media', chat.id).walk(0)) {
      if (fromIso(message.createdAt) + options.transcodingMs < clock.now()) break
      if (message.mediaReadyAt !== null && message.mediaReadyAt > now) found.push(message)
    }
  }
  return found
}

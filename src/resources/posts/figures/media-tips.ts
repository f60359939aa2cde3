import type { ChangeListener } from '../../../data/changes.ts'
import { toCents } from '../../../lib/money.ts'
import type { Transaction } from '../../payments/transactions.table.ts'
import type { World } from '../../world.ts'
import type { Post } from '../posts.table.ts'

/** Keeps the tips of media in sync with the tips on posts. */
export function createMediaTipUpdater(world: World): ChangeListener<Transaction> {
  return (before, after) => {
    for (const postId of new Set([before?.postId, after?.postId])) {
      const [old, now] = [before, after].map((row) =>
        row === undefined || row.postId !== postId ? 0 : countTipCents(row),
      )
      if (postId === undefined || postId === null || old === now) continue
      const row = after?.postId === postId ? after : before
      for (const id of listTippedMedia(world, { postId, mediaFiles: row?.mediaFiles })) {
        const media = world.db.vaultMedia.get(id)
        if (media === undefined) continue
        const cents = toCents(media.tipsSumm) - (old ?? 0) + (now ?? 0)
        world.db.vaultMedia.update(id, { tipsSumm: cents / 100 })
      }
    }
  }
}

/**
 * Stores with each tip of a post the media that it counts for, when the media of the post change or
 * the post is deleted. Otherwise, a later refund would be subtracted from other media.
 */
export function createTippedMediaRecorder(world: World): ChangeListener<Post> {
  return (before, after) => {
    if (before === undefined || hasSameMedia(before, after)) return
    const tips = world.db.transactions.in('byPost', before.id).slice()
    for (const { id, category, mediaFiles } of tips)
      if (category === 'tip' && mediaFiles === undefined)
        world.db.transactions.update(id, { mediaFiles: [...before.mediaFiles] })
  }
}

/** Adds up the tips of each media item from the payments, in cents. */
export function sumMediaTips(world: World): Map<number, number> {
  const sums = new Map<number, number>()
  for (const row of world.db.transactions.all()) {
    if (row.postId === null) continue
    const cents = countTipCents(row)
    if (cents === 0) continue
    for (const id of listTippedMedia(world, row)) sums.set(id, (sums.get(id) ?? 0) + cents)
  }
  return sums
}

/**
 * Sets the tips of media from hand-written payments. Media without payments keep their values.
 */
export function deriveMediaTips(world: World): void {
  for (const [id, cents] of sumMediaTips(world))
    if (world.db.vaultMedia.get(id) !== undefined)
      world.db.vaultMedia.update(id, { tipsSumm: cents / 100 })
}

function countTipCents({ category, status, amount }: Transaction): number {
  return category === 'tip' && status !== 'undo' ? toCents(amount ?? 0) : 0
}

function listTippedMedia(
  { db }: World,
  { postId, mediaFiles }: Pick<Transaction, 'postId' | 'mediaFiles'>,
): ReadonlySet<number> {
  return new Set(mediaFiles ?? db.posts.get(postId ?? 0)?.mediaFiles)
}

function hasSameMedia({ mediaFiles }: Post, after: Post | undefined): boolean {
  return (
    after !== undefined &&
    mediaFiles.length === after.mediaFiles.length &&
    mediaFiles.every((id, place) => after.mediaFiles[place] === id)
  )
}

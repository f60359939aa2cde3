import { formatPrice } from '../../lib/money.ts'
import { toPlatformTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { toUserReference } from '../users/users.ts'
import { getAttachedMedia } from '../vault/vault.ts'
import { toAttachedMedia } from '../vault/view.ts'
import type { Post } from './posts.table.ts'

/** Converts a post to the format of the feed. */
export function toFeedPost(world: World, post: Post) {
  return {
    id: post.id,
    responseType: 'post' as const,
    postedAt: toPlatformTime(post.postedAt),
    postedAtPrecise: post.postedAtPrecise,
    text: post.text,
    rawText: post.rawText,
    author: toUserReference(post.accountId),
    canDelete: post.canDelete ?? true,
    canComment: post.canComment,
    canEdit: post.canEdit ?? true,
    canToggleFavorite: true,
    canViewMedia: true,
    isMediaReady: isMediaReady(world, post),
    mediaCount: post.mediaFiles.length,
    media: getAttachedMedia(world, post).map((media) => toAttachedMedia(world, media)),
    tipsAmount: formatPrice(post.tipSum),
  }
}

/** Converts a post to the response that a client receives after creating it. */
export function toCreatedPost(world: World, post: Post) {
  return {
    id: post.id,
    postedAt: toPlatformTime(post.postedAt),
    text: post.text,
    rawText: post.rawText,
    author: toUserReference(post.accountId),
    isMediaReady: isMediaReady(world, post),
    canDelete: post.canDelete ?? true,
    canEdit: post.canEdit ?? true,
    tipsAmount: formatPrice(post.tipSum),
  }
}

function isMediaReady(world: World, post: Post): boolean {
  return getAttachedMedia(world, post).every(({ isReady }) => isReady)
}

import { fromIso } from '../schemas/time.ts'
import { deletePost, finishMedia, publishPost } from './post-writes.ts'
import { finishTranscoding } from './vault.ts'
import type { World } from './world.ts'

/** Something that falls due at a time. Epoch ms. */
export interface Due {
  at: number
  fire: () => void
}

/** What the clock sets off: each names the first thing of its kind that is to come. At equal times the upper one goes first. */
const agenda: readonly ((world: World) => Due | undefined)[] = [
  (world) => {
    const media = world.db.vaultMedia.in('processing', 'all').at(0)
    return media && { at: fromIso(media.readyAt), fire: () => finishTranscoding(world, media) }
  },
  (world) => {
    const post = world.db.posts.in('transcoding', 'all').at(0)
    return post && { at: fromIso(post.mediaReadyAt ?? ''), fire: () => finishMedia(world, post) }
  },
  (world) => {
    const post = world.db.posts.in('scheduled', 'all').at(0)
    return post && { at: fromIso(post.postedAt), fire: () => publishPost(world, post) }
  },
  (world) => {
    const post = world.db.posts.in('expiring', 'all').at(0)
    return post && { at: fromIso(post.expiresAt ?? ''), fire: () => deletePost(world, post) }
  },
]

/** The first thing that falls due by then; undefined when nothing does. */
export function nextDue(world: World, by: number): Due | undefined {
  let first: Due | undefined
  for (const next of agenda) {
    const due = next(world)
    if (due !== undefined && due.at <= by && (first === undefined || due.at < first.at)) first = due
  }
  return first
}

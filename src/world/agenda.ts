import type { Due } from '../engine/due.ts'
import { fromIso } from '../engine/time.ts'
import { deliverMassMessage } from '../resources/mass-messages/writes.ts'
import { advancePayout, payOut } from '../resources/payouts/payouts.ts'
import { deletePost, finishMedia, publishPost } from '../resources/posts/writes.ts'
import { lapse } from '../resources/subscribers/subscriptions.ts'
import { nextTrialEnd } from '../resources/trial-links/trial-links.ts'
import { finishTranscoding } from '../resources/vault/vault.ts'
import type { World } from './world.ts'

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
  (world) => {
    const item = world.db.massMessages.in('waiting', 'all').at(0)
    return item && { at: fromIso(item.scheduledDate ?? ''), fire: () => void deliverMassMessage(world, item) }
  },
  (world) => dueInvoice(world, 'payouts'),
  (world) => dueInvoice(world, 'referralPayouts'),
  (world) => {
    const settings = world.db.payoutSettings.in('due', 'all').at(0)
    return settings && { at: fromIso(settings.nextAt ?? ''), fire: () => payOut(world, settings) }
  },
  (world) => world.script.next(world),
  nextTrialEnd,
  (world) => {
    const subscription = world.db.subscriptions.in('running', 'all').at(0)
    return subscription && { at: fromIso(subscription.expiredAt), fire: () => lapse(world, subscription) }
  },
]

/** The first thing that is to fall due; undefined when there is none. */
export function nextDue(world: World): Due | undefined {
  let first: Due | undefined
  for (const next of agenda) {
    const due = next(world)
    if (due !== undefined && (first === undefined || due.at < first.at)) first = due
  }
  return first
}

function dueInvoice(world: World, table: 'payouts' | 'referralPayouts'): Due | undefined {
  const payout = world.db[table].in('due', 'all').at(0)
  return payout && { at: fromIso(payout.dueAt ?? ''), fire: () => advancePayout(world, table, payout) }
}

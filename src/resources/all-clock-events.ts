import type { DueEffect } from '../world/due-effects.ts'
import { findNextMassMessageDelivery } from './mass-messages/writes.ts'
import { findNextPayoutTransition, findNextScheduledPayout } from './payouts/payouts.ts'
import { findNextPostExpiry, findNextPostPublication } from './posts/writes.ts'
import { findNextSubscriptionExpiry } from './subscribers/subscriptions.ts'
import { findNextTrialLinkEnd } from './trial-links/trial-links.ts'
import { findNextTranscodingEnd } from './vault/vault.ts'
import type { World } from './world.ts'

/** Returns the next effect of its kind that the clock triggers, if any. */
type ClockEvent = (world: World) => DueEffect | undefined

/** All effects that the clock triggers. Effects that are due at the same time run in this order. */
export const clockEvents: readonly ClockEvent[] = [
  findNextPostPublication,
  findNextPostExpiry,
  findNextTranscodingEnd,
  findNextMassMessageDelivery,
  (world) => findNextPayoutTransition(world, 'payouts'),
  (world) => findNextPayoutTransition(world, 'referralPayouts'),
  findNextScheduledPayout,
  // The next step of the timeline. Links and subscriptions that end at the same time end after it.
  (world) => world.timeline.next(world),
  findNextTrialLinkEnd,
  findNextSubscriptionExpiry,
]

import { createLastMessageUpdater } from './chats/chats.ts'
import { createChatPaymentUpdater } from './chats/payments.ts'
import { createCommentCountUpdater } from './comments/comments.ts'
import { createEarningDayUpdater } from './earnings/earnings.ts'
import { createLastSeenUpdater } from './fans/fan-values.ts'
import {
  createLinkClaimUpdater,
  createLinkMetricUpdater,
  createLinkPaymentUpdater,
  createLinkShareUpdater,
} from './links/update-metrics.ts'
import {
  createMassMessageViewUpdater,
  createQueueCanceller,
} from './mass-messages/mass-messages.ts'
import {
  createMessagePurchaseUpdater,
  createSoldMessageUpdater,
} from './messages/message-purchases.ts'
import { createFanSpendUpdater } from './payments/transactions.ts'
import { createPostCounterUpdater, createPublishedDayUpdater } from './posts/statistics/counters.ts'
import {
  createMediaLikeUpdater,
  createMediaTipUpdater,
  createTippedMediaRecorder,
  createViewerUpdater,
} from './posts/statistics/engagement.ts'
import { createPostPaymentUpdater } from './posts/statistics/payment-statistics.ts'
import { createRemovedPostRecorder } from './posts/feed.ts'
import { createStoryTipUpdater } from './stories/stories.ts'
import { createSubscriptionEventUpdater } from './subscribers/events.ts'
import { createFanUpdater, findNextSubscriptionExpiry } from './subscribers/subscriptions.ts'
import { createTrialLinkLimitCheck, findNextTrialLinkEnd } from './trial-links/trial-links.ts'
import { createUserMarkUpdater } from './users/marks.ts'
import {
  createMessageMediaUpdater,
  createPostMediaUpdater,
  createStoryMediaUpdater,
  createStreamMediaUpdater,
  createVaultInitialiser,
} from './vault/built-in-lists.ts'
import type { World } from './world.ts'
import type { DueEffect } from '../world/timeline.ts'
import { findNextMassMessageDelivery } from './mass-messages/writes.ts'
import { findNextPayoutTransition, findNextScheduledPayout } from './payouts/payouts.ts'
import { findNextPostExpiry, findNextPostPublication } from './posts/writes.ts'
import { findNextTranscodingEnd } from './vault/vault.ts'

/**
 * Registers the listeners that keep derived records up to date. A change to a row calls the
 * listeners of its table in this order. If a listener changes another row, it calls the listeners
 * of that row at once. The comments name the tables and fields that each listener updates. Figures
 * without a table, such as balances, are computed from these tables on each request.
 */
export function registerListeners(world: World): void {
  const { db } = world

  // A payment, such as a tip or a purchase, and each change of its status. `recordTip` first adds a
  // view of the post or a message in the chat. `recordPurchase` also updates fans.lastSeen and adds
  // a notification.
  db.transactions.onChange(createPostPaymentUpdater(world)) // posts: tips and purchases
  db.transactions.onChange(createViewerUpdater(world)) // posts, postDays: views by the payer
  db.transactions.onChange(createMediaTipUpdater(world)) // vaultMedia.tipsSumm of its post
  db.transactions.onChange(createLinkPaymentUpdater(world)) // linkMetrics: cents, spenders
  db.transactions.onChange(createFanSpendUpdater(world)) // fanSpend
  // Reads fanSpend, so it must follow `createFanSpendUpdater`.
  db.transactions.onChange(createChatPaymentUpdater(world)) // chats and messages: paid flags
  db.transactions.onChange(createStoryTipUpdater(world)) // stories: counts of tips, viewers
  db.transactions.onChange(createEarningDayUpdater(world)) // earningDays
  db.transactions.onChange(createMessagePurchaseUpdater(world)) // messagePurchases

  db.posts.onChange(createPublishedDayUpdater(world)) // publishedDays
  db.posts.onChange(createRemovedPostRecorder(world)) // cursors of deleted posts
  db.posts.onChange(createMediaLikeUpdater(world)) // vaultMedia.likesCount
  db.posts.onChange(createTippedMediaRecorder(world)) // transactions.mediaFiles of earlier tips
  db.posts.onChange(createPostCounterUpdater(world)) // postCounters
  db.posts.onChange(createPostMediaUpdater(world)) // vaultMedia.lists: Posts
  db.posts.onChange(createStreamMediaUpdater(world)) // vaultMedia.lists: Streams

  db.comments.onChange(createCommentCountUpdater(world)) // posts.commentCount
  db.comments.onChange(createViewerUpdater(world)) // posts, postDays: views by the author

  db.fans.onChange(createFanUpdater(world)) // subscriptions: isDeleted, last activity

  db.subscriptions.onChange(createSubscriptionEventUpdater(world)) // subscriptionEvents
  db.subscriptions.onChange(createLinkClaimUpdater(world)) // linkMetrics: subs, cents, spenders
  db.subscriptions.onChange(createTrialLinkLimitCheck(world)) // trialLinks: ended by its last claim

  db.userMarks.onChange(createUserMarkUpdater(world)) // subscriptions: isBlocked, isRestricted

  db.messages.onChange(createLastSeenUpdater(world)) // fans.lastSeen
  db.messages.onChange(createMessageMediaUpdater(world)) // vaultMedia.lists: Messages
  db.messages.onChange(createSoldMessageUpdater(world)) // messagePurchases
  db.messages.onChange(createMassMessageViewUpdater(world)) // massMessages.goneViews
  db.messages.onChange(createLastMessageUpdater(world)) // chats: last, unread, pinned messages

  db.massMessages.onChange(createQueueCanceller(world)) // state: cancelled, if empty

  db.stories.onChange(createStoryMediaUpdater(world)) // vaultMedia.lists: Stories

  db.accounts.onChange(createVaultInitialiser(world)) // vaultLists

  db.trackingLinks.onChange(createLinkMetricUpdater(world, 'tracking')) // linkMetrics
  db.trialLinks.onChange(createLinkMetricUpdater(world, 'trial')) // linkMetrics
  db.linkShares.onChange(createLinkShareUpdater(world)) // linkMetrics.shares
}

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

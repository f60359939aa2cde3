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
import { createMessagePurchaseUpdater, createSoldMessageUpdater } from './messages/purchases.ts'
import { createFanSpendUpdater } from './payments/transactions.ts'
import { createPostCounterUpdater, createPublishedDayUpdater } from './posts/statistics/counters.ts'
import {
  createMediaLikeUpdater,
  createMediaTipUpdater,
  createTippedMediaRecorder,
  createViewerUpdater,
} from './posts/statistics/engagement.ts'
import { createPostPaymentUpdater } from './posts/statistics/stats.ts'
import { createRemovedPostRecorder } from './posts/feed.ts'
import { createStoryTipUpdater } from './stories/stories.ts'
import { createSubscriptionEventUpdater } from './subscribers/events.ts'
import { createFanUpdater } from './subscribers/subscriptions.ts'
import { createTrialLinkLimitCheck } from './trial-links/trial-links.ts'
import { createUserMarkUpdater } from './users/marks.ts'
import {
  createMessageMediaUpdater,
  createPostMediaUpdater,
  createStoryMediaUpdater,
  createStreamMediaUpdater,
  createVaultInitialiser,
} from './vault/built-in-lists.ts'
import type { World } from './world.ts'

/**
 * Registers the listeners that keep derived records up to date. A change to a row calls the
 * listeners of its table in this order. If a listener changes another row, it calls the listeners
 * of that row at once. The comments say what each listener updates.
 */
export function registerListeners(world: World): void {
  const { db } = world

  // A payment, such as a tip or a purchase, and each change of its status. `recordTip` first adds a
  // view of the post or a message in the chat. `recordPurchase` also marks the fan as seen and adds
  // a notification.
  db.transactions.onChange(createPostPaymentUpdater(world)) // tips and purchases of its post
  db.transactions.onChange(createViewerUpdater(world)) // viewers of its post
  db.transactions.onChange(createMediaTipUpdater(world)) // tips of the media of its post
  db.transactions.onChange(createLinkPaymentUpdater(world)) // revenue of the fan's links
  db.transactions.onChange(createFanSpendUpdater(world)) // spending of the fan by account
  db.transactions.onChange(createChatPaymentUpdater(world)) // paid flags of its chat and message
  db.transactions.onChange(createStoryTipUpdater(world)) // tips and viewers of its story
  db.transactions.onChange(createEarningDayUpdater(world)) // earnings by day and category
  db.transactions.onChange(createMessagePurchaseUpdater(world)) // purchases of its message

  db.posts.onChange(createPublishedDayUpdater(world)) // posts and views by day
  db.posts.onChange(createRemovedPostRecorder(world)) // record of a deleted post
  db.posts.onChange(createMediaLikeUpdater(world)) // likes of its media
  db.posts.onChange(createTippedMediaRecorder(world)) // media that its earlier tips count for
  db.posts.onChange(createPostCounterUpdater(world)) // numbers of posts by account
  db.posts.onChange(createPostMediaUpdater(world)) // built-in vault list of media in posts
  db.posts.onChange(createStreamMediaUpdater(world)) // built-in vault list of media in streams

  db.comments.onChange(createCommentCountUpdater(world)) // comment count of its post
  db.comments.onChange(createViewerUpdater(world)) // viewers of its post

  db.fans.onChange(createFanUpdater(world)) // last activity and lists of the fan's subscriptions

  db.subscriptions.onChange(createSubscriptionEventUpdater(world)) // history of the subscription
  db.subscriptions.onChange(createLinkClaimUpdater(world)) // claims and revenue of its links
  db.subscriptions.onChange(createTrialLinkLimitCheck(world)) // end of its trial link

  db.userMarks.onChange(createUserMarkUpdater(world)) // blocked and restricted subscriptions

  db.messages.onChange(createLastSeenUpdater(world)) // time when its fan was last seen
  db.messages.onChange(createMessageMediaUpdater(world)) // built-in vault list of media in messages
  db.messages.onChange(createSoldMessageUpdater(world)) // its purchases
  db.messages.onChange(createMassMessageViewUpdater(world)) // views of removed mass messages
  db.messages.onChange(createLastMessageUpdater(world)) // last, unread and pinned of its chat

  db.massMessages.onChange(createQueueCanceller(world)) // cancels it without media or recipients

  db.stories.onChange(createStoryMediaUpdater(world)) // built-in vault list of media in stories

  db.accounts.onChange(createVaultInitialiser(world)) // built-in vault lists of a new account

  db.trackingLinks.onChange(createLinkMetricUpdater(world, 'tracking')) // metrics of the link
  db.trialLinks.onChange(createLinkMetricUpdater(world, 'trial')) // metrics of the link
  db.linkShares.onChange(createLinkShareUpdater(world)) // share count of its link
}

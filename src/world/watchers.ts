import { watchLastMessages } from '../resources/chats/chats.ts'
import { watchChatPayments } from '../resources/chats/payments.ts'
import { watchCommentCounts } from '../resources/comments/comments.ts'
import { watchEarnings } from '../resources/earnings/earnings.ts'
import { watchLinks } from '../resources/links/watch.ts'
import { watchViews } from '../resources/mass-messages/mass-messages.ts'
import { watchMessagePurchases, watchSoldMessages } from '../resources/messages/purchases.ts'
import { watchFanSpend } from '../resources/payments/transactions.ts'
import { watchPostCounters } from '../resources/posts/counters.ts'
import { watchMediaEngagement } from '../resources/posts/days.ts'
import { watchPublishedDays } from '../resources/posts/published-days.ts'
import { watchRemovedPosts } from '../resources/posts/removed-posts.ts'
import { watchPostPayments } from '../resources/posts/stats.ts'
import { watchStoryTips } from '../resources/stories/stories.ts'
import { watchSubscriptionEvents } from '../resources/subscribers/events.ts'
import { watchLastSeen } from '../resources/subscribers/subscriptions.ts'
import { watchVaultPlaces } from '../resources/vault/places.ts'
import type { World } from './world.ts'

/** Lets what is kept beside the records of a world follow them. The order counts: each sees what those before it have written. */
export function watchTables(world: World): void {
  world.db.transactions.watch(watchFanSpend(world))
  world.db.transactions.watch(watchPostPayments(world))
  world.db.transactions.watch(watchChatPayments(world))
  world.db.transactions.watch(watchStoryTips(world))
  world.db.transactions.watch(watchEarnings(world))
  world.db.posts.watch(watchPublishedDays(world))
  world.db.posts.watch(watchRemovedPosts(world))
  world.db.comments.watch(watchCommentCounts(world))
  world.db.posts.watch(watchPostCounters(world))
  world.db.transactions.watch(watchMessagePurchases(world))
  world.db.messages.watch(watchSoldMessages(world))
  world.db.messages.watch(watchViews(world))
  world.db.messages.watch(watchLastMessages(world))
  world.db.posts.watch(watchMediaEngagement(world))
  world.db.fans.watch(watchLastSeen(world))
  world.db.subscriptions.watch(watchSubscriptionEvents(world))
  watchLinks(world)
  watchVaultPlaces(world)
}

import { watchChatPayments } from './chat-payments.ts'
import { watchLastMessages } from './chats.ts'
import { watchCommentCounts } from './comments.ts'
import { watchEarnings } from './earnings.ts'
import { watchLinks } from './link-watch.ts'
import { watchViews } from './mass-messages.ts'
import { watchMessagePurchases, watchSoldMessages } from './message-purchases.ts'
import { watchPostCounters } from './post-counters.ts'
import { watchMediaEngagement } from './post-days.ts'
import { watchPostPayments } from './post-stats.ts'
import { watchPublishedDays } from './published-days.ts'
import { watchRemovedPosts } from './removed-posts.ts'
import { watchStoryTips } from './stories.ts'
import { watchSubscriptionEvents } from './subscription-events.ts'
import { watchLastSeen } from './subscriptions.ts'
import { watchFanSpend } from './transactions.ts'
import { watchVaultPlaces } from './vault-places.ts'
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

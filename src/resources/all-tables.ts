import type { AnyTableDefinition, TablesByName } from '../data/tables.ts'
import { accounts, apiKeys, organisations } from '../world/tenancy/tenancy.table.ts'
import { chats } from './chats/chats.table.ts'
import { comments } from './comments/comments.table.ts'
import { earningDays } from './earnings/earnings.table.ts'
import { fanRecords } from './fan-records/fan-records.table.ts'
import { fans } from './fans/fans.table.ts'
import { postLabels } from './labels/labels.table.ts'
import { linkShares } from './link-shares/link-shares.table.ts'
import { linkMetrics } from './links/links.table.ts'
import { massMessages } from './mass-messages/mass-messages.table.ts'
import { messages, messagePurchases } from './messages/messages.table.ts'
import { notifications, notificationSettings } from './notifications/notifications.table.ts'
import { fanSpend, transactions } from './payments/transactions.table.ts'
import { payouts, payoutSettings, referralPayouts } from './payouts/payouts.table.ts'
import {
  postCounters,
  postDays,
  publishedDays,
  removedPosts,
} from './posts/statistics/statistics.table.ts'
import { posts } from './posts/posts.table.ts'
import { promotionClaims, promotions } from './promotions/promotions.table.ts'
import { referrals } from './referrals/referrals.table.ts'
import { stories } from './stories/stories.table.ts'
import { subscriptionEvents, subscriptions } from './subscribers/subscriptions.table.ts'
import { tags } from './tags/tags.table.ts'
import { trackingLinks } from './tracking-links/tracking-links.table.ts'
import { trialLinks } from './trial-links/trial-links.table.ts'
import { uploads } from './uploads/uploads.table.ts'
import { userListMembers, userLists } from './user-lists/user-lists.table.ts'
import { follows, userMarks } from './users/users.table.ts'
import { vaultListOrders, releaseForms, vaultLists, vaultMedia } from './vault/vault.table.ts'

/** All tables of a world, by name. */
export const tableDefinitions = {
  organisations,
  apiKeys,
  accounts,
  posts,
  removedPosts,
  postDays,
  postLabels,
  comments,
  fans,
  subscriptions,
  follows,
  userMarks,
  userLists,
  userListMembers,
  fanRecords,
  transactions,
  vaultMedia,
  vaultLists,
  vaultListOrders,
  releaseForms,
  uploads,
  trackingLinks,
  trialLinks,
  linkShares,
  promotions,
  promotionClaims,
  tags,
  stories,
  chats,
  messages,
  massMessages,
  notifications,
  notificationSettings,
  payouts,
  payoutSettings,
  referrals,
  referralPayouts,
  /** Derived from `transactions`: one row per fan and account. */
  fanSpend,
  /** Derived from `subscriptions`: one row per period. */
  subscriptionEvents,
  /** Derived from links, `subscriptions`, `transactions` and `linkShares`: one row per link. */
  linkMetrics,
  /** Derived from `posts`: one row per account. */
  postCounters,
  /**
   * Derived from `transactions` and `messages`: one row per purchase of a message. The row is kept
   * even if the message is deleted.
   */
  messagePurchases,
  /** Derived from `transactions`: one row per account, UTC day and kind of earning. */
  earningDays,
  /** Derived from `posts`: one row per account and UTC day. */
  publishedDays,
} as const

/** The name of a table. */
export type TableName = keyof typeof tableDefinitions

export const tableNames = Object.keys(tableDefinitions) as readonly TableName[]

/** The tables of a world. */
export type Tables = TablesByName<typeof tableDefinitions>

/** The records of a table. */
export type RecordOf<Name extends TableName> = ReturnType<Tables[Name]['all']>[number]

/** The names of the tables that are derived from other tables. */
export const derivedTables: readonly TableName[] = tableNames.filter(
  (name) => (tableDefinitions[name] as AnyTableDefinition).derived !== undefined,
)

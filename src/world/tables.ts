import type { AnyTableDefinition, TablesOf } from '../engine/store/tables.ts'
import { accounts, apiKeys, organisations } from '../engine/tenancy/tenancy.table.ts'
import { chats } from '../resources/chats/chats.table.ts'
import { comments } from '../resources/comments/comments.table.ts'
import { earningDays } from '../resources/earnings/earnings.table.ts'
import { fanRecords } from '../resources/fan-records/fan-records.table.ts'
import { fans } from '../resources/fans/fans.table.ts'
import { postLabels } from '../resources/labels/labels.table.ts'
import { linkShares } from '../resources/link-shares/link-shares.table.ts'
import { linkMetrics } from '../resources/links/links.table.ts'
import { massMessages } from '../resources/mass-messages/mass-messages.table.ts'
import { messages } from '../resources/messages/messages.table.ts'
import { messagePurchases } from '../resources/messages/purchases.table.ts'
import {
  notifications,
  notificationSettings,
} from '../resources/notifications/notifications.table.ts'
import { fanSpend, transactions } from '../resources/payments/transactions.table.ts'
import { payouts, payoutSettings, referralPayouts } from '../resources/payouts/payouts.table.ts'
import { postCounters } from '../resources/posts/counters.table.ts'
import { postDays } from '../resources/posts/days.table.ts'
import { posts } from '../resources/posts/posts.table.ts'
import { publishedDays } from '../resources/posts/published-days.table.ts'
import { removedPosts } from '../resources/posts/removed-posts.table.ts'
import { promotionClaims, promotions } from '../resources/promotions/promotions.table.ts'
import { referrals } from '../resources/referrals/referrals.table.ts'
import { stories } from '../resources/stories/stories.table.ts'
import { subscriptionEvents } from '../resources/subscribers/events.table.ts'
import { subscriptions } from '../resources/subscribers/subscriptions.table.ts'
import { tags } from '../resources/tags/tags.table.ts'
import { trackingLinks } from '../resources/tracking-links/tracking-links.table.ts'
import { trialLinks } from '../resources/trial-links/trial-links.table.ts'
import { uploads } from '../resources/uploads/uploads.table.ts'
import { userListMembers, userLists } from '../resources/user-lists/user-lists.table.ts'
import { follows } from '../resources/users/follows.table.ts'
import { userMarks } from '../resources/users/marks.table.ts'
import { vaultListOrders } from '../resources/vault/lists.table.ts'
import { releaseForms } from '../resources/vault/release-forms.table.ts'
import { vaultLists, vaultMedia } from '../resources/vault/vault.table.ts'

/** Every table of a world, by name. */
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
  /** Derived from `transactions`: one row for each fan and account. */
  fanSpend,
  /** Derived from `subscriptions`: one row for each period. */
  subscriptionEvents,
  /**
   * Derived from links, `subscriptions`, `transactions` and `linkShares`: one row for each link.
   */
  linkMetrics,
  /** Derived from `posts`: one row for each account. */
  postCounters,
  /**
   * Derived from `transactions` and `messages`: one row for each purchase of a message. A row
   * outlives its message.
   */
  messagePurchases,
  /** Derived from `transactions`: one row for each account, UTC day and kind of earning. */
  earningDays,
  /** Derived from `posts`: one row for each account and UTC day. */
  publishedDays,
} as const

/** The name of a table. */
export type TableName = keyof typeof tableDefinitions

/** The names of all tables. */
export const tableNames = Object.keys(tableDefinitions) as readonly TableName[]

/** The tables of a world. */
export type Tables = TablesOf<typeof tableDefinitions>

/** The records of a table. */
export type RecordOf<Name extends TableName> = ReturnType<Tables[Name]['all']>[number]

/** The names of the tables that are derived from other tables. */
export const derivedTables: readonly TableName[] = tableNames.filter(
  (name) => (tableDefinitions[name] as AnyTableDefinition).derived !== undefined,
)

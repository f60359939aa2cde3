import { chats } from '../resources/chats/chats.table.ts'
import { comments } from '../resources/comments/comments.table.ts'
import { earningDays } from '../resources/earnings/earnings.table.ts'
import { fanRecords } from '../resources/fan-records/fan-records.table.ts'
import { fans, subscriptions } from '../resources/fans/fans.table.ts'
import { follows } from '../resources/users/follows.table.ts'
import { linkMetrics } from '../resources/links/metrics.table.ts'
import { linkShares } from '../resources/link-shares/link-shares.table.ts'
import { massMessages } from '../resources/mass-messages/mass-messages.table.ts'
import { messagePurchases } from '../resources/messages/purchases.table.ts'
import { messages } from '../resources/messages/messages.table.ts'
import { notifications, notificationSettings } from '../resources/notifications/notifications.table.ts'
import { accounts, apiKeys, organisations } from '../engine/tenancy/tenancy.table.ts'
import { payouts, payoutSettings, referralPayouts } from '../resources/payouts/payouts.table.ts'
import { postCounters } from '../resources/posts/counters.table.ts'
import { postDays } from '../resources/posts/days.table.ts'
import { postLabels } from '../resources/labels/labels.table.ts'
import { posts } from '../resources/posts/posts.table.ts'
import { publishedDays } from '../resources/posts/published-days.table.ts'
import { referrals } from '../resources/referrals/referrals.table.ts'
import { releaseForms } from '../resources/vault/release-forms.table.ts'
import { removedPosts } from '../resources/posts/removed-posts.table.ts'
import { stories } from '../resources/stories/stories.table.ts'
import { subscriptionEvents } from '../resources/subscribers/events.table.ts'
import { Table } from '../engine/store/table.ts'
import type { Changes } from '../engine/store/table-index.ts'
import type { Id, TableOf, TableSnapshot } from '../engine/store/table.ts'
import { tags } from '../resources/tags/tags.table.ts'
import { trackingLinks } from '../resources/tracking-links/tracking-links.table.ts'
import { fanSpend, transactions } from '../resources/payments/transactions.table.ts'
import { trialLinks } from '../resources/trial-links/trial-links.table.ts'
import { userListMembers, userLists } from '../resources/user-lists/user-lists.table.ts'
import { userMarks } from '../resources/users/marks.table.ts'
import { uploads } from '../resources/uploads/uploads.table.ts'
import { vaultLists, vaultMedia } from '../resources/vault/vault.table.ts'
import { vaultListOrders } from '../resources/vault/lists.table.ts'

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
  /** Derived from links, `subscriptions`, `transactions` and `linkShares`: one row for each link. */
  linkMetrics,
  /** Derived from `posts`: one row for each account. */
  postCounters,
  /** Derived from `transactions` and `messages`, but kept when the messages go: one row for each purchase of a message. */
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
export type Tables = { readonly [Name in TableName]: TableOf<(typeof tableDefinitions)[Name]> }

/** The records of a table. */
export type RecordOf<Name extends TableName> = ReturnType<Tables[Name]['all']>[number]

/** The tables that follow others and are rebuilt from them. */
export const derivedTables: readonly TableName[] = ['fanSpend', 'subscriptionEvents', 'linkMetrics', 'postCounters', 'earningDays', 'publishedDays', 'messagePurchases']

/** Those of them that remember what the others no longer tell: a snapshot has them. */
export const rememberingTables: readonly TableName[] = ['messagePurchases']

/** Makes the empty tables of a world; `changes` counts all that changes in them. */
export function createTables(changes: Changes): Tables {
  const tables = Object.entries(tableDefinitions).map(([name, definition]) => [name, new Table(name, definition as ConstructorParameters<typeof Table>[1], changes)])
  return Object.fromEntries(tables) as Tables
}

/** A table of records of which only the id is known. */
export type AnyTable = Table<{ id: Id }>

/** Any table by its name, where the kind of its records does not matter. */
export function anyTable(tables: Tables, name: TableName): AnyTable {
  return tables[name] as unknown as AnyTable
}

/** The state of all tables at one time. */
export type TablesSnapshot = ReadonlyMap<TableName, TableSnapshot<{ id: Id }>>

/** The records of a table in a snapshot. */
export function rowsIn<Name extends TableName>(snapshot: TablesSnapshot, name: Name): ReturnType<Tables[Name]['all']> {
  return (snapshot.get(name)?.rows ?? []) as ReturnType<Tables[Name]['all']>
}

/** Keeps the state of all tables: pointers, no copies of records. */
export function snapshotTables(tables: Tables): TablesSnapshot {
  return new Map(tableNames.map((name) => [name, anyTable(tables, name).snapshot()]))
}

/** Goes back to a snapshot of these tables or of their twins in another world. */
export function restoreTables(tables: Tables, snapshot: TablesSnapshot): void {
  for (const [name, table] of snapshot) anyTable(tables, name).restore(table)
}

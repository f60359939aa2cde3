import { chats } from './chats.table.ts'
import { comments } from './comments.table.ts'
import { earningDays } from './earnings.table.ts'
import { fanRecords } from './fan-records.table.ts'
import { fans, subscriptions } from './fans.table.ts'
import { follows } from './follows.table.ts'
import { linkMetrics } from './link-metrics.table.ts'
import { linkShares } from './link-shares.table.ts'
import { massMessages } from './mass-messages.table.ts'
import { messagePurchases } from './message-purchases.table.ts'
import { messages } from './messages.table.ts'
import { notifications, notificationSettings } from './notifications.table.ts'
import { accounts, apiKeys, organisations } from './organisations.table.ts'
import { payouts, payoutSettings, referralPayouts } from './payouts.table.ts'
import { postCounters } from './post-counters.table.ts'
import { postDays } from './post-days.table.ts'
import { postLabels } from './post-labels.table.ts'
import { posts } from './posts.table.ts'
import { publishedDays } from './published-days.table.ts'
import { referrals } from './referrals.table.ts'
import { releaseForms } from './release-forms.table.ts'
import { removedPosts } from './removed-posts.table.ts'
import { stories } from './stories.table.ts'
import { subscriptionEvents } from './subscription-events.table.ts'
import { Table } from './table.ts'
import type { Changes } from './table-index.ts'
import type { Id, TableOf, TableSnapshot } from './table.ts'
import { tags } from './tags.table.ts'
import { trackingLinks } from './tracking-links.table.ts'
import { fanSpend, transactions } from './transactions.table.ts'
import { trialLinks } from './trial-links.table.ts'
import { userListMembers, userLists } from './user-lists.table.ts'
import { userMarks } from './user-marks.table.ts'
import { uploads } from './uploads.table.ts'
import { vaultLists, vaultMedia } from './vault.table.ts'
import { vaultListOrders } from './vault-lists.table.ts'

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

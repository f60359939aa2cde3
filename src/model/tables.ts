import { chats, messages } from './chats.ts'
import { comments } from './comments.ts'
import { fanRecords } from './fan-records.ts'
import { fans, subscriptions } from './fans.ts'
import { linkShares } from './link-shares.ts'
import { tags, trackingLinks } from './links.ts'
import { notificationSettings } from './notifications.ts'
import { accounts, apiKeys, organisations } from './organisations.ts'
import { postCounters } from './post-counters.ts'
import { postLabels } from './post-labels.ts'
import { posts } from './posts.ts'
import { Table } from './table.ts'
import type { Id, TableOf, TableSnapshot } from './table.ts'
import { fanSpend, transactions } from './transactions.ts'
import { vaultLists, vaultMedia } from './vault.ts'

/** Every table of a world, by name. */
export const tableDefinitions = {
  organisations,
  apiKeys,
  accounts,
  posts,
  postLabels,
  comments,
  fans,
  subscriptions,
  fanRecords,
  transactions,
  vaultMedia,
  vaultLists,
  trackingLinks,
  linkShares,
  tags,
  chats,
  messages,
  notificationSettings,
  /** Derived from `transactions`: one row for each fan and account. */
  fanSpend,
  /** Derived from `posts`: one row for each account. */
  postCounters,
} as const

/** The name of a table. */
export type TableName = keyof typeof tableDefinitions

/** The names of all tables. */
export const tableNames = Object.keys(tableDefinitions) as readonly TableName[]

/** The tables of a world. */
export type Tables = { readonly [Name in TableName]: TableOf<(typeof tableDefinitions)[Name]> }

/** The tables that follow others and are rebuilt from them. */
export const derivedTables: readonly TableName[] = ['fanSpend', 'postCounters']

/** Makes the empty tables of a world. */
export function createTables(): Tables {
  const tables = Object.entries(tableDefinitions).map(([name, definition]) => [name, new Table(name, definition as ConstructorParameters<typeof Table>[1])])
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

/** Keeps the state of all tables: pointers, no copies of records. */
export function snapshotTables(tables: Tables): TablesSnapshot {
  return new Map(tableNames.map((name) => [name, anyTable(tables, name).snapshot()]))
}

/** Goes back to a snapshot of these tables or of their twins in another world. */
export function restoreTables(tables: Tables, snapshot: TablesSnapshot): void {
  for (const [name, table] of snapshot) anyTable(tables, name).restore(table)
}

import type { Sandbox } from 'creator-api-sandbox'
import { listRows, sampleEvenly } from './data.ts'
import type { Parameter } from './operations.ts'

/** Returns valid values of a query parameter, based on its name, or otherwise on its schema. */
export function listValidValues(sandbox: Sandbox, { name, schema }: Parameter, account: number) {
  const named = byName[name]
  if (named !== undefined) return named
  const source = tables[name]
  if (source !== undefined) {
    const [table, field] = source
    const rows = listRows(sandbox, table).filter((row) => row.accountId === account)
    const values = sampleEvenly(rows, 3).map((row) => row[field])
    return name === 'ids' ? [values.join(','), values[0] ?? 1] : values.length > 0 ? values : [1]
  }
  if (schema.enum !== undefined) return schema.enum
  if (schema.type === 'boolean') return [true, false]
  if (schema.type === 'integer') return [1, schema.maximum ?? 7]
  return schema.examples ?? ['hello']
}

export function listInvalidValues({ name, schema }: Parameter): unknown[] {
  if (schema.type === 'integer' || schema.type === 'number') return ['abc', -1, 1e30]
  if (/date|timezone|_time|marker/.test(name)) return ['not-a-date', '2026-02-30']
  if (schema.enum !== undefined || schema.type === 'boolean') return ['nonsense', '']
  return ['x'.repeat(3000), '']
}

const dates = ['2026-09-01', '2026-09-20T12:30:00Z', '-7d']
const texts = ['a', 'THE', 'zzzz']

const byName: Readonly<Record<string, readonly unknown[]>> = {
  limit: [1, 2, 100, 1000],
  offset: [1, 3, 1_000_000],
  start_date: dates,
  end_date: dates,
  date_start: dates,
  date_end: dates,
  query: texts,
  q: texts,
  timezone: ['Europe/Berlin', 'Pacific/Auckland'],
  before_publish_time: ['1788249600.000000'],
  after_publish_time: ['1780000000.000000'],
  group: ['message', 'push', '1'],
}

/** Sources of ids and similar values. Each source is a field of a table. */
const tables: Readonly<Record<string, readonly [string, string]>> = {
  ids: ['subscriptions', 'fanId'],
  label: ['postLabels', 'id'],
  exclude_label: ['postLabels', 'id'],
  related_user: ['userListMembers', 'userId'],
  list_id: ['vaultLists', 'id'],
  h: ['vaultMedia', 'hash'],
  size: ['vaultMedia', 'size'],
  id: ['messages', 'id'],
  first_id: ['messages', 'id'],
  last_id: ['messages', 'id'],
  from_user: ['chats', 'fanId'],
  from_id: ['notifications', 'id'],
  marker: ['payouts', 'second'],
}

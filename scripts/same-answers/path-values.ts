import type { Sandbox } from 'creator-api-sandbox'
import { listRows, sampleEvenly } from './data.ts'
import type { Row } from './data.ts'
import type { Operation } from './operations.ts'

export type PathValues = Record<string, unknown>

/**
 * Returns path values for at most `most` existing records, spread evenly over the table. If there
 * are no records, uses the id 1.
 */
export function findPathValues(
  sandbox: Sandbox,
  operation: Operation,
  { account, most }: { account: number; most: number },
): PathValues[] {
  const { path, inPath, choices } = operation
  const names = inPath.filter((name) => name !== 'account_id')
  const [chosen] = Object.keys(choices)
  if (names.length === 0) return [{ account_id: account }]
  if (chosen !== undefined)
    return choices[chosen]!.map((value) => ({ account_id: account, [chosen]: value }))
  const source = sources.find(([pattern]) => pattern.test(`${operation.method} ${path}`))
  if (source === undefined) return [{ account_id: account, ...fillWithOnes(names) }]
  const [, table, fields, prefers = () => true] = source
  const rows = listRows(sandbox, table).filter((row) => belongsTo(sandbox, row, account))
  const preferred = rows.filter(prefers)
  const found = sampleEvenly(preferred.length > 0 ? preferred : rows, most).map((row) => ({
    account_id: account,
    ...Object.fromEntries(
      names.map((name) => {
        const field = fields[name] ?? 'id'
        return [name, typeof field === 'string' ? row[field] : field(row)]
      }),
    ),
  }))
  return found.length > 0 ? found : [{ account_id: account, ...fillWithOnes(names) }]
}

/** Inserts values into the path of an operation. */
export function fillPath({ path }: Operation, values: PathValues): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
}

type Field = string | ((row: Row) => unknown)
type Source = [
  pattern: RegExp,
  table: string,
  fields: Record<string, Field>,
  prefers?: (row: Row) => unknown,
]

/**
 * Sources of ids in paths. The first matching source is used. Each source has a table, the id
 * fields that are not called `id`, and a filter for suitable rows.
 */
const sources: Source[] = [
  [
    /labels\/\{label_id\}\/posts\/\{post_id\}/,
    'posts',
    { label_id: ({ labels }) => (labels as unknown[])[0] ?? 1 },
    ({ labels }) => (labels as unknown[]).length > 0,
  ],
  [/posts\/labels\/\{label_id\}/, 'postLabels', {}],
  [/DELETE .*\{post_id\}\/pin/, 'posts', {}, ({ isPinned }) => isPinned],
  [/\{post_id\}/, 'posts', {}, ({ status }) => status === 'published'],
  // A scheduled item's id is twice the id of its post.
  [
    /schedules\/\{item_id\}/,
    'posts',
    { item_id: ({ id }) => Number(id) * 2 },
    ({ status }) => status === 'scheduled',
  ],
  [/queue\/\{queue_id\}/, 'massMessages', {}, ({ state }) => state === 'queued'],
  [/mass-messages\/\{message_id\}/, 'massMessages', {}, ({ price }) => Number(price) > 0],
  [/DELETE .*\/messages\/\{message_id\}\/like/, 'messages', {}, ({ isLiked }) => isLiked],
  [/DELETE .*\/messages\/\{message_id\}\/pin/, 'messages', {}, ({ isPinned }) => isPinned],
  [/DELETE .*\/messages\/\{message_id\}/, 'messages', {}, (row) => !row.isFromFan],
  [/\{message_id\}\/attach-tags/, 'messages', {}, (row) => !row.isFromFan],
  [/\{message_id\}/, 'messages', { user_id: 'fanId' }],
  [/\{chat_id\}/, 'chats', {}],
  [/DELETE .*\{user_id\}\/mute/, 'chats', { user_id: 'fanId' }, ({ isMuted }) => isMuted],
  [/chats\/\{user_id\}/, 'chats', { user_id: 'fanId' }],
  [/DELETE .*\/block/, 'userMarks', { user_id: 'userId' }, ({ blockedAt }) => blockedAt],
  [/DELETE .*\/restrict/, 'userMarks', { user_id: 'userId' }, ({ restrictedAt }) => restrictedAt],
  [/\{list_id\}\/users\/\{user_id\}/, 'userListMembers', { list_id: 'listId', user_id: 'userId' }],
  [/user-lists\/\{list_id\}/, 'userLists', {}],
  [/vault\/lists\/\{list_id\}/, 'vaultLists', {}, ({ canUpdate }) => canUpdate],
  [/\{media_id\}/, 'vaultMedia', {}],
  [/\{username\}/, 'fans', { username: 'username' }],
  [
    /tracking-links\/\{link_id\}\/shares\/\{/,
    'linkShares',
    { link_id: 'linkId' },
    ({ kind }) => kind === 'tracking',
  ],
  [
    /trial-links\/\{link_id\}\/shares\/\{/,
    'linkShares',
    { link_id: 'linkId' },
    ({ kind }) => kind === 'trial',
  ],
  [/tracking-links\/\{/, 'trackingLinks', {}, ({ endDate }) => endDate === null],
  [/trial-links\/\{/, 'trialLinks', {}],
  [/\{promo_id\}/, 'promotions', {}],
  [/\{story_id\}/, 'stories', {}],
  [/\{token\}/, 'linkShares', {}],
  [/\{tag_id\}/, 'tags', {}],
  [/\{(fan|user)_id\}/, 'subscriptions', { fan_id: 'fanId', user_id: 'fanId' }],
]

function belongsTo(sandbox: Sandbox, row: Row, account: number): boolean {
  if (row.accountId !== undefined) return row.accountId === account
  if (row.organisation === undefined) return true
  const found = listRows(sandbox, 'accounts').find(({ id }) => id === account)
  return row.organisation === found?.organisation
}

function fillWithOnes(names: readonly string[]): PathValues {
  return Object.fromEntries(names.map((name) => [name, 1]))
}

import type { Invariant } from '../engine/invariant.ts'
import { tableNames } from './tables.ts'
import type { RecordOf, TableName } from './tables.ts'
import type { World } from './world.ts'

/** What a field names: a user, who may be a fan, a creator or an account; or a record of a table. */
type Target = 'users' | TableName

/** A field of a table whose value is the id, or a list of ids, of other records. */
interface Reference {
  table: TableName
  field: string
  to: Target
}

/** Says that a field names records: a table, its field, and what that names. */
function refer<Name extends TableName>(table: Name, field: keyof RecordOf<Name> & string, to: Target): Reference {
  return { table, field, to }
}

/**
 * The fields that name other records, besides `accountId`. Left out is what may outlive or lack what it names: payments and their purchases
 * (a post, story or message that was deleted), answers to messages, uploads whose media are gone, private records of strangers, and the
 * people whom a client tags.
 */
const references: readonly Reference[] = [
  refer('accounts', 'organisation', 'organisations'),
  refer('apiKeys', 'organisation', 'organisations'),
  refer('tags', 'organisation', 'organisations'),
  refer('posts', 'labels', 'postLabels'),
  refer('posts', 'mediaFiles', 'vaultMedia'),
  refer('posts', 'preview', 'vaultMedia'),
  refer('postDays', 'postId', 'posts'),
  refer('comments', 'postId', 'posts'),
  refer('comments', 'fanId', 'users'),
  refer('stories', 'mediaFiles', 'vaultMedia'),
  refer('stories', 'viewers', 'users'),
  refer('subscriptions', 'fanId', 'users'),
  refer('subscriptions', 'trackingLinkId', 'trackingLinks'),
  refer('subscriptions', 'trialLinkId', 'trialLinks'),
  refer('subscriptionEvents', 'subscriptionId', 'subscriptions'),
  refer('follows', 'userId', 'users'),
  refer('userMarks', 'userId', 'users'),
  refer('userListMembers', 'listId', 'userLists'),
  refer('userListMembers', 'userId', 'users'),
  refer('transactions', 'fanId', 'users'),
  refer('fanSpend', 'fanId', 'users'),
  refer('messagePurchases', 'fanId', 'users'),
  refer('vaultMedia', 'listIds', 'vaultLists'),
  refer('vaultMedia', 'releaseFormIds', 'releaseForms'),
  refer('trackingLinks', 'tags', 'tags'),
  refer('trialLinks', 'tags', 'tags'),
  refer('promotionClaims', 'promotionId', 'promotions'),
  refer('promotionClaims', 'fanId', 'users'),
  refer('chats', 'fanId', 'users'),
  refer('messages', 'chatId', 'chats'),
  refer('messages', 'fanId', 'users'),
  refer('messages', 'mediaFiles', 'vaultMedia'),
  refer('messages', 'previews', 'vaultMedia'),
  refer('messages', 'queueId', 'massMessages'),
  refer('massMessages', 'mediaFiles', 'vaultMedia'),
  refer('massMessages', 'previews', 'vaultMedia'),
  refer('massMessages', 'userIds', 'users'),
  refer('notifications', 'fanId', 'users'),
  refer('referrals', 'userId', 'users'),
]

/** What always holds of records that name others, and so of the ids that answers show. */
export const referenceInvariants: readonly Invariant<World>[] = [
  { name: 'every record that a record names is there', check: findMissing },
  { name: 'every record is of an account that is there', check: findHomeless },
]

function* findMissing({ db }: World): Generator<string> {
  const accountOf = (to: Target, id: number) => {
    if (to !== 'users') return ownerOf(db[to].get(id as never))
    return db.fans.get(id) === undefined && db.accounts.get(id) === undefined ? undefined : null
  }
  for (const { table, field, to } of references) {
    const isNamed = new Map<number, number | null | undefined>()
    for (const row of db[table].all()) {
      for (const id of toIds((row as Readonly<Record<string, unknown>>)[field])) {
        if (!isNamed.has(id)) isNamed.set(id, accountOf(to, id))
        const owner = isNamed.get(id)
        const own = ownerOf(row)
        if (owner === undefined) yield `${table} ${row.id}: its ${field} names ${id}, which is not among the ${to}.`
        else if (owner !== null && own !== null && owner !== own)
          yield `${table} ${row.id}: its ${field} names ${id} of the ${to}, which is of another account.`
      }
    }
  }
}

function* findHomeless({ db }: World): Generator<string> {
  for (const table of tableNames) {
    for (const row of db[table].all()) {
      const owner = ownerOf(row)
      if (owner !== null && owner !== undefined && db.accounts.get(owner) === undefined)
        yield `${table} ${row.id} is of the account ${owner}, which is not there.`
    }
  }
}

/** The account of a record; null for one that is of no account, undefined where there is no record. */
function ownerOf(row: object | undefined): number | null | undefined {
  if (row === undefined) return undefined
  return 'accountId' in row && typeof row.accountId === 'number' ? row.accountId : null
}

function toIds(value: unknown): readonly number[] {
  if (Array.isArray(value)) return value as readonly number[]
  return typeof value === 'number' ? [value] : []
}

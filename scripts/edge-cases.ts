import type { Sandbox } from '../src/index.ts'

type Db = Sandbox['db']

/**
 * An edge case that clients must handle: a description, the route on which it occurs, and an
 * example record.
 */
export interface Edge {
  what: string
  /** Returns the path of the route for the given id. */
  where: (found: { accountId: number; id: number | string }) => string
  find: (db: Db) => { accountId: number; id: number | string } | undefined
}

/** Edge cases that the default scenario contains without any configuration. */
export const edges: readonly Edge[] = [
  {
    what: 'A user who deleted their profile',
    where: ({ accountId, id }) => `GET /v1/${accountId}/fans?ids=${id}`,
    find: (db) => findFanRecord(db, ({ isDeleted }) => isDeleted === true),
  },
  {
    what: 'A closed profile',
    where: ({ accountId, id }) => `GET /v1/${accountId}/fans?ids=${id}`,
    find: (db) =>
      findFanRecord(db, ({ isActive, avatar }) => isActive === false && avatar !== null),
  },
  {
    what: 'A user without a picture',
    where: ({ accountId, id }) => `GET /v1/${accountId}/fans?ids=${id}`,
    find: (db) =>
      findFanRecord(db, ({ avatar, isActive }) => avatar === null && isActive !== false),
  },
  {
    what: 'A user whose lastSeen is null',
    where: ({ accountId, id }) => `GET /v1/${accountId}/fans?ids=${id}`,
    find: (db) =>
      findFanRecord(
        db,
        ({ hidesLastSeen, isActive }) => hidesLastSeen === true && isActive !== false,
      ),
  },
  {
    what: 'Media that are being transcoded',
    where: ({ accountId, id }) => `GET /v1/${accountId}/vault/media/${id}`,
    find: (db) => db.vaultMedia.find(({ isReady }) => !isReady),
  },
  {
    what: 'Media whose transcoding failed',
    where: ({ accountId, id }) => `GET /v1/${accountId}/vault/media/${id}`,
    find: (db) => db.vaultMedia.find(({ hasError }) => hasError),
  },
  {
    what: 'Locked media',
    where: ({ accountId, id }) => `GET /v1/${accountId}/vault/media/${id}`,
    find: (db) => db.vaultMedia.find(({ canView }) => !canView),
  },
  {
    what: 'A picture that a fan sent',
    where: toChatPath,
    find: (db) =>
      findChatRecord(db, ({ isFromFan, mediaFiles }) => isFromFan && mediaFiles.length > 0),
  },
  {
    what: 'A GIF without a text',
    where: toChatPath,
    find: (db) => findChatRecord(db, ({ giphyId, text }) => giphyId !== null && text === ''),
  },
  {
    what: 'A reply to a message',
    where: toChatPath,
    find: (db) => findChatRecord(db, ({ replyToMessageId }) => replyToMessageId !== null),
  },
  {
    what: 'An edited message (`changedAt` is later than `createdAt`)',
    where: toChatPath,
    find: (db) => findChatRecord(db, ({ createdAt, changedAt }) => createdAt !== changedAt),
  },
  {
    what: 'A tip of an unusual amount',
    where: ({ accountId, id }) => `POST /v1/fans/${id}/transactions, account_ids [${accountId}]`,
    find: (db) => {
      const row = db.transactions.find(
        ({ category, amount }) =>
          category === 'tip' && amount !== null && !Number.isInteger(amount),
      )
      return row && { accountId: row.accountId, id: row.fanId }
    },
  },
  {
    what: 'A list with an emoji in its name',
    where: ({ accountId, id }) => `GET /v1/${accountId}/user-lists/${id}`,
    find: (db) => db.userLists.find(({ name }) => /\p{Extended_Pictographic}/u.test(name)),
  },
  {
    what: 'A cancelled mass message (no list contains it)',
    where: ({ accountId }) => `GET /v1/${accountId}/mass-messages/queue`,
    find: (db) => db.massMessages.find(({ state }) => state === 'cancelled'),
  },
  {
    what: 'A subscription for several months',
    where: ({ accountId, id }) => `GET /v1/${accountId}/users/${id}`,
    find: (db) => {
      const row = db.subscriptions.find(({ spans }) =>
        spans.some(({ from, until }) => Date.parse(until) - Date.parse(from) > 32 * 86_400_000),
      )
      return row && { accountId: row.accountId, id: findUsername(db, row.fanId) }
    },
  },
  {
    what: 'A fan whose monthly price changed',
    where: ({ accountId, id }) => `GET /v1/${accountId}/users/${id}`,
    find: (db) => {
      const row = db.subscriptions.find(({ spans }) => {
        const prices = spans.filter(
          ({ from, until, price }) =>
            price > 0 && Math.round((Date.parse(until) - Date.parse(from)) / 86_400_000) === 30,
        )
        return new Set(prices.map(({ price }) => price)).size > 1
      })
      return row && { accountId: row.accountId, id: findUsername(db, row.fanId) }
    },
  },
  {
    what: 'A refunded and a disputed payment',
    where: ({ accountId, id }) =>
      `POST /v1/fans/${id}/transactions, account_ids [${accountId}], statuses [undo, pending_return]`,
    find: (db) => {
      const row = db.transactions.find(({ status }) => status === 'pending_return')
      return row && { accountId: row.accountId, id: row.fanId }
    },
  },
  {
    what: 'A payment without a time',
    where: ({ accountId, id }) => `POST /v1/fans/${id}/transactions, account_ids [${accountId}]`,
    find: (db) => {
      const row = db.transactions.find(({ transaction_created_at: at }) => at === null)
      return row && { accountId: row.accountId, id: row.fanId }
    },
  },
  {
    what: 'An account that was never used',
    where: ({ accountId }) => `GET /v1/${accountId}/posts`,
    find: (db) => {
      const account = db.accounts.find(
        ({ id, connected }) => connected && db.subscriptions.find({ accountId: id }) === undefined,
      )
      return account && { accountId: account.id, id: account.id }
    },
  },
  {
    what: 'An account whose session has lapsed (424 on routes of the platform)',
    where: ({ accountId }) => `GET /v1/${accountId}/posts`,
    find: (db) => {
      const account = db.accounts.find(({ session }) => session === 'lapsed')
      return account && { accountId: account.id, id: account.id }
    },
  },
  {
    what: 'A disconnected account (404)',
    where: ({ accountId }) => `GET /v1/${accountId}/posts`,
    find: (db) => {
      const account = db.accounts.find(({ connected }) => !connected)
      return account && { accountId: account.id, id: account.id }
    },
  },
]

/** True if clients can read an account. */
const isOpen = (db: Db, accountId: number) => {
  const account = db.accounts.get(accountId)
  return account?.connected === true && account.session === 'active'
}

function findFanRecord(db: Db, is: (fan: ReturnType<Db['fans']['all']>[number]) => boolean) {
  for (const { accountId, fanId } of db.subscriptions.all()) {
    const fan = db.fans.get(fanId)
    if (fan !== undefined && is(fan) && isOpen(db, accountId)) return { accountId, id: fanId }
  }
  return undefined
}

function findUsername(db: Db, fanId: number): string {
  return db.fans.get(fanId)?.username ?? ''
}

function findChatRecord(
  db: Db,
  is: (message: ReturnType<Db['messages']['all']>[number]) => boolean,
) {
  const message = db.messages.find((each) => is(each) && isOpen(db, each.accountId))
  return message && { accountId: message.accountId, id: message.fanId }
}

function toChatPath({ accountId, id }: { accountId: number; id: number | string }): string {
  return `GET /v1/${accountId}/chats/${id}/messages`
}

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
  ofFan('A user who deleted their profile', ({ isDeleted }) => isDeleted === true),
  ofFan('A closed profile', ({ isActive, avatar }) => isActive === false && avatar !== null),
  ofFan(
    'A user without a picture',
    ({ avatar, isActive }) => avatar === null && isActive !== false,
  ),
  ofFan(
    'A user whose lastSeen is null',
    ({ hidesLastSeen, isActive }) => hidesLastSeen === true && isActive !== false,
  ),
  ofMedia('Media that are being transcoded', ({ isReady }) => !isReady),
  ofMedia('Media whose transcoding failed', ({ hasError }) => hasError),
  ofMedia('Locked media', ({ canView }) => !canView),
  ofChat(
    'A picture that a fan sent',
    ({ isFromFan, mediaFiles }) => isFromFan && mediaFiles.length > 0,
  ),
  ofChat('A GIF without a text', ({ giphyId, text }) => giphyId !== null && text === ''),
  ofChat('A reply to a message', ({ replyToMessageId }) => replyToMessageId !== null),
  ofChat(
    'An edited message (`changedAt` is later than `createdAt`)',
    ({ createdAt, changedAt }) => createdAt !== changedAt,
  ),
  ofPayment(
    'A tip of an unusual amount',
    ({ category, amount }) => category === 'tip' && amount !== null && !Number.isInteger(amount),
  ),
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
  ofSubscription('A subscription for several months', ({ spans }) =>
    spans.some((span) => countDays(span) > 32),
  ),
  ofSubscription('A fan whose monthly price changed', ({ spans }) => {
    const months = spans.filter((span) => span.price > 0 && Math.round(countDays(span)) === 30)
    return new Set(months.map(({ price }) => price)).size > 1
  }),
  ofPayment(
    'A refunded and a disputed payment',
    ({ status }) => status === 'pending_return',
    ', statuses [undo, pending_return]',
  ),
  ofPayment('A payment without a time', ({ transaction_created_at: at }) => at === null),
  ofAccount(
    'An account that was never used',
    ({ id, connected }, db) => connected && db.subscriptions.find({ accountId: id }) === undefined,
  ),
  ofAccount(
    'An account whose session has lapsed (424 on routes of the platform)',
    ({ session }) => session === 'lapsed',
  ),
  ofAccount('A disconnected account (404)', ({ connected }) => !connected),
]

type Row<Name extends keyof Db> = Db[Name] extends { all: () => readonly (infer Each)[] }
  ? Each
  : never

function ofFan(what: string, is: (fan: Row<'fans'>) => boolean): Edge {
  return {
    what,
    where: ({ accountId, id }) => `GET /v1/${accountId}/fans?ids=${id}`,
    find(db) {
      const found = db.subscriptions.find(({ accountId, fanId }) => {
        const fan = db.fans.get(fanId)
        return fan !== undefined && is(fan) && isOpen(db, accountId)
      })
      return found && { accountId: found.accountId, id: found.fanId }
    },
  }
}

function ofMedia(what: string, is: (media: Row<'vaultMedia'>) => boolean): Edge {
  return {
    what,
    where: ({ accountId, id }) => `GET /v1/${accountId}/vault/media/${id}`,
    find: (db) => db.vaultMedia.find(is),
  }
}

function ofChat(what: string, is: (message: Row<'messages'>) => boolean): Edge {
  return {
    what,
    where: ({ accountId, id }) => `GET /v1/${accountId}/chats/${id}/messages`,
    find(db) {
      const message = db.messages.find((each) => is(each) && isOpen(db, each.accountId))
      return message && { accountId: message.accountId, id: message.fanId }
    },
  }
}

function ofPayment(what: string, is: (payment: Row<'transactions'>) => boolean, more = ''): Edge {
  return {
    what,
    where: ({ accountId, id }) =>
      `POST /v1/fans/${id}/transactions, account_ids [${accountId}]${more}`,
    find(db) {
      const row = db.transactions.find(is)
      return row && { accountId: row.accountId, id: row.fanId }
    },
  }
}

function ofSubscription(what: string, is: (row: Row<'subscriptions'>) => boolean): Edge {
  return {
    what,
    where: ({ accountId, id }) => `GET /v1/${accountId}/users/${id}`,
    find(db) {
      const row = db.subscriptions.find(is)
      return row && { accountId: row.accountId, id: db.fans.get(row.fanId)?.username ?? '' }
    },
  }
}

function ofAccount(what: string, is: (account: Row<'accounts'>, db: Db) => boolean): Edge {
  return {
    what,
    where: ({ accountId }) => `GET /v1/${accountId}/posts`,
    find(db) {
      const account = db.accounts.find((each) => is(each, db))
      return account && { accountId: account.id, id: account.id }
    },
  }
}

function countDays({ from, until }: Row<'subscriptions'>['spans'][number]): number {
  return (Date.parse(until) - Date.parse(from)) / 86_400_000
}

/** True if clients can read an account. */
function isOpen(db: Db, accountId: number): boolean {
  const account = db.accounts.get(accountId)
  return account?.connected === true && account.session === 'active'
}

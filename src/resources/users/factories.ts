import { dayMs, toIsoTime } from '../../lib/time.ts'
import { defineFactory } from '../define-factory.ts'
import { toFanKey } from '../fans/fans.table.ts'
import { resolveAccountId, resolveAccountAndFan } from '../subscribers/account-and-fan.ts'
import { periodDays } from '../subscribers/subscriptions.ts'

/**
 * Fills in missing fields of accounts' subscriptions to creators. By default, a subscription lasts
 * 30 days and is renewed automatically.
 */
const followFactory = defineFactory({
  name: 'follow',
  table: 'follows',
  after: ['account', 'fan'],
  time: 'subscribedAt',
  complete(given, context) {
    const { world, at, iso } = context
    const userId = given.userId ?? context.only('userId', world.db.fans.slice(0, 11), 'user')
    return {
      accountId: context.accountId(given),
      userId,
      price: world.db.fans.get(userId)?.subscribePrice ?? 0,
      subscribedAt: iso,
      expiredAt: toIsoTime(at + periodDays * dayMs),
      isAutoprolong: true,
    }
  },
})

/** Fills in missing fields of an account's marks on a user. By default, no marks are set. */
const userMarkFactory = defineFactory({
  name: 'userMark',
  table: 'userMarks',
  after: ['account', 'fan'],
  complete({ accountId: account, userId: user }, context) {
    const accountId = resolveAccountId(context, { accountId: account, fanId: user })
    const userId = user ?? resolveAccountAndFan(context, { accountId }).fanId
    return { id: toFanKey(accountId, userId), accountId, userId }
  },
})

export const usersFactories = [followFactory, userMarkFactory] as const

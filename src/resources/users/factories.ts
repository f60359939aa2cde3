import { dayMs, toIso } from '../../engine/time.ts'
import { defineFactory } from '../../world/making.ts'
import { fanKey } from '../fans/fans.table.ts'
import { accountOf, partiesOf } from '../subscribers/parties.ts'
import { periodDays } from '../subscribers/subscriptions.ts'

/** Completes the subscriptions of accounts to creators: 30 days that renew by themselves. */
const followFactory = defineFactory({
  name: 'follow',
  table: 'follows',
  after: ['account', 'fan'],
  time: 'subscribedAt',
  complete(given, making) {
    const { world, at, iso } = making
    const userId = given.userId ?? making.only('userId', world.db.fans.slice(0, 11), 'user')
    return {
      accountId: making.accountId(given),
      userId,
      price: world.db.fans.get(userId)?.subscribePrice ?? 0,
      subscribedAt: iso,
      expiredAt: toIso(at + periodDays * dayMs),
      isAutoprolong: true,
    }
  },
})

/** Completes the marks of an account on a user: none, unless the caller says more. */
const userMarkFactory = defineFactory({
  name: 'userMark',
  table: 'userMarks',
  after: ['account', 'fan'],
  complete({ accountId: account, userId: user }, making) {
    const accountId = accountOf(making, { accountId: account, fanId: user })
    const userId = user ?? partiesOf(making, { accountId }).fanId
    return { id: fanKey(accountId, userId), accountId, userId }
  },
})

export const usersFactories = [followFactory, userMarkFactory] as const

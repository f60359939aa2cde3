import { SandboxError } from '../../errors.ts'
import { defineFactory } from '../define-factory.ts'

/** Fills in missing fields of referrals. By default, a referral has no earnings. */
const referralFactory = defineFactory({
  name: 'referral',
  table: 'referrals',
  after: ['account', 'fan'],
  time: 'createdAt',
  complete(given, context) {
    const { fans, accounts } = context.world.db
    const userId = given.userId ?? context.only('userId', fans.slice(0, 11), 'user')
    const user = fans.get(userId) ?? accounts.get(userId)
    if (user === undefined)
      throw new SandboxError(
        `Failed to make the referral (userId: ${userId}): there is no user with that id. Choose ` +
          'another id.',
      )
    return {
      accountId: context.accountId(given),
      userId,
      username: user.username,
      name: user.name,
      createdAt: context.iso,
      earned: 0,
    }
  },
})

export const referralsFactories = [referralFactory] as const

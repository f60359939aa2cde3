import { SandboxError } from '../../errors.ts'
import { defineFactory } from '../../world/making.ts'

/** Completes referrals: of a creator who has brought nothing yet. */
const referralFactory = defineFactory({
  name: 'referral',
  table: 'referrals',
  after: ['account', 'fan'],
  time: 'createdAt',
  complete(given, making) {
    const { fans, accounts } = making.world.db
    const userId = given.userId ?? making.only('userId', fans.slice(0, 11), 'user')
    const user = fans.get(userId) ?? accounts.get(userId)
    if (user === undefined)
      throw new SandboxError(
        `Failed to make referral (userId: ${userId}): there is no user of that id. Name another.`,
      )
    return {
      accountId: making.accountId(given),
      userId,
      username: user.username,
      name: user.name,
      createdAt: making.iso,
      earned: 0,
    }
  },
})

export const referralsFactories = [referralFactory] as const

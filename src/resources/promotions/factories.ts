import { defineFactory } from '../../world/making.ts'
import { partiesOf } from '../subscribers/parties.ts'
import { promotionPrice } from './promotions.ts'

/** Completes promotions: 20 percent off the first month, for new fans, without end. */
const promotionFactory = defineFactory({
  name: 'promotion',
  table: 'promotions',
  after: ['account'],
  time: 'createdAt',
  complete(given, making) {
    const accountId = making.accountId(given)
    const { discount = 20 } = given
    const { subscribePrice = 0 } = making.world.db.accounts.get(accountId) ?? {}
    const price = promotionPrice({ subscribePrice }, discount)
    return {
      accountId,
      type: 'new' as const,
      discount,
      price,
      subscribeDays: discount === 100 ? 7 : 30,
      createdAt: making.iso,
    }
  },
})

/** Completes the claims of promotions. */
const promotionClaimFactory = defineFactory({
  name: 'promotionClaim',
  table: 'promotionClaims',
  after: ['promotion', 'subscription'],
  time: 'claimedAt',
  complete(given, making) {
    const accountId = given.promotionId === undefined ? given.accountId : making.accountId(given)
    const parties = partiesOf(making, { ...given, accountId })
    const offers = making.world.db.promotions.in('byAccount', parties.accountId)
    const promotionId =
      given.promotionId ??
      making.only('promotionId', offers.walk(), `promotion of the account ${parties.accountId}`)
    return { promotionId, ...parties, claimedAt: making.iso }
  },
})

export const promotionsFactories = [promotionFactory, promotionClaimFactory] as const

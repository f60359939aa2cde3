import { defineFactory } from '../define-factory.ts'
import { resolveAccountAndFan } from '../subscribers/account-and-fan.ts'
import { computePromotionPrice } from './promotions.ts'

/**
 * Fills in missing fields of promotions. By default, a promotion gives new fans a discount of 20
 * percent on the first month, and never expires.
 */
const promotionFactory = defineFactory({
  name: 'promotion',
  table: 'promotions',
  after: ['account'],
  time: 'createdAt',
  complete(given, context) {
    const accountId = context.accountId(given)
    const { discount = 20 } = given
    const { subscribePrice = 0 } = context.world.db.accounts.get(accountId) ?? {}
    const price = computePromotionPrice({ subscribePrice }, discount)
    return {
      accountId,
      type: 'new' as const,
      discount,
      price,
      subscribeDays: discount === 100 ? 7 : 30,
      createdAt: context.iso,
    }
  },
})

/** Fills in missing fields of promotion claims. */
const promotionClaimFactory = defineFactory({
  name: 'promotionClaim',
  table: 'promotionClaims',
  after: ['promotion', 'subscription'],
  time: 'claimedAt',
  complete(given, context) {
    const accountId = given.promotionId === undefined ? given.accountId : context.accountId(given)
    const parties = resolveAccountAndFan(context, { ...given, accountId })
    const offers = context.world.db.promotions.in('byAccount', parties.accountId)
    const promotionId =
      given.promotionId ??
      context.only('promotionId', offers.walk(), `promotion of the account ${parties.accountId}`)
    return { promotionId, ...parties, claimedAt: context.iso }
  },
})

export const promotionsFactories = [promotionFactory, promotionClaimFactory] as const

import { compareIds } from '../../data/rows.ts'
import { dayMs, parseIso, toIsoTime } from '../../lib/time.ts'
import { getTimeDaysAgo } from '../seeding.ts'
import type { AccountPlan, SeedContext } from '../seeding.ts'
import { applyIntroductoryPrice, applyReturnPrice } from '../subscribers/subscriptions.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { computePromotionPrice } from './promotions.ts'
import type { PromotionSizes } from './promotions.table.ts'
import { defineFactory } from '../define.ts'
import { resolveAccountAndFan } from '../subscribers/find-subscription.ts'

/**
 * Seeds the promotions of an account. Promotions are claimed by fans who joined without a link, or
 * by returning fans if the promotion targets them. These fans paid a lower price for their first
 * days, or nothing if their subscription was already seeded as free.
 */
export function seedPromotions(
  seeding: SeedContext,
  { account, sizes, persona }: AccountPlan<PromotionSizes>,
): void {
  if (sizes.promotions.length === 0) return
  const { random, rows, now } = seeding
  const pool = listFansWithoutLink(seeding)
  const returned = listReturnedFans(seeding)
  const claimers = sizes.promotions.reduce((sum, promotion) => sum + promotion.claimers, 0)
  const gap = Math.max(0, Math.floor((pool.length - claimers) / sizes.promotions.length))
  let place = 0
  for (const [
    index,
    { type, discount, days, limit, claimers: claimed, ended, message },
  ] of sizes.promotions.entries()) {
    place += gap
    const isForReturn = type === 'expired'
    const claims = isForReturn
      ? returned.splice(-claimed, claimed)
      : pool.slice(place, place + claimed)
    place += isForReturn ? 0 : claimed
    const price = computePromotionPrice(account, discount)
    const claimedAt = (claim: Subscription) =>
      isForReturn ? getReturnTime(claim) : claim.subscribedAt
    const near = claims[0] ?? pool[Math.min(place, pool.length - 1)]
    const first = near === undefined ? getTimeDaysAgo(seeding, 30) : parseIso(claimedAt(near))
    const newest = claims.at(-1)
    const last = newest === undefined ? first : parseIso(claimedAt(newest))
    const promotionId = seeding.nextId('promotions')
    rows.promotions.push({
      id: promotionId,
      accountId: account.id,
      type,
      message: message ?? persona.names.offers[index] ?? '',
      discount,
      price,
      subscribeDays: days,
      subscribeCounts: limit === 0 ? null : Math.max(limit, claims.length),
      hasRelated: false,
      createdAt: toIsoTime(first - random.integer(dayMs, 4 * dayMs)),
      expiresAt: ended
        ? toIsoTime(Math.min(last + random.integer(dayMs, 10 * dayMs), now - dayMs / 2))
        : null,
    })
    for (const claim of claims) {
      const at = claimedAt(claim)
      Object.assign(
        claim,
        isForReturn
          ? applyReturnPrice(claim, { days, price })
          : applyIntroductoryPrice(claim, { days, price, now }),
      )
      rows.promotionClaims.push({
        id: seeding.nextId('promotionClaims'),
        promotionId,
        accountId: account.id,
        fanId: claim.fanId,
        claimedAt: at,
      })
    }
  }
}

/** Returns the subscriptions of fans who joined without a link, oldest first. */
function listFansWithoutLink({ rows }: SeedContext): Subscription[] {
  return rows.subscriptions
    .filter(({ trackingLinkId, trialLinkId }) => trackingLinkId === null && trialLinkId === null)
    .toSorted((a, b) => compareIds(a.subscribedAt, b.subscribedAt) || a.id - b.id)
}

/**
 * Returns the subscriptions of fans who left and came back, sorted by their return, earliest first.
 */
function listReturnedFans({ rows }: SeedContext): Subscription[] {
  return rows.subscriptions
    .filter(({ spans }) => (spans.at(-1)?.from ?? '') > (spans.at(-2)?.until ?? '9'))
    .toSorted((a, b) => compareIds(getReturnTime(a), getReturnTime(b)) || a.id - b.id)
}

/** Returns the start time of the fan's latest subscription span. */
function getReturnTime({ spans, subscribedAt }: Subscription): string {
  return spans.at(-1)?.from ?? subscribedAt
}

/**
 * Fills in missing fields of promotions. By default, a promotion gives new fans a discount of 20
 * percent on the first month, and never expires.
 */
export const promotionFactory = defineFactory({
  name: 'promotion',
  table: 'promotions',
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
export const promotionClaimFactory = defineFactory({
  name: 'promotionClaim',
  table: 'promotionClaims',
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

import { compareIds } from '../../engine/store/rows.ts'
import { dayMs, fromIso, toIso } from '../../engine/time.ts'
import { daysAgo, ownRows } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import { discountFirst } from '../subscribers/first-days.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { promotionPrice } from './promotions.ts'
import type { PromotionSizes } from './sizes.ts'

/**
 * Seeds the promotions of an account. The claimers of each are fans whom no link brought and who came one after the other; they paid less
 * for their first days, or nothing where the seed of payments lets them join for free.
 */
export function seedPromotions(seeding: Seeding, { account, sizes }: AccountPlan<PromotionSizes>): void {
  if (sizes.promotions.length === 0) return
  const { random, rows, now } = seeding
  const pool = fansWithoutLink(seeding, account.id)
  const claimers = sizes.promotions.reduce((sum, promotion) => sum + promotion.claimers, 0)
  const gap = Math.max(0, Math.floor((pool.length - claimers) / sizes.promotions.length))
  let place = 0
  for (const { type, discount, days, limit, claimers: claimed, ended, message } of sizes.promotions) {
    place += gap
    const claims = pool.slice(place, place + claimed)
    place += claimed
    const price = promotionPrice(account, discount)
    const near = claims[0] ?? pool[Math.min(place, pool.length - 1)]
    const first = near === undefined ? daysAgo(seeding, 30) : fromIso(near.subscribedAt)
    const last = claims.length === 0 ? first : fromIso(claims.at(-1)?.subscribedAt ?? '')
    const promotionId = seeding.nextId('promotions')
    rows.promotions.push({
      id: promotionId,
      accountId: account.id,
      type,
      message,
      discount,
      price,
      subscribeDays: days,
      subscribeCounts: limit === 0 ? null : Math.max(limit, claims.length),
      hasRelated: false,
      createdAt: toIso(first - random.integer(1, 4) * dayMs),
      expiresAt: ended ? toIso(Math.min(last + random.integer(1, 10) * dayMs, now - dayMs / 2)) : null,
    })
    for (const claim of claims) {
      Object.assign(claim, discountFirst(claim, { days, price, now }))
      rows.promotionClaims.push({
        id: seeding.nextId('promotionClaims'),
        promotionId,
        accountId: account.id,
        fanId: claim.fanId,
        claimedAt: claim.subscribedAt,
      })
    }
  }
}

/** The subscriptions of fans whom no link brought, oldest first. */
function fansWithoutLink({ rows }: Seeding, accountId: number): Subscription[] {
  return ownRows(rows.subscriptions, { id: accountId })
    .filter(({ trackingLinkId, trialLinkId }) => trackingLinkId === null && trialLinkId === null)
    .toSorted((a, b) => compareIds(a.subscribedAt, b.subscribedAt) || a.id - b.id)
}

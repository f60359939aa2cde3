import { toCents } from '../../lib/money.ts'
import { compareIds } from '../../data/rows.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { dayMs, parseIso, toIsoTime } from '../../lib/time.ts'
import { createApiError } from '../../errors.ts'
import type { World } from '../world.ts'
import type { TrialLink } from '../trial-links/trial-links.table.ts'
import type { Promotion } from './promotions.table.ts'

/** Terms of new promotions. */
export interface NewPromotion {
  /** Target groups. One promotion is created per type. */
  types: readonly Promotion['type'][]
  /** Discount in percent. 100 means a free trial. */
  discount: number
  subscribeDays: number
  /** Maximum number of claims per promotion. Null if unlimited. */
  subscribeCounts: number | null
  /** Number of days until the promotions expire. Null if they never expire. */
  finishDays: number | null
  message: string
}

/** A promotion or a trial link, as an item of the combined list. */
export type OfferItem = { kind: 'promo'; row: Promotion } | { kind: 'trial'; row: TrialLink }

/** Creates a promotion for each type, without claims. */
export function createPromotions(
  world: World,
  account: Account,
  { types, finishDays, ...terms }: NewPromotion,
): Promotion[] {
  const now = world.clock.now()
  return types.map((type) =>
    world.db.promotions.insert({
      id: world.nextId('promotions'),
      accountId: account.id,
      type,
      ...terms,
      price: computePromotionPrice(account, terms.discount),
      hasRelated: types.length > 1,
      createdAt: toIsoTime(now),
      expiresAt: finishDays === null ? null : toIsoTime(now + finishDays * dayMs),
    }),
  )
}

/** Returns the price for the days of a promotion, dollars. */
export function computePromotionPrice(
  { subscribePrice }: Pick<Account, 'subscribePrice'>,
  discount: number,
): number {
  return Math.round((toCents(subscribePrice) * (100 - discount)) / 100) / 100
}

/**
 * Returns the account's promotion with the given id.
 * @throws {ApiError} promotion_unknown
 */
export function requirePromotion(world: World, account: Account, promoId: number): Promotion {
  const promotion = world.db.promotions.get(promoId)
  if (promotion?.accountId !== account.id)
    throw createApiError('promotion_unknown', { promo_id: promoId, account_id: account.id })
  return promotion
}

/** Counts the fans who claimed a promotion. */
export function countPromotionClaims(world: World, { id }: Promotion): number {
  return world.db.promotionClaims.in('byPromotion', id).size
}

/** True if a promotion accepts no more claims because it has expired or reached its limit. */
export function isFinishedPromotion(world: World, promotion: Promotion): boolean {
  const { expiresAt, subscribeCounts } = promotion
  if (expiresAt !== null && world.clock.hasReached(parseIso(expiresAt))) return true
  return subscribeCounts !== null && countPromotionClaims(world, promotion) >= subscribeCounts
}

/**
 * Returns the end time of a promotion: its expiry, or the time of its last allowed claim. Null if
 * neither time is known.
 */
export function getPromotionEnd(world: World, promotion: Promotion): string | null {
  const claims = world.db.promotionClaims.in('byPromotion', promotion.id)
  const isClaimedUp = promotion.subscribeCounts !== null && claims.size >= promotion.subscribeCounts
  return isClaimedUp ? (claims.at(0)?.claimedAt ?? promotion.expiresAt) : promotion.expiresAt
}

/** Returns the promotions and trial links of an account, newest first. */
export function listPromotionOffers({ db }: World, { id }: Account): OfferItem[] {
  const promos = db.promotions.list('byAccount', id)
  const trials = db.trialLinks.list('byAccount', id)
  const offers: OfferItem[] = [
    ...promos.map((row) => ({ kind: 'promo' as const, row })),
    ...trials.map((row) => ({ kind: 'trial' as const, row })),
  ]
  return offers.toSorted(
    (a, b) => compareIds(b.row.createdAt, a.row.createdAt) || b.row.id - a.row.id,
  )
}

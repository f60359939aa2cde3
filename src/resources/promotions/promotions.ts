import { toCents } from '../../lib/money.ts'
import { compareIds } from '../../data/rows.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { dayMs, fromIso, toIso } from '../../lib/time.ts'
import { apiError } from '../../errors.ts'
import type { World } from '../world.ts'
import type { TrialLink } from '../trial-links/trial-links.table.ts'
import type { Promotion } from './promotions.table.ts'

/** The terms of new promotions. */
export interface NewPromotion {
  /** Whom it is for; two of them make two promotions. */
  types: readonly Promotion['type'][]
  /** Percent; 100 is a free trial. */
  discount: number
  subscribeDays: number
  /** How many fans may claim each; null: any number. */
  subscribeCounts: number | null
  /** How many days they take claims; null: without end. */
  finishDays: number | null
  message: string
}

/** A promotion or a trial link, in the list of both. */
export type Offered = { kind: 'promo'; row: Promotion } | { kind: 'trial'; row: TrialLink }

/** Makes a promotion for each type. Nobody has claimed them. */
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
      price: promotionPrice(account, terms.discount),
      hasRelated: types.length > 1,
      createdAt: toIso(now),
      expiresAt: finishDays === null ? null : toIso(now + finishDays * dayMs),
    }),
  )
}

/** What the days of a promotion cost, dollars. */
export function promotionPrice(
  { subscribePrice }: Pick<Account, 'subscribePrice'>,
  discount: number,
): number {
  return Math.round((toCents(subscribePrice) * (100 - discount)) / 100) / 100
}

/** The account's promotion of that id. @throws {ApiError} promotion_unknown */
export function requirePromotion(world: World, account: Account, promoId: number): Promotion {
  const promotion = world.db.promotions.get(promoId)
  if (promotion?.accountId !== account.id)
    throw apiError('promotion_unknown', { promo_id: promoId, account_id: account.id })
  return promotion
}

/** How many fans claimed a promotion. */
export function countClaims(world: World, { id }: Promotion): number {
  return world.db.promotionClaims.in('byPromotion', id).size
}

/**
 * Whether a promotion takes no more claims: its time is over, or as many as it allows have claimed
 * it.
 */
export function isFinished(world: World, promotion: Promotion): boolean {
  const { expiresAt, subscribeCounts } = promotion
  if (expiresAt !== null && world.clock.hasReached(fromIso(expiresAt))) return true
  return subscribeCounts !== null && countClaims(world, promotion) >= subscribeCounts
}

/**
 * When a promotion finished or will: at its end, or with the last claim that it allowed; null while
 * that is open.
 */
export function finishOf(world: World, promotion: Promotion): string | null {
  const claims = world.db.promotionClaims.in('byPromotion', promotion.id)
  const isClaimedUp = promotion.subscribeCounts !== null && claims.size >= promotion.subscribeCounts
  return isClaimedUp ? (claims.at(0)?.claimedAt ?? promotion.expiresAt) : promotion.expiresAt
}

/** The promotions and the trial links of an account, newest first. */
export function offersOf({ db }: World, { id }: Account): Offered[] {
  const promos = db.promotions.in('byAccount', id).slice()
  const trials = db.trialLinks.in('byAccount', id).slice()
  const offers: Offered[] = [
    ...promos.map((row) => ({ kind: 'promo' as const, row })),
    ...trials.map((row) => ({ kind: 'trial' as const, row })),
  ]
  return offers.toSorted(
    (a, b) => compareIds(b.row.createdAt, a.row.createdAt) || b.row.id - a.row.id,
  )
}

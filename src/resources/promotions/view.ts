import type { Account } from '../../world/tenancy/tenancy.table.ts'
import type { Fan } from '../fans/fans.table.ts'
import { toHtml } from '../../lib/text.ts'
import { toPlatformTime, truncateToSecond } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { isClosedLink } from '../links/links.ts'
import type { TrialLink } from '../trial-links/trial-links.table.ts'
import { shortView, createUserObject } from '../users/users.ts'
import type { Promotion } from './promotions.table.ts'
import { countPromotionClaims, getPromotionEnd, isFinishedPromotion } from './promotions.ts'

/** Converts a promotion to its API form. */
export function toPromotion(world: World, promotion: Promotion) {
  const { id, type, message, price, subscribeDays, subscribeCounts, hasRelated, createdAt } =
    promotion
  const isOverNow = isFinishedPromotion(world, promotion)
  return {
    id,
    message: message === '' ? '' : toHtml(message),
    rawMessage: message,
    hasRelatedPromo: hasRelated,
    price,
    type,
    canClaim: !isOverNow,
    claimsCount: countPromotionClaims(world, promotion),
    subscribeCounts,
    subscribeDays,
    createdAt: toPlatformTime(createdAt),
    finishedAt: toPlatformTime(getPromotionEnd(world, promotion)),
    isFinished: isOverNow,
  }
}

/** Converts a promotion to an item of the combined list of promotions and trial links. */
export function toPromoOffer(world: World, promotion: Promotion) {
  return { promo: toPromotion(world, promotion) }
}

/** Converts a trial link to an item of the combined list of promotions and trial links. */
export function toTrialOffer(world: World, link: TrialLink) {
  return { trial: toTrial(world, link) }
}

function toTrial(world: World, link: TrialLink) {
  const { id, url, trialLinkName, subscribeDays, subscribeCounts, createdAt, expiredAt } = link
  const times = { createdAt: truncateToSecond(createdAt), expiredAt: truncateToSecond(expiredAt) }
  const claimCounts = world.db.subscriptions.in('byTrialLink', id).size
  return {
    id,
    url,
    trialLinkName,
    subscribeDays,
    subscribeCounts,
    claimCounts,
    ...times,
    isFinished: isClosedLink(link),
  }
}

/** Converts a fan who claimed a promotion to the form in which the account sees the fan. */
export function toPromotionSubscriber(world: World, fan: Fan | Account, accountId: number) {
  const user = createUserObject(world, accountId, fan.id)
  const {
    id,
    username,
    name,
    subscribedBy,
    subscribedByExpireDate,
    subscribedOnDuration,
    subscribedOnData,
  } = user
  return {
    id,
    username,
    name,
    view: shortView,
    subscribedBy,
    subscribedByExpireDate,
    subscribedOnDuration,
    subscribedOnData,
    promoOffers: [],
  }
}

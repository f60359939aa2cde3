import { requireUser } from '../users/marks.ts'
import { createWindowSchema, listLimit, offset, createPageLimitSchema } from '../../lib/fields.ts'
import { readPage } from '../../api/lists/paging.ts'
import { readWindow } from '../../api/lists/windows.ts'
import { Page } from '../../api/route.ts'
import { parseIso, toPlatformTime, truncateToSecond } from '../../lib/time.ts'
import { createBodyFieldError } from '../../errors.ts'
import { createRouteDefiner } from '../define.ts'
import {
  createPromotions,
  listPromotionOffers,
  requirePromotion,
  countPromotionClaims,
  getPromotionEnd,
  isFinishedPromotion,
} from './promotions.ts'
import {
  CreatedPromotions,
  NewPromotionBody,
  OfferPage,
  PromotionPage,
  PromotionSubscriberPage,
} from './schemas.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import type { Fan } from '../fans/fans.table.ts'
import { toHtml } from '../../lib/text.ts'
import type { World } from '../world.ts'
import { isClosedLink } from '../links/links.ts'
import type { TrialLink } from '../trial-links/trial-links.table.ts'
import { shortView, createUserObject } from '../users/users.ts'
import type { Promotion } from './promotions.table.ts'

const defineRoute = createRouteDefiner({ group: 'Reach', source: 'published' })
const evidence = 'the reference does not name the permission group; by analogy'
const paged = { next: 'address', last: 'omitted' } as const
const bothNamed = 'next_page always contains limit and offset.'

const listPromotions = defineRoute({
  id: 'GET /v1/:account_id/reach/promotions',
  permission: 'api_reach_list_promotions',
  summary: 'List the promotions of an account',
  errors: ['window_reversed'],
  rules: [
    'Lists promotions created in the window, newest first.',
    'Includes finished promotions.',
    bothNamed,
  ],
  pagination: paged,
  query: () => ({ limit: listLimit, offset, ...createWindowSchema() }),
  data: PromotionPage,
  handle({ world, account, query }) {
    const { start, end } = readWindow(query, world.clock.now())
    const all = world.db.promotions.in('byAccount', account.id)
    const [from, to] = [
      all.findPartitionPoint(({ createdAt }) => parseIso(createdAt) <= end),
      all.findPartitionPoint(({ createdAt }) => parseIso(createdAt) < start),
    ]
    const { rows, hasMore, next } = readPage(all, query, { from, to })
    return new Page(
      { hasMore, items: rows.map((promotion) => world.json(toPromotion, promotion)) },
      next && { limit: query.limit, ...next },
    )
  },
})

const listSubscribers = defineRoute({
  id: 'GET /v1/:account_id/reach/promotions/:promo_id/subscribers',
  permission: 'api_reach_list_promotion_subscribers',
  summary: 'List the fans who subscribed through a promotion',
  errors: ['promotion_unknown'],
  rules: [
    'Latest first, including fans whose subscription has ended.',
    'promoOffers is always empty, because the shape of its items is unknown.',
    bothNamed,
  ],
  pagination: paged,
  query: () => ({ limit: listLimit, offset }),
  data: PromotionSubscriberPage,
  handle({ world, account, params, query }) {
    const { id } = requirePromotion(world, account, params.promo_id)
    const { rows, hasMore, next } = readPage(world.db.promotionClaims.in('byPromotion', id), query)
    const list = rows.map(({ fanId }) =>
      world.json(toPromotionSubscriber, requireUser(world, fanId), account.id),
    )
    return new Page({ hasMore, list }, next && { limit: query.limit, ...next })
  },
})

const listOffers = defineRoute({
  id: 'GET /v1/:account_id/promotions-trials',
  permission: 'api_promotions_trials_list',
  evidence,
  summary: 'List promotions and trial links together',
  rules: [
    'Newest first. Each item has either a promo or a trial.',
    'A limit above 200 returns 400.',
    bothNamed,
    'The times in trial end with Z.',
  ],
  pagination: paged,
  query: () => ({ limit: createPageLimitSchema(100, 200), offset }),
  data: OfferPage,
  handle({ world, account, query }) {
    const { rows, hasMore, next } = readPage(listPromotionOffers(world, account), query)
    const items = rows.map((offer) =>
      offer.kind === 'promo'
        ? world.json(toPromoOffer, offer.row)
        : world.json(toTrialOffer, offer.row),
    )
    return new Page({ items, hasMore }, next && { limit: query.limit, ...next })
  },
})

/** Target groups of promotions, by the type in the request body. */
const typesOf = { new: ['new'], expired: ['expired'], new_and_expired: ['new', 'expired'] } as const

const createPromotion = defineRoute({
  id: 'POST /v1/:account_id/promotions',
  permission: 'api_promotions_create',
  evidence,
  summary: 'Create a promotion',
  rules: [
    'The response is an array. For new_and_expired, the array contains two promotions.',
    'A discount of 100 percent is a free trial. A free trial requires freeTrialDays, which ' +
      'replaces subscribeDays. With any other discount, freeTrialDays returns 400.',
    'A new promotion has no claims and does not change the price of the account.',
  ],
  body: () => NewPromotionBody,
  data: CreatedPromotions,
  handle({ world, account, body }) {
    const { type, discount, freeTrialDays, subscribeDays, subscribeCounts, finishDays, message } =
      body
    const isTrial = discount === 100
    if (isTrial !== (freeTrialDays !== undefined))
      throw createBodyFieldError(
        { freeTrialDays },
        isTrial
          ? 'it must be an integer from 1 to 30 with a discount of 100'
          : `it must be omitted with a discount of ${discount}`,
      )
    const created = createPromotions(world, account, {
      types: typesOf[type],
      discount,
      subscribeDays: freeTrialDays ?? subscribeDays,
      subscribeCounts: subscribeCounts === 0 ? null : subscribeCounts,
      finishDays: finishDays === 0 ? null : finishDays,
      message,
    })
    return created.map((promotion) => toPromotion(world, promotion))
  },
})

export const promotionRoutes = [listPromotions, listSubscribers, listOffers, createPromotion]

/** Converts a promotion to its API form. */
function toPromotion(world: World, promotion: Promotion) {
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
function toPromoOffer(world: World, promotion: Promotion) {
  return { promo: toPromotion(world, promotion) }
}

/** Converts a trial link to an item of the combined list of promotions and trial links. */
function toTrialOffer(world: World, link: TrialLink) {
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
function toPromotionSubscriber(world: World, fan: Fan | Account, accountId: number) {
  const user = createUserObject(world, accountId, fan.id)
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    view: shortView,
    subscribedBy: user.subscribedBy,
    subscribedByExpireDate: user.subscribedByExpireDate,
    subscribedOnDuration: user.subscribedOnDuration,
    subscribedOnData: user.subscribedOnData,
    promoOffers: [],
  }
}

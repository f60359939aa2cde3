import { dayMs, parseIso, toIsoTime } from '../../lib/time.ts'
import type { Subscription } from './subscriptions.table.ts'
import { findLatestRenewal, getNextRenewal, periodMs } from './subscriptions.ts'

/** A special price for the first days of a subscription, and the number of days. */
export interface IntroductoryPeriod {
  days: number
  price: number
  /** Epoch ms. */
  now: number
}

/**
 * Returns the history of a subscription that has a special price for the first days. After these
 * days, the fan pays the account's price.
 */
export function applyIntroductoryPrice(
  { spans: [first, ...rest], subscribedAt, isExpired }: Subscription,
  { days, price, now }: IntroductoryPeriod,
): Partial<Subscription> {
  if (first === undefined) return {}
  const end = parseIso(subscribedAt) + days * dayMs
  const offer = { ...first, until: toIsoTime(Math.min(end, parseIso(first.until))), price }
  if (rest.length > 0 || isExpired) {
    const paidRest = toIsoTime(end) < first.until ? [{ ...first, from: toIsoTime(end) }] : []
    const spans = [offer, ...paidRest, ...rest]
    return { spans, renewedAt: findLatestRenewal(spans) }
  }
  if (end > now)
    return {
      spans: [{ ...offer, until: toIsoTime(end) }],
      price,
      expiredAt: toIsoTime(end),
      renewedAt: null,
    }
  const until = toIsoTime(getNextRenewal(end, now))
  const spans = [offer, { ...first, from: toIsoTime(end), until }]
  return { spans, expiredAt: until, renewedAt: findLatestRenewal(spans) }
}

/** Only subscriptions up to this length may be shortened to their first days. */
const shortStayMs = 2 * periodMs

/**
 * Returns the history of a fan who leaves after the days with the special price. Undefined if the
 * fan stayed for longer than two periods, came back or is still subscribed.
 */
export function endAfterIntroductoryPeriod(
  { spans: [first, ...rest], subscribedAt, isExpired }: Subscription,
  { days, price }: Pick<IntroductoryPeriod, 'days' | 'price'>,
): Partial<Subscription> | undefined {
  if (first === undefined || rest.length > 0 || !isExpired) return undefined
  if (parseIso(first.until) - parseIso(first.from) > shortStayMs) return undefined
  const until = toIsoTime(Math.min(parseIso(subscribedAt) + days * dayMs, parseIso(first.until)))
  return {
    spans: [{ ...first, until, price }],
    price,
    expiredAt: until,
    renewedAt: null,
    isAutoprolong: false,
  }
}

/**
 * Returns the history of a subscription that has a special price for the first days after the last
 * pause.
 */
export function applyReturnPrice(
  { spans }: Subscription,
  { days, price }: Pick<IntroductoryPeriod, 'days' | 'price'>,
): Partial<Subscription> {
  const last = spans.at(-1)
  if (last === undefined) return {}
  const end = toIsoTime(Math.min(parseIso(last.from) + days * dayMs, parseIso(last.until)))
  const rest = end < last.until ? [{ ...last, from: end }] : []
  const all = [...spans.slice(0, -1), { ...last, until: end, price }, ...rest]
  return { spans: all, renewedAt: findLatestRenewal(all) }
}

import type { Random } from '../../world/random.ts'
import { dayMs, hourMs, minuteMs, toIsoTime } from '../../lib/time.ts'
import type { AccountPlan, Mutable, SeedContext } from '../seeding.ts'
import { findLatestRenewal, periodDays, listPeriodStarts } from './subscriptions.ts'
import type { Subscription } from './subscriptions.table.ts'

type Span = Subscription['spans'][number]

/**
 * Bundles of several months. Each has a number of months, a fraction of the regular price, and a
 * probability.
 */
const bundle = { months: 3, priceShare: 0.85, chance: 0.05 }

/** Ranges for the delay of the next payment, with weights. */
const delays: readonly (readonly [readonly [number, number], number])[] = [
  [[minuteMs, 55 * minuteMs], 82],
  [[hourMs, 20 * hourMs], 13],
  [[dayMs, 3 * dayMs], 5],
]

/**
 * Sets the payment time and the price of each subscription period. Fans pay for a renewal some time
 * after the end of the previous period. They pay the account's price on that day. Some fans buy
 * several months at once.
 */
export function seedRenewals(seeding: SeedContext, plan: AccountPlan): void {
  const { random } = seeding
  const priceAt = createPriceHistory(seeding, plan)
  const usual = plan.account.subscribePrice
  const { now } = seeding
  for (const row of seeding.rows.subscriptions as Mutable<Subscription>[]) {
    const spans: Span[] = []
    for (const span of row.spans) addPeriods(random, spans, { span, now, usual, priceAt })
    row.spans = spans
    // After a special offer, a fan pays the regular price.
    const last = row.spans.at(-1)?.price ?? usual
    if (row.spans.length > 0 && last >= usual / 2) row.price = last
    row.renewedAt = findLatestRenewal(spans)
  }
}

/** Adds the periods of a span that has a single price. */
function addPeriods(
  random: Random,
  spans: Span[],
  {
    span,
    now,
    usual,
    priceAt,
  }: { span: Span; now: number; usual: number; priceAt: (at: number) => number },
): void {
  const starts = listPeriodStarts(span)
  const isOffer = span.price !== usual
  for (let index = 0; index < starts.length; index += 1) {
    const from = starts[index] ?? 0
    const isRenewal = spans.at(-1)?.until === toIsoTime(from)
    const paid = isRenewal ? from + drawDelay(random, now - from) : from
    const price = isOffer ? span.price : priceAt(paid)
    const isBundle =
      !isRenewal &&
      price > 0 &&
      starts.length - index >= bundle.months &&
      random.chance(bundle.chance)
    if (isBundle) index += bundle.months - 1
    const regularPrice = Math.round(priceAt(paid) * (isBundle ? bundle.months : 1) * 100) / 100
    spans.push({
      from: toIsoTime(from),
      until: index + 1 < starts.length ? toIsoTime(starts[index + 1] ?? 0) : span.until,
      price: isBundle ? Math.floor(price * bundle.months * bundle.priceShare) + 0.99 : price,
      ...(regularPrice === usual ? {} : { regularPrice }),
      ...(isRenewal || isBundle ? { paidAt: toIsoTime(paid) } : {}),
    })
  }
}

function drawDelay(random: Random, atMost: number): number {
  const [least, most] = random.pickWeighted(delays)
  // Most delays are short.
  const delay = least + Math.floor((most - least) * random.next() ** 3)
  return Math.min(delay, Math.floor(atMost / 2))
}

/**
 * Creates a function that returns an account's monthly price at a given time. Accounts older than
 * half a year had a lower price at first.
 */
function createPriceHistory(
  seeding: SeedContext,
  { account, since }: AccountPlan,
): (at: number) => number {
  const { random, now } = seeding.branch('price')
  const price = account.subscribePrice
  const changedAt = since + (now - since) * (0.3 + 0.3 * random.next())
  const before = price - random.pick([1, 2, 2, 3])
  if (before < leastPrice || now - since < priceDays * dayMs) return () => price
  return (at) => (at < changedAt ? Math.round(before * 100) / 100 : price)
}

/** Minimum monthly price, dollars. */
const leastPrice = 3.99
/** Minimum age of an account that has changed its price, days. */
const priceDays = 6 * periodDays

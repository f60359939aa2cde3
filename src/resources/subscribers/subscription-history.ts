import type { Random } from '../../world/random.ts'
import { dayMs, toIsoTime } from '../../lib/time.ts'
import type { Persona } from '../../seed/persona.ts'
import { periodMs } from './subscriptions.ts'
import type { Subscription } from './subscriptions.table.ts'

export interface SubscriptionHistory {
  spans: Subscription['spans']
  /** Start of the latest renewal. Null if there is no renewal. */
  renewedAt: string | null
  isAutoprolong: boolean
}

/** Fans who come back were away for at least this many days. */
const shortestAbsenceDays = 5
const meanAbsenceDays = 80

/**
 * Creates a random subscription history for a fan, from a start time (epoch ms) until now. Fans
 * renew or leave, and some come back.
 */
export function createSubscriptionHistory(
  random: Random,
  { churn, comeback }: Pick<Persona['audience'], 'churn' | 'comeback'>,
  { from, price, now }: { from: number; price: number; now: number },
): SubscriptionHistory {
  const spans: Subscription['spans'] = []
  for (let start = from; ;) {
    let periods = 1
    while (start + periods * periodMs <= now && drawsRenewal(random, churn, periods)) periods += 1
    const until = start + periods * periodMs
    const since = toIsoTime(start)
    spans.push({ from: since, until: toIsoTime(until), price })
    const renewedAt = periods > 1 ? toIsoTime(until - periodMs) : spans.length === 1 ? null : since
    // One in eight expired subscriptions had automatic renewal, but the payment failed.
    if (until > now)
      return { spans, renewedAt, isAutoprolong: drawsRenewal(random, churn, periods) }
    const absence = (shortestAbsenceDays - meanAbsenceDays * Math.log(1 - random.next())) * dayMs
    if (!random.chance(comeback) || until + absence > now)
      return { spans, renewedAt, isAutoprolong: random.chance(0.12) }
    start = Math.floor(until + absence)
  }
}

/**
 * Decides at random whether a fan renews after the given number of periods. Many fans leave after
 * the first period. Later, the probability of leaving approaches a constant.
 */
function drawsRenewal(random: Random, churn: number, periods: number): boolean {
  return !random.chance(Math.min(0.9, churn * (0.45 + 1 / periods)))
}

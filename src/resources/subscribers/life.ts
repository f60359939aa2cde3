import type { Random } from '../../world/random.ts'
import { dayMs, toIso } from '../../lib/time.ts'
import type { Persona } from '../../seed/persona.ts'
import { periodMs } from './subscriptions.ts'
import type { Subscription } from './subscriptions.table.ts'

/** The life of a fan: what they subscribed for, and whether they mean to go on. */
export interface Life {
  spans: Subscription['spans']
  /** When the latest period began, if it was not the first; else null. */
  renewedAt: string | null
  isAutoprolong: boolean
}

/** How long those stay away who come back, days: mostly some weeks. */
const shortestAbsenceDays = 5
const meanAbsenceDays = 80

/**
 * Draws what a fan who came at that time subscribed for until now. Fans renew each period, leave,
 * and some come back. Epoch ms.
 */
export function drawLife(
  random: Random,
  { churn, comeback }: Pick<Persona['audience'], 'churn' | 'comeback'>,
  { from, price, now }: { from: number; price: number; now: number },
): Life {
  const spans: Subscription['spans'] = []
  for (let start = from; ;) {
    let periods = 1
    while (start + periods * periodMs <= now && renews(random, churn, periods)) periods += 1
    const until = start + periods * periodMs
    const since = toIso(start)
    spans.push({ from: since, until: toIso(until), price })
    const renewedAt = periods > 1 ? toIso(until - periodMs) : spans.length === 1 ? null : since
    // One in eight of those who left had renewal on: their payment failed.
    if (until > now) return { spans, renewedAt, isAutoprolong: renews(random, churn, periods) }
    const absence = (shortestAbsenceDays - meanAbsenceDays * Math.log(1 - random.next())) * dayMs
    if (!random.chance(comeback) || until + absence > now)
      return { spans, renewedAt, isAutoprolong: random.chance(0.12) }
    start = Math.floor(until + absence)
  }
}

/**
 * Whether a fan goes on after so many periods. Many only try the first; who stays longer leaves
 * less and less, down to a steady share.
 */
function renews(random: Random, churn: number, periods: number): boolean {
  return !random.chance(Math.min(0.9, churn * (0.45 + 1 / periods)))
}

import { dayMs, parseIso, toIsoTime } from '../../lib/time.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { computeAge } from './fan-habits.ts'
import type { BirthDate } from './fan-habits.ts'

/** A fan mentions a renewal on this many days after it, and the end on this many days before it. */
const spoken = { renewed: 1, ends: 7 } as const
/** A fan is `new` for this many days after subscribing, and `old` after this many days. */
const known = { new: 7, old: 30 } as const

/**
 * Returns the tags of a fan that depend on the time (epoch ms): `over30`, `over40` and `over50` by
 * age, `birthday`, `new` or `old` by the time since the fan subscribed, `renewed` on the day of a
 * renewal, and `ends` if the subscription ends soon. `local` is the fan's local time.
 */
export function listTagsAt(
  at: number,
  local: number,
  birth: BirthDate,
  spans: Subscription['spans'],
): string {
  let tags = ''
  const age = computeAge(birth, local)
  for (const limit of [30, 40, 50]) if (age >= limit) tags += `over${limit} `
  const date = new Date(local)
  if (date.getUTCMonth() + 1 === birth.month && date.getUTCDate() === birth.day) tags += 'birthday '
  const days = spans[0] === undefined ? 0 : (at - parseIso(spans[0].from)) / dayMs
  if (days <= known.new) tags += 'new '
  else if (days >= known.old) tags += 'old '
  const time = toIsoTime(at)
  const place = spans.findLastIndex(({ from }) => from <= time)
  const span = spans[place]
  if (span === undefined || span.until <= time) return tags
  const isRenewal = spans[place - 1]?.until === span.from
  if (isRenewal && at - parseIso(span.from) < spoken.renewed * dayMs) tags += 'renewed '
  const isLast = place === spans.length - 1
  if (isLast && parseIso(span.until) - at < spoken.ends * dayMs) tags += 'ends '
  return tags
}

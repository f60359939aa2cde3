import { toCents } from '../../lib/money.ts'
import { dayMs, fromIso, startOfDay } from '../../lib/time.ts'
import { daysAgo, historyDays } from '../../seed/seeding.ts'
import type { AccountPlan, Seeding } from '../../seed/seeding.ts'
import { toPayout, latestHours, monthMs } from './draw.ts'
import { payoutTerms } from './payouts.ts'
import type { PayoutSizes } from './sizes.ts'

type Plan = AccountPlan<PayoutSizes>

/**
 * Seeds the payouts of an account, evenly over two years. Each pays out a part of what was earned
 * and not yet paid by then.
 */
export function seedPayouts(seeding: Seeding, plan: Plan): void {
  const { account, sizes } = plan
  const { random, rows, texts } = seeding
  const { rejectReasons, tooLittle } = texts.payouts
  const earnedBefore = sumByDay(seeding)
  const [from, until] = [daysAgo(seeding, historyDays), seeding.now - latestHours * 3_600_000]
  let paid = 0
  for (let left = sizes.payouts; left > 0; left -= 1) {
    const even = until - (left - 1) * Math.min(monthMs, (until - from) / sizes.payouts)
    // The last two are recent, so that one is pending and one is approved.
    const at = left === 2 ? Math.max(even, daysAgo(seeding, 4)) : even
    const available = earnedBefore(at - payoutTerms.pendingDays * dayMs) - paid
    const amount = Math.min(
      Math.floor(available * (0.6 + random.next() * 0.4)),
      toCents(payoutTerms.max),
    )
    const isTooLittle = amount < toCents(payoutTerms.min)
    const isRejected = isTooLittle || random.chance(0.06)
    if (!isRejected) paid += amount
    const drawnReason = isRejected && !isTooLittle ? random.pick(rejectReasons) : null
    const reason = isTooLittle ? tooLittle : drawnReason
    rows.payouts.push(
      toPayout(seeding, 'payouts', {
        accountId: account.id,
        at,
        cents: isTooLittle ? toCents(payoutTerms.min) : amount,
        rejectReason: reason,
      }),
    )
  }
}

/**
 * Tells what the account had earned by the end of the day before a moment: settled payments, net,
 * in cents.
 */
function sumByDay(seeding: Seeding): (at: number) => number {
  const first = startOfDay(daysAgo(seeding, historyDays + 100))
  const dollars = new Float64Array(Math.ceil((seeding.now - first) / dayMs) + 1)
  for (const { status, transaction_created_at: time, net } of seeding.rows.transactions) {
    if (status !== 'done' || time === null) continue
    const day = Math.floor((fromIso(time) - first) / dayMs)
    dollars[day] = (dollars[day] ?? 0) + net
  }
  let cents = 0
  const earned = dollars.map((net) => (cents += toCents(net)))
  return (at) => earned[Math.floor((at - first) / dayMs) - 1] ?? 0
}

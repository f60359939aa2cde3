import { toCents } from '../../lib/money.ts'
import type { Random } from '../../world/random.ts'
import { dayMs, parseIso, getStartOfUtcDay, toIsoTime } from '../../lib/time.ts'
import type { AccountPlan, SeedContext } from '../seeding.ts'
import { delayUntilAwake } from '../../seed/local-time.ts'
import {
  createSeededPayout,
  payoutTerms,
  getPayoutState,
  getNextPayoutTime,
  getPayoutSettings,
  toInvoiceId,
} from './payouts.ts'
import type { PayoutSizes, Payout } from './payouts.table.ts'
import { toCentAmounts } from '../payments/transactions.table.ts'
import { defineFactory } from '../define.ts'
import type { FactoryContext } from '../define.ts'

type Plan = AccountPlan<PayoutSizes>

/** Minimum number of days from the start of an account's history to its first payout request. */
const firstDays = 20

/**
 * Ranges of days since the latest payout request, with weights. The number of days determines if
 * the latest payout is pending, approved or paid.
 */
const latestDays: readonly (readonly [readonly [number, number], number])[] = [
  [[1.1, 2.8], 5],
  [[3.2, 4.8], 3],
  [[5.5, 12], 2],
]

/**
 * Seeds the payouts of an account at regular intervals over its whole history. Creators request
 * payouts while they are awake. Each payout is at most the balance at that time.
 */
export function seedPayouts(seeding: SeedContext, plan: Plan): void {
  const { account } = plan
  const { random, rows, texts } = seeding
  const { rejectReasons, tooLittle } = texts.payouts
  const earnedBefore = sumByDay(seeding, plan)
  let paid = 0
  for (const at of drawRequestTimes(seeding, plan, earnedBefore)) {
    const available = earnedBefore(at - payoutTerms.pendingDays * dayMs) - paid
    const amount = Math.min(drawAmount(random, available), toCents(payoutTerms.max))
    const isTooLittle = amount < toCents(payoutTerms.min)
    const isRejected = isTooLittle || random.chance(0.06)
    if (!isRejected) paid += amount
    const drawnReason = isRejected && !isTooLittle ? random.pick(rejectReasons) : null
    rows.payouts.push(
      createSeededPayout(seeding, 'payouts', {
        accountId: account.id,
        at,
        cents: isTooLittle ? toCents(payoutTerms.min) : amount,
        rejectReason: isTooLittle ? tooLittle : drawnReason,
      }),
    )
  }
}

/**
 * Picks random times for payout requests, oldest first, epoch ms. Each creator has a typical
 * interval. The first request follows when the account has earned the minimum amount.
 */
function drawRequestTimes(
  seeding: SeedContext,
  { account, sizes, persona, since }: Plan,
  earnedBefore: (at: number) => number,
): number[] {
  const { now } = seeding
  const { random } = seeding.branch('times', account.id)
  const [earliest, latest] = random.pickWeighted(latestDays)
  const until = now - Math.floor((earliest + (latest - earliest) * random.next()) * dayMs)
  const earliestRequest = since + firstDays * dayMs
  let from = earliestRequest
  const isEnough = (at: number) =>
    earnedBefore(at - payoutTerms.pendingDays * dayMs) >= toCents(payoutTerms.min)
  while (from < until && !isEnough(from)) from += dayMs
  if (from >= until) from = earliestRequest
  const gap = (until - from) / Math.max(1, sizes.payouts)
  const looseness = 0.35 + 0.6 * random.next()
  return Array.from({ length: sizes.payouts }, (_, place) => {
    const even = until - (sizes.payouts - 1 - place) * gap
    const at = even - gap * looseness * random.next() * Number(place < sizes.payouts - 1)
    return Math.min(delayUntilAwake(persona, Math.floor(at)), until)
  }).toSorted((a, b) => a - b)
}

/**
 * Picks a random amount for a payout, cents: the whole available balance, or a smaller round
 * amount.
 */
function drawAmount(random: Random, available: number): number {
  if (random.chance(0.55)) return Math.floor(available)
  const step = available > 100_000 ? 10_000 : 1000
  return Math.floor((available * (0.6 + random.next() * 0.4)) / step) * step
}

/**
 * Returns a function that adds up the account's settled net earnings until the end of the previous
 * day, cents.
 */
function sumByDay({ rows, now }: SeedContext, { since }: Plan): (at: number) => number {
  const first = getStartOfUtcDay(since) - dayMs
  const onDay = new Float64Array(Math.ceil((now - first) / dayMs) + 1)
  for (const row of rows.transactions) {
    const { status, transaction_created_at: time } = row
    if (status !== 'done' || time === null) continue
    const day = Math.floor((parseIso(time) - first) / dayMs)
    onDay[day] = (onDay[day] ?? 0) + toCentAmounts(row).net
  }
  let cents = 0
  const earned = onDay.map((net) => (cents += net))
  return (at) => earned[Math.floor((at - first) / dayMs) - 1] ?? 0
}

/**
 * Fills in missing fields of payouts. By default, a payout has the minimum amount, and its state
 * depends on its time.
 */
export const payoutFactory = defineFactory({
  name: 'payout',
  table: 'payouts',
  time: 'createdAt',
  complete: (given, context) => completePayout(given, context, 'payouts'),
})

/** Fills in missing fields of referral payouts. */
export const referralPayoutFactory = defineFactory({
  name: 'referralPayout',
  table: 'referralPayouts',
  time: 'createdAt',
  complete: (given, context) => completePayout(given, context, 'referralPayouts'),
})

/** Fills in missing fields of payout settings. By default, payouts are manual. */
export const payoutSettingsFactory = defineFactory({
  name: 'payoutSettings',
  table: 'payoutSettings',
  complete({ id, frequency = 'manual' }, context) {
    const { world } = context
    const { system } = getPayoutSettings(world, 0)
    return {
      id: id ?? context.accountId({}),
      frequency,
      system,
      nextAt: getNextPayoutTime(frequency, world.clock.now()),
    }
  },
})

function completePayout(
  given: Partial<Payout>,
  context: FactoryContext,
  table: 'payouts' | 'referralPayouts',
) {
  const { world, at } = context
  const accountId = context.accountId(given)
  const taken = new Set(world.db[table].list('byAccount', accountId).map((payout) => payout.second))
  let { second = Math.floor(at / 1000) } = given
  while (given.second === undefined && taken.has(second)) second += 1
  const { rejectReason = null } = given
  return {
    accountId,
    invoiceId: toInvoiceId(context.id),
    createdAt: toIsoTime(Math.floor(at / 1000) * 1000),
    second,
    amount: payoutTerms.min,
    currency: payoutTerms.currency,
    ...getPayoutState(world.clock.now(), { second, rejectReason }),
  }
}

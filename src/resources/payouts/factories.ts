import { toIso } from '../../engine/time.ts'
import { defineFactory } from '../../world/making.ts'
import type { Making } from '../../world/making.ts'
import { payoutStateAt } from './draw.ts'
import type { Payout } from './payouts.table.ts'
import { nextPayout, payoutSettingsOf, payoutTerms, toInvoiceId } from './payouts.ts'

/** Completes payouts: the least amount, in the state that it has reached by now. */
const payoutFactory = defineFactory({
  name: 'payout',
  table: 'payouts',
  after: ['account'],
  time: 'createdAt',
  complete: (given, making) => completePayout(given, making, 'payouts'),
})

/** Completes what an account was paid for its referrals, as payouts. */
const referralPayoutFactory = defineFactory({
  name: 'referralPayout',
  table: 'referralPayouts',
  after: ['account'],
  time: 'createdAt',
  complete: (given, making) => completePayout(given, making, 'referralPayouts'),
})

/** Completes how an account is paid out: by hand, unless the caller says how often. */
const payoutSettingsFactory = defineFactory({
  name: 'payoutSettings',
  table: 'payoutSettings',
  after: ['account'],
  complete({ id, frequency = 'manual' }, making) {
    const { world } = making
    const { system } = payoutSettingsOf(world, 0)
    return {
      id: id ?? making.accountId({}),
      frequency,
      system,
      nextAt: nextPayout(frequency, world.clock.now()),
    }
  },
})

function completePayout(
  given: Partial<Payout>,
  making: Making,
  table: 'payouts' | 'referralPayouts',
) {
  const { world, at } = making
  const accountId = making.accountId(given)
  const taken = new Set(
    world.db[table]
      .in('byAccount', accountId)
      .slice()
      .map((payout) => payout.second),
  )
  let { second = Math.floor(at / 1000) } = given
  while (given.second === undefined && taken.has(second)) second += 1
  const { rejectReason = null } = given
  return {
    accountId,
    invoiceId: toInvoiceId(making.id),
    createdAt: toIso(Math.floor(at / 1000) * 1000),
    second,
    amount: payoutTerms.min,
    currency: payoutTerms.currency,
    ...payoutStateAt(world.clock.now(), { second, rejectReason }),
  }
}

export const payoutsFactories = [
  payoutFactory,
  referralPayoutFactory,
  payoutSettingsFactory,
] as const

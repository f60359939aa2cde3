import { toIsoTime } from '../../lib/time.ts'
import { defineFactory } from '../define-factory.ts'
import type { FactoryContext } from '../define-factory.ts'
import { getPayoutState } from './seeded-payouts.ts'
import type { Payout } from './payouts.table.ts'
import { getNextPayoutTime, getPayoutSettings, payoutTerms, toInvoiceId } from './payouts.ts'

/**
 * Fills in missing fields of payouts. By default, a payout has the minimum amount, and its state
 * depends on its time.
 */
const payoutFactory = defineFactory({
  name: 'payout',
  table: 'payouts',
  after: ['account'],
  time: 'createdAt',
  complete: (given, context) => completePayout(given, context, 'payouts'),
})

/** Fills in missing fields of referral payouts. */
const referralPayoutFactory = defineFactory({
  name: 'referralPayout',
  table: 'referralPayouts',
  after: ['account'],
  time: 'createdAt',
  complete: (given, context) => completePayout(given, context, 'referralPayouts'),
})

/** Fills in missing fields of payout settings. By default, payouts are manual. */
const payoutSettingsFactory = defineFactory({
  name: 'payoutSettings',
  table: 'payoutSettings',
  after: ['account'],
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
    invoiceId: toInvoiceId(context.id),
    createdAt: toIsoTime(Math.floor(at / 1000) * 1000),
    second,
    amount: payoutTerms.min,
    currency: payoutTerms.currency,
    ...getPayoutState(world.clock.now(), { second, rejectReason }),
  }
}

export const payoutsFactories = [
  payoutFactory,
  referralPayoutFactory,
  payoutSettingsFactory,
] as const

import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'
import { toCents } from '../../lib/money.ts'
import { dayMs, parseIso } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { computeBalances, payoutTerms } from './payouts.ts'
import { toCentAmounts } from '../payments/transactions.table.ts'

export const payoutInvariants: readonly Invariant<World>[] = [
  { name: 'the pending balance is the sum of the pending payments', check: findUnlisted },
  {
    name: 'all earnings are pending, available, paid out, or held without a time',
    check: findLost,
  },
]

function findUnlisted(world: World): string[] {
  const since = world.clock.now() - payoutTerms.pendingDays * dayMs
  const listed = new Map<number, number>()
  for (const row of world.db.transactions.all()) {
    const { accountId, status, transaction_created_at: time } = row
    if (time === null || status === 'undo' || (status === 'done' && parseIso(time) <= since))
      continue
    listed.set(accountId, (listed.get(accountId) ?? 0) + toCentAmounts(row).net)
  }
  return findViolations(world.db.accounts.all(), ({ id }) => {
    const { pending } = computeBalances(world, id)
    const sum = listed.get(id) ?? 0
    if (pending === sum) return []
    return [
      `Account ${id} has a pending balance of ${pending / 100} dollars, but its pending ` +
        `payments add up to ${sum / 100}.`,
    ]
  })
}

function findLost(world: World): string[] {
  const { db } = world
  const owed = new Map<number, number>()
  const add = (accountId: number, cents: number) =>
    owed.set(accountId, (owed.get(accountId) ?? 0) + cents)
  for (const row of db.transactions.all())
    if (row.status !== 'undo' && (row.transaction_created_at !== null || row.status === 'done'))
      add(row.accountId, toCentAmounts(row).net)
  for (const { accountId, amount, state } of db.payouts.all())
    if (state !== 'rejected') add(accountId, -toCents(amount))
  return findViolations(db.accounts.all(), ({ id }) => {
    const { available, pending } = computeBalances(world, id)
    const left = Math.max(0, (owed.get(id) ?? 0) - pending)
    if (available === left) return []
    return [
      `Account ${id} has an available balance of ${available / 100} dollars, but payments minus ` +
        `payouts is ${left / 100}.`,
    ]
  })
}

import type { Figure } from '../../api/resource.ts'
import type { DueEffect } from '../../world/timeline.ts'
import { toCents } from '../../lib/money.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { dayMs, parseIso, getStartOfUtcDay, toIsoTime, toPlatformTime } from '../../lib/time.ts'
import { createApiError, createBodyFieldError } from '../../errors.ts'
import type { World } from '../world.ts'
import { sumEarnings } from '../earnings/earnings.ts'
import type { Payout, PayoutSettings } from './payouts.table.ts'
import { payoutBounds, payoutSystems } from './schemas.ts'
import type { SeedContext } from '../seeding.ts'
import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'
import { toCentAmounts } from '../payments/transactions.table.ts'

/** Payout terms. Amounts are in dollars, and waiting times in days. */
export const payoutTerms = {
  currency: 'USD',
  ...payoutBounds,
  pendingDays: 7,
  approvalDays: 3,
  transferDays: 2,
} as const

/** Available and pending balance of an account, cents. */
interface Balances {
  available: number
  pending: number
}

/**
 * Computes the balances from earnings and payouts. After a chargeback, an account may owe money.
 * The available balance is then 0 until the account has earned this amount again.
 */
export function computeBalances(world: World, accountId: number): Balances {
  const all = sumEarnings(world, accountId)
  const recent = sumEarnings(world, accountId, {
    start: world.clock.now() - payoutTerms.pendingDays * dayMs + 1,
  })
  const { held } = sumEarnings(world, accountId, { start: 0 })
  // Earnings that are both recent and held are counted only once.
  const pending = recent.net + held - recent.held
  // Earnings without a time that the platform holds back are in neither balance. They are not
  // listed as pending, and they are never released.
  const undatedHeld = all.held - held
  return {
    available: Math.max(0, all.net - pending - undatedHeld - sumPaidCents(world, accountId)),
    pending,
  }
}

/** Figures of balances and payouts, computed in the same way as in the routes of payouts. */
export const payoutFigures = {
  'balance.available': {
    label: 'Available balance',
    unit: 'dollars',
    read: (world, { accounts }) =>
      accounts.reduce((cents, id) => cents + computeBalances(world, id).available, 0) / 100,
  },
  'balance.pending': {
    label: 'Pending balance',
    unit: 'dollars',
    read: (world, { accounts }) =>
      accounts.reduce((cents, id) => cents + computeBalances(world, id).pending, 0) / 100,
  },
  'payouts.open': {
    label: 'Payouts on their way',
    unit: 'dollars',
    read: ({ db }, { accounts }) =>
      accounts
        .flatMap((id) => db.payouts.list('byAccount', id))
        .filter(({ state }) => state === 'pending' || state === 'approved')
        .reduce((cents, { amount }) => cents + toCents(amount), 0) / 100,
  },
} satisfies Record<string, Figure<World>>

/**
 * Returns the payout settings of the account. By default, payouts are manual and by bank transfer.
 */
export function getPayoutSettings(world: World, accountId: number): PayoutSettings {
  return (
    world.db.payoutSettings.get(accountId) ?? {
      id: accountId,
      frequency: 'manual',
      system: payoutSystems[0].code,
      nextAt: null,
    }
  )
}

/**
 * Returns the maximum amount of a payout now, cents. It is 0 if no payout system is selected, or if
 * less than the minimum is available.
 */
export function computePayableCents(world: World, accountId: number): number {
  if (getPayoutSettings(world, accountId).system === null) return 0
  const { available } = computeBalances(world, accountId)
  return available < toCents(payoutTerms.min) ? 0 : Math.min(available, toCents(payoutTerms.max))
}

/**
 * Requests a payout manually.
 * @throws {ApiError} if no payout system is selected, or if the amount is below the minimum, or
 *   above the maximum or the available balance
 */
export function requestPayout(world: World, account: Account, amount: number): Payout {
  const refuse = (expected: string) => createBodyFieldError({ amount }, expected)
  const { min, max } = payoutTerms
  if (amount < min || amount > max) throw refuse(`it must be from ${min} to ${max} dollars`)
  if (getPayoutSettings(world, account.id).system === null)
    throw createApiError('payout_system_missing', { account_id: account.id })
  if (toCents(amount) > computePayableCents(world, account.id)) {
    const { available } = computeBalances(world, account.id)
    throw refuse(`only ${(available / 100).toFixed(2)} dollars are available`)
  }
  return createPayout(world, account.id, toCents(amount) / 100)
}

/** Sets the payout schedule of the account. */
export function setPayoutFrequency(
  world: World,
  account: Account,
  frequency: PayoutSettings['frequency'],
): void {
  world.db.payoutSettings.put({
    ...getPayoutSettings(world, account.id),
    frequency,
    nextAt: getNextPayoutTime(frequency, world.clock.now()),
  })
}

/** Pays out the available balance, if possible, and schedules the next payout. */
function payOutBalance(world: World, settings: PayoutSettings): void {
  world.db.payoutSettings.update(settings.id, {
    nextAt: getNextPayoutTime(settings.frequency, parseIso(settings.nextAt ?? '')),
  })
  const cents = computePayableCents(world, settings.id)
  if (cents > 0) createPayout(world, settings.id, cents / 100)
}

/** Moves a payout to its next state: first approved, then paid. */
function advancePayout(
  world: World,
  table: 'payouts' | 'referralPayouts',
  { id, state, dueAt }: Payout,
): void {
  const isPending = state === 'pending'
  const nextAt = isPending
    ? toIsoTime(parseIso(dueAt ?? '') + payoutTerms.transferDays * dayMs)
    : null
  world.db[table].update(id, { state: isPending ? 'approved' : 'paid', dueAt: nextAt })
}

/** Returns the invoice number of a payout, such as `INV-007120031` for the id 7120031. */
export function toInvoiceId(id: number): string {
  return `INV-${String(id).padStart(9, '0')}`
}

/** Adds a pending payout. Its second is unique within the account. */
function createPayout(world: World, accountId: number, amount: number): Payout {
  const id = world.nextId('payouts')
  const now = world.clock.now()
  const newest = world.db.payouts.in('byAccount', accountId).at(0)
  return world.db.payouts.insert({
    id,
    accountId,
    invoiceId: toInvoiceId(id),
    createdAt: toIsoTime(now),
    second: Math.max(Math.floor(now / 1000), (newest?.second ?? 0) + 1),
    amount,
    currency: payoutTerms.currency,
    state: 'pending',
    dueAt: toIsoTime(now + payoutTerms.approvalDays * dayMs),
  })
}

/** Adds up all payouts except rejected payouts. */
function sumPaidCents(world: World, accountId: number): number {
  let cents = 0
  for (const { state, amount } of world.db.payouts.in('byAccount', accountId).walk())
    if (state !== 'rejected') cents += toCents(amount)
  return cents
}

/**
 * Returns the time of the next scheduled payout: Monday or the first of the month, at midnight UTC.
 */
export function getNextPayoutTime(
  frequency: PayoutSettings['frequency'],
  after: number,
): string | null {
  if (frequency === 'manual') return null
  const date = new Date(after)
  if (frequency === 'monthly')
    return toIsoTime(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1))
  const sinceMonday = (date.getUTCDay() + 6) % 7
  return toIsoTime(getStartOfUtcDay(after) + (7 - sinceMonday) * dayMs)
}

/** Returns the next state transition of a payout. */
export function findNextPayoutTransition(
  world: World,
  table: 'payouts' | 'referralPayouts',
): DueEffect | undefined {
  const payout = world.db[table].in('due', 'all').at(0)
  return (
    payout && { at: parseIso(payout.dueAt ?? ''), fire: () => advancePayout(world, table, payout) }
  )
}

/** Returns the next scheduled payout. */
export function findNextScheduledPayout(world: World): DueEffect | undefined {
  const settings = world.db.payoutSettings.in('due', 'all').at(0)
  return (
    settings && { at: parseIso(settings.nextAt ?? ''), fire: () => payOutBalance(world, settings) }
  )
}

/** Converts a payout or referral payout to its API form. */
export function toPayoutItem(
  _: World,
  { invoiceId, createdAt, amount, currency, state, rejectReason }: Payout,
) {
  return { invoiceId, createdAt: toPlatformTime(createdAt), amount, currency, state, rejectReason }
}

/** A payout to seed. `at` is epoch ms. */
interface Invoice {
  accountId: number
  at: number
  cents: number
  rejectReason: string | null
}

/** Creates the row of a payout, in the state that it has when the clock starts. */
export function createSeededPayout(
  seeding: SeedContext,
  table: 'payouts' | 'referralPayouts',
  { accountId, at, cents, rejectReason }: Invoice,
): Payout {
  const second = Math.floor(at / 1000)
  const id = seeding.nextId(table)
  return {
    id,
    accountId,
    invoiceId: toInvoiceId(id),
    createdAt: toIsoTime(second * 1000),
    second,
    amount: cents / 100,
    currency: payoutTerms.currency,
    ...getPayoutState(seeding.now, { second, rejectReason }),
    rejectReason,
  }
}

/** Returns the state of a payout at a given time, and the time of its next transition. */
export function getPayoutState(
  now: number,
  { second, rejectReason }: Pick<Payout, 'second' | 'rejectReason'>,
): Pick<Payout, 'state' | 'dueAt'> {
  const { approvalDays, transferDays } = payoutTerms
  const approvedAt = second * 1000 + approvalDays * dayMs
  const paidAt = approvedAt + transferDays * dayMs
  if (rejectReason !== null) return { state: 'rejected', dueAt: null }
  if (approvedAt > now) return { state: 'pending', dueAt: toIsoTime(approvedAt) }
  if (paidAt > now) return { state: 'approved', dueAt: toIsoTime(paidAt) }
  return { state: 'paid', dueAt: null }
}

/** Length of a month, for the interval between payouts. */
export const monthMs = 30 * dayMs

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

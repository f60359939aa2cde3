import { toCents } from '../../engine/money.ts'
import { dayMs, fromIso, startOfDay, toIso } from '../../engine/time.ts'
import { append, daysAgo, ownRows } from '../../world/sowing.ts'
import type { Field, Sower } from '../../world/sowing.ts'
import type { Payout } from './payouts.table.ts'
import { payoutTerms, toInvoiceId } from './payouts.ts'

const earliestDays = 700
const latestHours = 26
const monthMs = 30 * dayMs

/** Sows the payouts of an account, evenly over two years, each out of what was earned and not yet paid by then. */
export function sowPayouts(sower: Sower, field: Field): void {
  const { account, data } = field
  const { random, rows, texts } = sower
  const { rejectReasons, tooLittle } = texts.payouts
  const earned = sumByDay(sower, field)
  const [from, until] = [daysAgo(sower, earliestDays), sower.now - latestHours * 3_600_000]
  let [paid, left] = [0, data.payouts]
  for (; left > 0; left -= 1) {
    const even = until - (left - 1) * Math.min(monthMs, (until - from) / data.payouts)
    // The last but one is recent too, so that one is pending and one approved.
    const at = left === 2 ? Math.max(even, daysAgo(sower, 4)) : even
    const available = earned(at - payoutTerms.pendingDays * dayMs) - paid
    const amount = Math.min(Math.floor(available * (0.6 + random.next() * 0.4)), toCents(payoutTerms.max))
    const isTooLittle = amount < toCents(payoutTerms.min)
    const isRejected = isTooLittle || random.chance(0.06)
    if (!isRejected) paid += amount
    rows.payouts.push(toPayout(sower, 'payouts', {
      accountId: account.id,
      at,
      cents: isTooLittle ? toCents(payoutTerms.min) : amount,
      rejectReason: isTooLittle ? tooLittle : isRejected ? random.pick(rejectReasons) : null,
    }))
  }
}

/** Sows the referrals of an account, and the monthly payouts that sum to what they brought. */
export function sowReferrals(sower: Sower, { account, data }: Field): void {
  const { random, rows, names, texts } = sower
  const months = Math.floor(earliestDays / 30)
  // The last of the months ended just now: its payout is pending.
  const start = daysAgo(sower, months * 30 + 1)
  const owed = Array.from({ length: months }, () => 0)
  const own = Array.from({ length: data.referrals }, (_, place) => {
    const [first, id] = [random.pick(names.first), sower.nextId('referrals')]
    const createdAt = Math.floor(start + ((place + 0.5) / data.referrals) * (sower.now - start - 2 * dayMs))
    let cents = 0
    for (let month = Math.floor((createdAt - start) / monthMs) + 1; month < months; month += 1) {
      const share = random.chance(0.7) ? random.integer(200, 4_000) : 0
      owed[month] = (owed[month] ?? 0) + share
      cents += share
    }
    const username = `${first}_${random.pick(names.nouns)}`.toLowerCase().replace(/[^a-z\d_]/g, '')
    return { id, accountId: account.id, userId: 190_000_000 + id, username, name: first, createdAt: toIso(createdAt), earned: cents / 100 }
  })
  append(rows.referrals, own)
  for (const [month, cents] of owed.entries()) {
    if (cents === 0) continue
    const at = Math.min(start + (month + 1) * monthMs + 9 * 3_600_000, sower.now - dayMs)
    if (random.chance(0.05)) rows.referralPayouts.push(toPayout(sower, 'referralPayouts', { accountId: account.id, at: at - dayMs, cents, rejectReason: random.pick(texts.payouts.rejectReasons) }))
    rows.referralPayouts.push(toPayout(sower, 'referralPayouts', { accountId: account.id, at, cents, rejectReason: null }))
  }
}

interface Invoice {
  accountId: number
  at: number
  cents: number
  rejectReason: string | null
}

function toPayout(sower: Sower, table: 'payouts' | 'referralPayouts', { accountId, at, cents, rejectReason }: Invoice): Payout {
  const second = Math.floor(at / 1000)
  const id = sower.nextId(table)
  const { approvalDays, transferDays, currency } = payoutTerms
  const approvedAt = second * 1000 + approvalDays * dayMs
  const paidAt = approvedAt + transferDays * dayMs
  const open = approvedAt > sower.now ? ({ state: 'pending', dueAt: toIso(approvedAt) } as const) : paidAt > sower.now ? ({ state: 'approved', dueAt: toIso(paidAt) } as const) : undefined
  const settled = rejectReason === null ? (open ?? { state: 'paid' as const, dueAt: null }) : { state: 'rejected' as const, dueAt: null }
  return { id, accountId, invoiceId: toInvoiceId(id), createdAt: toIso(second * 1000), second, amount: cents / 100, currency, ...settled, rejectReason }
}

/** What the account had earned, settled, by the end of the day before that moment: cents, net. */
function sumByDay(sower: Sower, field: Field): (at: number) => number {
  const first = startOfDay(daysAgo(sower, earliestDays + 100))
  const byDay = new Map<string, number>()
  for (const { status, transaction_created_at: time, net } of ownRows(sower.rows.transactions, field)) {
    if (status !== 'done' || time === null) continue
    const day = time.slice(0, 'YYYY-MM-DD'.length)
    byDay.set(day, (byDay.get(day) ?? 0) + toCents(net))
  }
  const days = new Float64Array(Math.ceil((sower.now - first) / dayMs) + 1)
  for (const [day, cents] of byDay) days[Math.floor((fromIso(day) - first) / dayMs)] = cents
  for (let day = 1; day < days.length; day += 1) days[day] = (days[day] ?? 0) + (days[day - 1] ?? 0)
  return (at) => days[Math.floor((at - first) / dayMs) - 1] ?? 0
}

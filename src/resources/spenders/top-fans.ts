import { toCents } from '../../engine/money.ts'
import { compareIds } from '../../engine/store/rows.ts'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { toIso } from '../../engine/time.ts'
import type { World } from '../../world/world.ts'
import { fanKey } from '../fans/fans.table.ts'
import type { Fan } from '../fans/fans.table.ts'
import type { Transaction } from '../payments/transactions.table.ts'

/** What a fan paid in some time, refunds left out. Sums in dollars. */
export interface FanFigures {
  purchasedCount: number
  purchasedSumm: number
  tipCount: number
  tipSum: number
}

/** The figures of a fan, and when they paid last. */
interface Paid extends FanFigures {
  last: string
}

/** What fans are compared by: `purchases` is how much they paid for anything but tips. */
export interface FanContest {
  metric: 'purchases' | 'tips'
  /** Epoch ms, both ends inclusive. */
  start: number
  end: number
}

/** A window with so few payments is summed up row by row. */
const fewRows = 2000

/** The fan who paid most in the window, of several who paid as much the one who paid last, with what they paid then; null when nobody paid. */
export function bestFan(world: World, account: Account, { metric, start, end }: FanContest): { fan: Fan; figures: FanFigures } | null {
  const [first, last] = [toIso(start), toIso(end)]
  const rows = world.db.transactions.in('byAccount', account.id)
  const newest = rows.rank((row) => (row.transaction_created_at ?? '') <= last)
  const oldest = rows.rank((row) => (row.transaction_created_at ?? '') < first)
  const sums = oldest - newest <= fewRows ? sumByFan(rows.slice(newest, oldest)) : sumOfBiggest(world, account, { metric, first, last })
  const byMost = ([a, one]: [number, Paid], [b, other]: [number, Paid]) =>
    measure(other, metric) - measure(one, metric) || compareIds(other.last, one.last) || a - b
  const [best] = [...sums].filter(([, paid]) => measure(paid, metric) > 0).toSorted(byMost)
  const fan = best && world.db.fans.get(best[0])
  if (best === undefined || fan === undefined) return null
  const { last: _, ...figures } = best[1]
  return { fan, figures }
}

/** Sums up the fans who paid most ever, until those who are left cannot have paid more in the window than the best of these. */
function sumOfBiggest(
  world: World,
  account: Account,
  { metric, first, last }: { metric: FanContest['metric']; first: string; last: string },
): Map<number, Paid> {
  const sums = new Map<number, Paid>()
  let most = 0
  for (const { fanId, total, tips } of world.db.fanSpend.in('total', account.id).walk()) {
    if (total < most) break
    if ((metric === 'tips' ? tips : total) < most) continue
    const rows = world.db.transactions.in('byFan', fanKey(account.id, fanId)).slice()
    const within = rows.filter(({ transaction_created_at: time }) => time !== null && time >= first && time <= last)
    for (const [id, figures] of sumByFan(within)) {
      sums.set(id, figures)
      most = Math.max(most, measure(figures, metric))
    }
  }
  return sums
}

function sumByFan(rows: readonly Transaction[]): Map<number, Paid> {
  const cents = new Map<number, Paid>()
  for (const { fanId, status, category, amount, transaction_created_at: time } of rows) {
    if (status === 'undo') continue
    const sums = cents.get(fanId) ?? { purchasedCount: 0, purchasedSumm: 0, tipCount: 0, tipSum: 0, last: '' }
    if (time !== null && time > sums.last) sums.last = time
    cents.set(fanId, sums)
    if (category === 'tip') {
      sums.tipCount += 1
      sums.tipSum += toCents(amount ?? 0)
    } else {
      sums.purchasedCount += 1
      sums.purchasedSumm += toCents(amount ?? 0)
    }
  }
  for (const sums of cents.values()) {
    sums.purchasedSumm /= 100
    sums.tipSum /= 100
  }
  return cents
}

function measure({ purchasedSumm, tipSum }: FanFigures, metric: FanContest['metric']): number {
  return metric === 'tips' ? tipSum : purchasedSumm
}

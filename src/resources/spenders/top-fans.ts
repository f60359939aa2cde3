import { toCents } from '../../lib/money.ts'
import { compareIds } from '../../data/rows.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { toIsoTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { toFanKey } from '../fans/fans.table.ts'
import type { Fan } from '../fans/fans.table.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { isRankedFan } from '../users/marks.ts'

/** A fan's payments in a window, without refunds. Amounts are in dollars. */
export interface FanFigures {
  purchasedCount: number
  purchasedSumm: number
  tipCount: number
  tipSum: number
}

/** The totals of a fan, with the time of the last payment. */
interface FanPayments extends FanFigures {
  last: string
}

/** Metric and window for comparing fans. `purchases` includes all payments except tips. */
export interface BestFanQuery {
  metric: 'purchases' | 'tips'
  /** Epoch ms, both ends inclusive. */
  start: number
  end: number
}

/** In windows with up to this number of payments, the payments are added up row by row. */
const fewRows = 2000

/**
 * Returns the fan who paid the most in the window, and their payments. Blocked and deleted fans are
 * left out. Null if there are no payments. If several fans paid the same amount, returns the one
 * with the latest payment.
 */
export function findTopFan(
  world: World,
  account: Account,
  { metric, start, end }: BestFanQuery,
): { fan: Fan; figures: FanFigures } | null {
  const [first, last] = [toIsoTime(start), toIsoTime(end)]
  const rows = world.db.transactions.in('byAccount', account.id)
  const newest = rows.findPartitionPoint((row) => (row.transaction_created_at ?? '') <= last)
  const oldest = rows.findPartitionPoint((row) => (row.transaction_created_at ?? '') < first)
  const isRanked = (fanId: number) => isRankedFan(world, account.id, fanId)
  const sums =
    oldest - newest <= fewRows
      ? sumByFan(rows.slice(newest, oldest))
      : sumBiggestSpenders(world, account, { metric, first, last, isRanked })
  const [best] = [...sums]
    .filter(([fanId]) => isRanked(fanId))
    .map(([fanId, { last: lastPaid, ...figures }]) => ({
      fanId,
      lastPaid,
      figures,
      paid: getMetricValue(figures, metric),
    }))
    .filter(({ paid }) => paid > 0)
    .toSorted((a, b) => b.paid - a.paid || compareIds(b.lastPaid, a.lastPaid) || a.fanId - b.fanId)
  const fan = best && world.db.fans.get(best.fanId)
  return best === undefined || fan === undefined ? null : { fan, figures: best.figures }
}

/**
 * Adds up the payments of fans, highest lifetime spending first. Stops when no remaining fan can
 * exceed the best result, because their lifetime spending is lower.
 */
function sumBiggestSpenders(
  world: World,
  account: Account,
  {
    metric,
    first,
    last,
    isRanked,
  }: {
    metric: BestFanQuery['metric']
    first: string
    last: string
    isRanked: (fanId: number) => boolean
  },
): Map<number, FanPayments> {
  const sums = new Map<number, FanPayments>()
  let max = 0
  for (const { fanId, total, tips } of world.db.fanSpend.in('total', account.id).walk()) {
    if (total < max) break
    if ((metric === 'tips' ? tips : total) < max || !isRanked(fanId)) continue
    const rows = world.db.transactions.list('byFan', toFanKey(account.id, fanId))
    const rowsInWindow = rows.filter(
      ({ transaction_created_at: time }) => time !== null && time >= first && time <= last,
    )
    for (const [id, figures] of sumByFan(rowsInWindow)) {
      sums.set(id, figures)
      max = Math.max(max, getMetricValue(figures, metric))
    }
  }
  return sums
}

/** Adds up the given payments by fan, without refunds. */
function sumByFan(rows: readonly Transaction[]): Map<number, FanPayments> {
  const byFan = new Map<number, FanPayments>()
  for (const { fanId, status, category, amount, transaction_created_at: time } of rows) {
    if (status === 'undo') continue
    const sums = byFan.get(fanId) ?? {
      purchasedCount: 0,
      purchasedSumm: 0,
      tipCount: 0,
      tipSum: 0,
      last: '',
    }
    if (time !== null && time > sums.last) sums.last = time
    byFan.set(fanId, sums)
    if (category === 'tip') {
      sums.tipCount += 1
      sums.tipSum += toCents(amount ?? 0)
    } else {
      sums.purchasedCount += 1
      sums.purchasedSumm += toCents(amount ?? 0)
    }
  }
  for (const sums of byFan.values()) {
    sums.purchasedSumm /= 100
    sums.tipSum /= 100
  }
  return byFan
}

function getMetricValue(
  { purchasedSumm, tipSum }: FanFigures,
  metric: BestFanQuery['metric'],
): number {
  return metric === 'tips' ? tipSum : purchasedSumm
}

import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { findPartitionPoint } from '../../lib/iterables.ts'
import { parseIso } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { undated } from './earnings.table.ts'
import type { EarningDay, EarningKind } from './earnings.table.ts'

const summedFields = [
  'grossCents',
  'netCents',
  'heldCents',
  'count',
] as const satisfies readonly (keyof EarningDay)[]
const width = summedFields.length

/** Sums of earnings, in cents. */
export interface EarningSums {
  /** Fans' payments before fees. */
  gross: number
  /** The creator's share. */
  net: number
  /** The part of `net` that the platform still holds back. */
  held: number
  /** Number of payments. */
  count: number
}

/**
 * Running sums of an account's earnings by day. A range of whole days is the difference between two
 * running sums.
 */
class RunningSums {
  /**
   * Start of each day with earnings, oldest first, epoch ms. If there are rows without a time, the
   * first value is `undatedAt`.
   */
  readonly #days: Float64Array
  /**
   * Running sums by kind of earnings, or `all` for the total: the sums before each day, and the
   * total after the last day. Each running sum has one value per field of `EarningSums`.
   */
  readonly #before = new Map<EarningKind | 'all', Float64Array>()

  constructor(rows: Iterable<EarningDay>) {
    const days: string[] = []
    const byKind = new Map<EarningKind | 'all', CategoryDay[]>([['all', []]])
    for (const row of rows) {
      if (days.at(-1) !== row.day) days.push(row.day)
      for (const kind of [row.kind, 'all'] as const) {
        const known = byKind.get(kind)
        if (known === undefined) byKind.set(kind, [{ place: days.length - 1, row }])
        else known.push({ place: days.length - 1, row })
      }
    }
    this.#days = Float64Array.from(days, (day) =>
      day === undated ? undatedAt : parseIso(`${day}T00:00:00.000Z`),
    )
    for (const [kind, entries] of byKind)
      this.#before.set(kind, toRunningSums(entries, days.length))
  }

  /**
   * The first and last day with earnings, epoch ms, ignoring rows without a time. Undefined if
   * there are no such days.
   */
  get bounds(): { start: number; end: number } | undefined {
    const start = this.#days.find((day) => day !== undatedAt)
    return start === undefined ? undefined : { start, end: this.#days.at(-1) ?? start }
  }

  /**
   * Adds up the days that begin in [start, end), epoch ms, for the given kinds or for all kinds.
   */
  sum(start: number, end: number, kinds: Iterable<EarningKind> | undefined): EarningSums {
    const from = this.#countDaysBefore(start) * width
    const to = Math.max(from, this.#countDaysBefore(end) * width)
    const sums = { gross: 0, net: 0, held: 0, count: 0 }
    for (const kind of kinds ?? ['all' as const]) {
      const before = this.#before.get(kind)
      if (before === undefined) continue
      sums.gross += (before[to] ?? 0) - (before[from] ?? 0)
      sums.net += (before[to + 1] ?? 0) - (before[from + 1] ?? 0)
      sums.held += (before[to + 2] ?? 0) - (before[from + 2] ?? 0)
      sums.count += (before[to + 3] ?? 0) - (before[from + 3] ?? 0)
    }
    return sums
  }

  /** Returns the number of days that begin before a given time. */
  #countDaysBefore(instant: number): number {
    return findPartitionPoint(this.#days, (day) => day >= instant)
  }
}

/** Rows without a time have this time, which sorts before all real days. */
export const undatedAt = -Number.MAX_VALUE

/** Earnings of one kind on one day. */
interface CategoryDay {
  place: number
  row: EarningDay
}

/** Returns the running sums of an account's earnings. */
export function getRunningSums(world: World, accountId: number): RunningSums {
  const account = world.db.accounts.get(accountId)
  return account === undefined ? new RunningSums([]) : world.cached(toSums, account)
}

function toSums(world: World, { id }: Account): RunningSums {
  return new RunningSums(world.db.earningDays.in('byAccount', id).walk())
}

function toRunningSums(entries: readonly CategoryDay[], dayCount: number): Float64Array {
  const sums = new Float64Array((dayCount + 1) * width)
  for (const { place, row } of entries) {
    for (const [index, field] of summedFields.entries()) {
      const at = (place + 1) * width + index
      sums[at] = (sums[at] ?? 0) + row[field]
    }
  }
  for (let place = width; place < sums.length; place += 1)
    sums[place] = (sums[place] ?? 0) + (sums[place - width] ?? 0)
  return sums
}

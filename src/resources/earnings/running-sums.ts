import { partition } from '../../engine/store/sorted-list.ts'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { fromIso } from '../../engine/time.ts'
import type { World } from '../../world/world.ts'
import { undated } from './earnings.table.ts'
import type { EarningDay, EarningKind } from './earnings.table.ts'

const figures = ['grossCents', 'netCents', 'heldCents', 'count'] as const satisfies readonly (keyof EarningDay)[]
const width = figures.length

/** Sums of earnings, in cents. */
export interface EarningSums {
  /** What fans paid. */
  gross: number
  /** What the creator receives. */
  net: number
  /** The part of `net` that the platform still holds. */
  held: number
  /** How many payments. */
  count: number
}

/** What an account earned up to each of its days, so that any span of whole days is the difference of two of them. */
class RunningSums {
  /** The days that have earnings, `YYYY-MM-DD`, oldest first; `undated` is the first, if there are rows without a time. */
  readonly #days: readonly string[]
  /** Of each kind, the sums before each day and after the last one: `figures` one after another. */
  readonly #before = new Map<EarningKind, Float64Array>()

  constructor(rows: Iterable<EarningDay>) {
    const days: string[] = []
    const byKind = new Map<EarningKind, { day: number; row: EarningDay }[]>()
    for (const row of rows) {
      if (days.at(-1) !== row.day) days.push(row.day)
      const known = byKind.get(row.kind)
      const entry = { day: days.length - 1, row }
      if (known === undefined) byKind.set(row.kind, [entry])
      else known.push(entry)
    }
    this.#days = days
    for (const [kind, entries] of byKind) this.#before.set(kind, toRunningSums(entries, days.length))
  }

  /** The first and the last day with earnings that have a time, epoch ms; undefined when there is none. */
  get bounds(): { start: number; end: number } | undefined {
    const first = this.#days.find((day) => day !== undated)
    return first === undefined ? undefined : { start: fromDay(first), end: fromDay(this.#days.at(-1) ?? first) }
  }

  /** Sums the days from one to another, both included, `YYYY-MM-DD`; the last day when there is no `last`. */
  sum(first: string, last: string | undefined, kinds: Iterable<EarningKind>): EarningSums {
    const from = partition(this.#days, (day) => day >= first)
    const to = Math.max(from, last === undefined ? this.#days.length : partition(this.#days, (day) => day > last))
    const sums = { gross: 0, net: 0, held: 0, count: 0 }
    for (const kind of kinds) {
      const before = this.#before.get(kind)
      if (before === undefined) continue
      const figure = (place: number) => (before[to * width + place] ?? 0) - (before[from * width + place] ?? 0)
      sums.gross += figure(0)
      sums.net += figure(1)
      sums.held += figure(2)
      sums.count += figure(3)
    }
    return sums
  }
}

/** What an account earned up to each of its days. */
export function runningSumsOf(world: World, accountId: number): RunningSums {
  const account = world.db.accounts.get(accountId)
  return account === undefined ? new RunningSums([]) : world.known(toSums, account)
}

function toSums(world: World, { id }: Account): RunningSums {
  return new RunningSums(world.db.earningDays.in('byAccount', id).walk())
}

function toRunningSums(entries: readonly { day: number; row: EarningDay }[], dayCount: number): Float64Array {
  const sums = new Float64Array((dayCount + 1) * width)
  for (const { day, row } of entries) for (const [place, figure] of figures.entries()) sums[(day + 1) * width + place] = row[figure]
  for (let place = width; place < sums.length; place += 1) sums[place] = (sums[place] ?? 0) + (sums[place - width] ?? 0)
  return sums
}

function fromDay(day: string): number {
  return fromIso(`${day}T00:00:00.000Z`)
}

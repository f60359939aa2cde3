import type { Random } from '../world/random.ts'
import { dayMs } from '../lib/time.ts'
import { compareIds } from '../data/rows.ts'

/** The id range of one account in one table. */
interface IdRange {
  last: number
  /** End of the range (exclusive). */
  end: number
  /** How often the range was full and was replaced with another range. */
  moves: number
  random: Random
}

/** Id of a user who joins the platform at the start of the clock. */
const newestUser = 372_000_000
/** Number of new users of the platform per day. */
const usersPerDay = 66_000
/** No user joined the platform earlier than this many days before the start. */
const oldestDays = 3000

/**
 * Returns the time when a user joined the platform, as the id shows it, epoch ms. `start` is the
 * start of the clock.
 */
export function deriveJoinTime(userId: number, start: number): number {
  const daysBefore = Math.max(0, newestUser - userId) / usersPerDay
  return start - Math.min(daysBefore, oldestDays) * dayMs
}
/** Maximum gap between consecutive ids. */
const largestGap = 60
/**
 * Distance between the id ranges of two accounts, as a fraction of the first id. The distance is at
 * least `leastSpace`.
 */
const spaceShare = 1 / 200
const leastSpace = 600
/**
 * Size of an account's additional ranges, which are used when its first range is full. Additional
 * ranges start after the first ranges of all accounts.
 */
const spareSpace = 2 ** 27

/**
 * Creates the ids of seeded records. Within a table and an account, ids increase with realistic
 * gaps. Ids do not depend on other accounts and tables. So additional records do not change other
 * ids, and accounts can be seeded in any order.
 */
export class SeedIds {
  readonly #random: Random
  /** Number of accounts. */
  readonly #accountCount: number
  readonly #ranges = new Map<string, IdRange[]>()
  readonly #users = new Set<number>()

  constructor(random: Random, accountCount: number) {
    this.#random = random
    this.#accountCount = accountCount
  }

  /**
   * Returns a new id in a table. `index` is the index of the account in the scenario. `firstId` is
   * the first id of the table.
   */
  next(table: string, firstId: number, index: number): number {
    const range = this.#getRange(table, firstId, index)
    range.last += range.random.integer(1, largestGap)
    if (range.last >= range.end) {
      const first =
        firstId +
        this.#accountCount * getIdRangeSize(firstId) +
        (range.moves * this.#accountCount + index) * spareSpace
      Object.assign(range, {
        last: first + (range.last - range.end),
        end: first + spareSpace,
        moves: range.moves + 1,
      })
    }
    return range.last
  }

  /**
   * Returns a new id for a user. `sinceStart` is the time from the clock start to the user's
   * registration, ms. The value is negative if the user registered before the start.
   */
  nextUser(sinceStart: number): number {
    let id = Math.floor(newestUser + (sinceStart / dayMs) * usersPerDay)
    while (this.#users.has(id)) id += 1
    this.#users.add(id)
    return id
  }

  #getRange(table: string, firstId: number, index: number): IdRange {
    const ranges = this.#ranges.get(table) ?? []
    this.#ranges.set(table, ranges)
    const first = firstId + index * getIdRangeSize(firstId)
    return (ranges[index] ??= {
      last: first,
      end: first + getIdRangeSize(firstId),
      moves: 0,
      random: this.#random.branch(table, index),
    })
  }
}

/** Returns the size of an account's first id range in a table. */
function getIdRangeSize(firstId: number): number {
  return Math.max(leastSpace, Math.floor(firstId * spaceShare))
}

/**
 * Reassigns the ids of records so that they increase with time. This is necessary because each
 * seeding step appends its records to the records of the previous step. The records must be sorted
 * by id. A record without a time stays directly after the previous record.
 * @param timeOf returns the time of a record, ISO; null without a time
 * @returns the new id of each record whose id changed, by its old id
 */
export function reassignIdsByTime<Row extends { id: number | string }>(
  rows: readonly Row[],
  timeOf: (row: Row) => string | null,
): Map<Row['id'], Row['id']> {
  const ids = rows.map(({ id }) => id)
  const times: string[] = []
  for (const row of rows) times.push(timeOf(row) ?? times.at(-1) ?? '')
  // Sorting a plain array is faster here than a typed array, because the rows are partly in order.
  const order = rows.map((_, index) => index)
  order.sort((a, b) => compareIds(times[a] ?? '', times[b] ?? ''))
  const changed = new Map<Row['id'], Row['id']>()
  for (let index = 0; index < order.length; index += 1) {
    const row = rows[order[index] ?? 0]
    const id = ids[index]
    if (row === undefined || id === undefined || row.id === id) continue
    changed.set(row.id, id)
    row.id = id
  }
  return changed
}

import type { Random } from '../world/random.ts'
import { dayMs } from '../lib/time.ts'

/** The ids of one table for one account. */
interface IdRange {
  last: number
  /** From this id on, ids belong to another account. */
  end: number
  /** Number of times that it was moved because it was full. */
  moves: number
  random: Random
}

/** The id of a user who joins the platform at the clock start, and how many join in a day. */
const newestUser = 372_000_000
const usersPerDay = 66_000

/** The largest gap between two ids. */
const largestGap = 60
/** The ids of the next account begin this part of the first id later, at least `leastSpace`. */
const spaceShare = 1 / 200
const leastSpace = 600
/**
 * Space of each account behind the ids of all accounts, for one whose ids do not fit in their own
 * space.
 */
const spareSpace = 2 ** 27

/**
 * Gives the ids of seeded records. They rise within a table and an account, with realistic gaps,
 * and depend on nothing else: more records of one account or table leave the ids of all others as
 * they were, and accounts can be seeded in any order.
 */
export class SeedIds {
  readonly #random: Random
  /** Number of accounts. */
  readonly #places: number
  readonly #ranges = new Map<string, IdRange[]>()
  readonly #users = new Set<number>()

  constructor(random: Random, places: number) {
    this.#random = random
    this.#places = places
  }

  /**
   * A new id in a table whose ids begin at `firstId`, for the account at that place of the
   * scenario.
   */
  next(table: string, firstId: number, place: number): number {
    const range = this.#rangeOf(table, firstId, place)
    range.last += range.random.integer(1, largestGap)
    if (range.last >= range.end) {
      const first =
        firstId +
        this.#places * spaceOf(firstId) +
        (range.moves * this.#places + place) * spareSpace
      Object.assign(range, {
        last: first + (range.last - range.end),
        end: first + spareSpace,
        moves: range.moves + 1,
      })
    }
    return range.last
  }

  /** A new id for a user who joined the platform so many ms after the clock start; negative before. */
  nextUser(sinceStart: number): number {
    let id = Math.floor(newestUser + (sinceStart / dayMs) * usersPerDay)
    while (this.#users.has(id)) id += 1
    this.#users.add(id)
    return id
  }

  #rangeOf(table: string, firstId: number, place: number): IdRange {
    const ranges = this.#ranges.get(table) ?? []
    this.#ranges.set(table, ranges)
    const first = firstId + place * spaceOf(firstId)
    return (ranges[place] ??= {
      last: first,
      end: first + spaceOf(firstId),
      moves: 0,
      random: this.#random.branch(table, place),
    })
  }
}

/** Returns the number of ids that an account has in a table before it is moved. */
function spaceOf(firstId: number): number {
  return Math.max(leastSpace, Math.floor(firstId * spaceShare))
}

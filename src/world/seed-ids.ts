import type { Random } from '../engine/random.ts'

/** The ids of one table for one account. */
interface IdRange {
  first: number
  last: number
  /** From this id on, ids may belong to another account. */
  limit: number
  random: Random
}

/** The largest gap between two ids. */
const largestGap = 60
/** The ids of the next account begin this part of the first id later, at least `leastSpace`. */
const spaceShare = 1 / 200
const leastSpace = 600

/**
 * Gives the ids of seeded records. They rise within a table and an account, with realistic gaps, and depend on nothing else: more records
 * of one account or table leave the ids of all others as they were.
 */
export class SeedIds {
  readonly #random: Random
  readonly #ranges = new Map<string, IdRange[]>()

  constructor(random: Random) {
    this.#random = random
  }

  /** A new id in a table whose ids begin at `firstId`, for the account at that place of the scenario. */
  next(table: string, firstId: number, place: number): number {
    const ranges = this.#rangesOf(table)
    const range = ranges[place] ?? this.#open(table, firstId, place)
    range.last += range.random.integer(1, largestGap)
    if (range.last >= range.limit) {
      // So many records that they reach the ids of another account: go on behind those.
      for (const other of ranges)
        if (other !== undefined && other !== range && range.last >= other.first && range.last <= other.last) range.last = other.last + 1
      setLimits(range, ranges)
    }
    return range.last
  }

  #open(table: string, firstId: number, place: number): IdRange {
    const ranges = this.#rangesOf(table)
    const first = firstId + place * Math.max(leastSpace, Math.floor(firstId * spaceShare))
    const range = { first, last: first, limit: Infinity, random: this.#random.branch(table, place) }
    ranges[place] = range
    setLimits(range, ranges)
    return range
  }

  #rangesOf(table: string): IdRange[] {
    const known = this.#ranges.get(table)
    if (known !== undefined) return known
    const ranges: IdRange[] = []
    this.#ranges.set(table, ranges)
    return ranges
  }
}

/** Sets the limit of a range that was opened or moved, and lowers the limits of others that it may meet. */
function setLimits(range: IdRange, ranges: readonly (IdRange | undefined)[]): void {
  range.limit = Infinity
  for (const other of ranges) {
    if (other === undefined || other === range) continue
    range.limit = Math.min(range.limit, limitBy(range, other))
    other.limit = Math.min(other.limit, limitBy(other, range))
  }
}

/** Where a range can meet another one: at its start, or at once when that one has gone past. */
function limitBy({ last }: IdRange, other: IdRange): number {
  if (other.first > last) return other.first
  return other.last >= last ? last + 1 : Infinity
}

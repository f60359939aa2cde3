import type { Id } from './store/rows.ts'
import type { Work } from './work.ts'

/** The records that a table, or each of them, has of some accounts. */
export interface Need {
  accountIds: readonly number[]
  /** @default all tables */
  table?: string
}

/**
 * Records that nobody has asked for yet, while a world holds those of some accounts and tables
 * alone.
 */
export interface Rest {
  /** The accounts whose records alone are read now; undefined where any may be. */
  within: readonly number[] | undefined
  /** Whether a table has the records of these accounts. */
  has: (table: string, accountIds: readonly number[]) => boolean
  /**
   * What there is so far of a record of these accounts: later steps of the seeding may still change
   * some of its fields.
   */
  early: (table: string, id: Id, accountIds: readonly number[]) => unknown
  /** Makes the needed records, or all, if nobody did. They are not in the tables yet. */
  making: (need?: Need) => Work
  /**
   * Loads what was made of them. It is in the tables once the returned function has put it there.
   */
  loading: (need?: Need) => Work<Put>
  /** Makes all records at once, because somebody reads what may be of any account, or writes. */
  give: () => void
  /** Told once the world has all of them. */
  done: () => void
}

/** Puts records into the tables. */
export type Put = () => void

/**
 * Ends a read within some accounts that needs records which are still to be made: it is to be done
 * again once they are there.
 */
export class Unmade extends Error {
  override name = 'Unmade'
  /** Undefined where it needs all. */
  readonly need: Need | undefined

  constructor(need?: Need) {
    super(`The records of ${need?.table ?? 'all accounts'} are still to be made.`)
    this.need = need
  }
}

import type { Work } from './work.ts'

/** Records that nobody has asked for yet, while a world holds those of some accounts alone. */
export interface Rest {
  /** Whether all that is read now is of accounts whose records are there. */
  isWithin: boolean
  /** Makes the records of these accounts, or of all, if nobody did. They are not in the tables yet. */
  making: (accountIds?: readonly number[]) => Work
  /** Loads what was made of them. It is in the tables once the returned function has put it there. */
  loading: (accountIds?: readonly number[]) => Work<Put>
  /** Makes all records at once, because somebody reads what may be of any account, or writes. */
  give: () => void
  /** Told once the world has all of them. */
  done: () => void
}

/** Puts records into the tables. */
export type Put = () => void

import type { Work } from './work.ts'

/** Records that nobody has asked for yet, while a world holds those of some accounts alone. */
export interface Rest {
  /** Whether all that is read now is of accounts whose records are there. */
  isWithin: boolean
  /** Makes the records of an account, if nobody did. They are not in the tables before `put`. */
  making: (accountId: number) => Work<Put>
  /** Makes the records of all accounts. They are not in the tables before `put`. */
  makingAll: () => Work<Put>
  /** Makes all records at once, because somebody reads what may be of any account, or writes. */
  give: () => void
  /** Told once the world has all of them. */
  done: () => void
}

/** Puts records into the tables. */
export type Put = () => void

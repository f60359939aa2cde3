import type { ChangeLog } from './change-log.ts'
import type { DependencyTracker } from './dependencies.ts'

/** A change to a record. `before` is undefined for a new record, `after` for a removed one. */
export interface Change<Row> {
  readonly before: Row | undefined
  readonly after: Row | undefined
  /**
   * The keys of this object are the fields that may differ.
   * @default all fields
   */
  readonly fields?: object
}

/** Called after each change to a record. It may write to other tables. */
export type ChangeListener<Row> = (before: Row | undefined, after: Row | undefined) => void

/** State that all tables of a world share. */
export interface Changes {
  /**
   * Number of changes so far. A value computed from the tables stays valid while this number stays
   * the same.
   */
  count: number
  /** Functions that undo the changes of the current transaction, oldest change first. */
  undo?: (() => void)[]
  /** Tracks which data is read. */
  tracker?: DependencyTracker
  /** Records the cause of each change. */
  changeLog?: ChangeLog
}

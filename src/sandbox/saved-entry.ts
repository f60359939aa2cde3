import type { SavedTarget, WorldWriter } from './saved-world.ts'

/** A world in memory that is saved. */
export interface SavedMember extends SavedTarget {
  /** True if a long operation is changing the world. */
  readonly isChanging: boolean
  /** Finishes the long operation in progress. */
  finishWork: () => void
}

/** The save state of a world. */
export interface Entry {
  /** Undefined if the world is no longer in memory. */
  member: SavedMember | undefined
  writer: WorldWriter
  /** The result of `markOf` at the last check for changes. */
  mark: string
  /** The number of writes. Each is counted when it arrives and when it is answered. */
  touches: number
  /** Time when the first unsaved change was detected, epoch ms. */
  since: number | undefined
  /** The same for the changes that are being saved. */
  writingSince: number | undefined
  writing: Promise<void> | undefined
  /** The key of the content that was last saved. */
  savedKey: string | undefined
  /** The unsaved content of a world that was removed from memory. */
  leaving: { key: string; text: string } | undefined
}

/** True if a world may have unsaved writes. A world that was only created or read has none. */
export function isDirty({ since, writingSince, touches }: Entry): boolean {
  return touches > 0 && (since !== undefined || writingSince !== undefined)
}

/** True if a world has an unsaved write from before the given time, epoch ms, and can be saved. */
export function isOverdue(entry: Entry, time: number): boolean {
  const { since, writingSince, member } = entry
  const isOld = (writingSince ?? since ?? Infinity) < time
  return isOld && isDirty(entry) && member?.isChanging !== true
}

/** Returns a string that changes with each change of tables, journal or actions. */
export function markOf({ loaded: { world, baseName } }: SavedMember, touches: number): string {
  return `${baseName} ${world.changeCount} ${world.journal.lastId} ${world.actionLog.lastId} ${touches}`
}

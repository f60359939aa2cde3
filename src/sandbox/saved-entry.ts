import type { SavedTarget, WorldWriter } from './saved-world.ts'

/** A world in memory, as it is saved. */
export interface SavedMember extends SavedTarget {
  /** True if a long operation changes the world now. */
  readonly isChanging: boolean
  /** Finishes the long operation under way. */
  finishWork: () => void
}

/** A world whose changes are saved. */
export interface Entry {
  /** Undefined once the world has left memory. */
  member: SavedMember | undefined
  writer: WorldWriter
  /** Its mark at the last look for changes. */
  mark: string
  /** The number of writes, counted when they come and when they are answered. */
  touches: number
  /** When its first unsaved change was seen, epoch ms. */
  since: number | undefined
  /** The same for the changes that are being written. */
  writingSince: number | undefined
  writing: Promise<void> | undefined
  /** The content that was saved last. */
  savedKey: string | undefined
  /** The unsaved content of a world that left memory. */
  leaving: { key: string; text: string } | undefined
}

/** True if a world may have unsaved writes. A world that was only made or read has none. */
export function isDirty({ since, writingSince, touches }: Entry): boolean {
  return touches > 0 && (since !== undefined || writingSince !== undefined)
}

/** True if a world has an unsaved write from before a time, epoch ms, and can be saved. */
export function isOverdue(entry: Entry, time: number): boolean {
  const { since, writingSince, member } = entry
  const isOld = (writingSince ?? since ?? Infinity) < time
  return isOld && isDirty(entry) && member?.isChanging !== true
}

/** A text that differs after each change that tables, journal or actions show. */
export function markOf({ loaded: { world, baseName } }: SavedMember, touches: number): string {
  return `${baseName} ${world.changeCount} ${world.journal.lastId} ${world.actionLog.lastId} ${touches}`
}

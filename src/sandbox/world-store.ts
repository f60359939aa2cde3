import type { WorldJson } from '../world/snapshot/written-snapshot.ts'

/**
 * Stores worlds that are not in memory. A sandbox with a store does not drop worlds to make room
 * for others: it stores the one that was unused for longest, and loads it again for its next
 * request.
 */
export interface WorldStore<Member> {
  /** Returns true if a world of that name is stored, or will be. */
  has: (name: string) => boolean
  /** Notes a world that is in memory from now on. `isStored`: the store has it as it is. */
  add: (name: string, member: Member, isStored: boolean) => void
  /** Notes that a world was used and may have changed. */
  markUsed: (name: string) => void
  /** Stores a world that leaves memory and is closed next. */
  put: (name: string, member: Member) => void
  /** Loads the snapshot of a world: as JSON, or as an object if it is not written yet. */
  load: (name: string) => Promise<string | WorldJson>
  /** Deletes a world. Returns false if it was not stored. */
  delete: (name: string) => boolean
  /** True if so many worlds wait to be written that requests have to wait. */
  hasBacklog: boolean
  /** Resolves once fewer worlds wait. */
  waitForBacklog: () => Promise<void>
}

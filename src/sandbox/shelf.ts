import type { WorldJson } from '../world/snapshot/written-snapshot.ts'

/**
 * Where worlds are while they are not in memory. The worlds of a sandbox that has one are not
 * dropped to make room for others: the one that was unused for longest is put there, and comes back
 * with its next request.
 */
export interface Shelf<Member> {
  /** Whether a world of that name is there, and can come back. */
  has: (name: string) => boolean
  /** Told of each world that is in memory from now on: new, or back as it was put there. */
  keep: (name: string, member: Member, isBack: boolean) => void
  /** Told that a world was used, so that it may have changed. */
  touch: (name: string) => void
  /** Takes a world that leaves memory. It is closed right behind that. */
  put: (name: string, member: Member) => void
  /**
   * The snapshot of a world that is there: as its JSON, or as it is where it was not written yet.
   */
  fetch: (name: string) => Promise<string | WorldJson>
  /** Removes a world for good. Returns whether it was there. */
  remove: (name: string) => boolean
  /** Whether so many worlds wait to be written that who wants another one has to wait. */
  isBehind: boolean
  /** Resolves once fewer wait. */
  caughtUp: () => Promise<void>
}

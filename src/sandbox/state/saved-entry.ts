import { toWorldName } from '../../world/world-name.ts'
import type { SavedTarget, WorldWriter } from './saved-world.ts'

/**
 * Minimum time between detecting a change and saving it, ms. Changes are detected and saved by
 * periodic checks, so that a change is saved within 200 ms in total.
 */
const delayMs = 100
/** Maximum age of an unsaved change, ms. If a change is older, new writes wait. */
const maxAgeMs = 300
/**
 * Maximum number of worlds with unsaved writes. When this number is reached, writes to other worlds
 * wait.
 */
const maxDirty = 100
/** Maximum number of worlds that are saved concurrently. */
export const maxWriting = 8
/** Maximum number of worlds that are removed from memory but not saved yet. */
const maxLeaving = 32

/** Maximum number of unsaved worlds to name in an error message. */
const maxNamed = 20

/** A world in memory that must be saved. */
export interface SavedWorld extends SavedTarget {
  /** True if a long operation is changing the world. */
  readonly isChanging: boolean
  /** Finishes the long operation in progress. */
  finishWork: () => void
}

/** Saving state of a world. */
export interface Entry {
  /** The world, or undefined if it is no longer in memory. */
  runtime: SavedWorld | undefined
  writer: WorldWriter
  /** Result of `createVersionTag` at the last check for changes. */
  versionTag: string
  /**
   * Counts writes. Each write is counted twice: when it arrives, and when its response is ready.
   */
  touches: number
  /** Time when the first unsaved change was detected, epoch ms. */
  since: number | undefined
  /** Time when the first change that is now being saved was detected, epoch ms. */
  writingSince: number | undefined
  writing: Promise<void> | undefined
  /** Key of the content that was last saved. */
  savedKey: string | undefined
  /** Unsaved content of a world that was removed from memory. */
  leaving: { key: string; text: string } | undefined
}

/** The saving states of a saver's worlds, by world id. */
export type EntriesById = ReadonlyMap<string, Entry>

/** Returns the worlds to save now, longest waiting first. */
export function listDueEntries(entries: EntriesById, now: number): [string, Entry][] {
  let free = maxWriting
  const due: { since: number; pair: [string, Entry] }[] = []
  for (const [id, entry] of entries) {
    const { since, writing, runtime } = entry
    if (writing !== undefined) free -= 1
    else if (since !== undefined && now - since >= delayMs && runtime?.isChanging !== true)
      due.push({ since, pair: [id, entry] })
  }
  return due
    .toSorted((a, b) => a.since - b.since)
    .slice(0, Math.max(free, 0))
    .map(({ pair }) => pair)
}

/**
 * Returns the names of up to 20 unsaved worlds and the time of the first unsaved change, epoch ms.
 * Undefined if all worlds are saved.
 */
export function listUnsaved(entries: EntriesById): { names: string; since: number } | undefined {
  const unsaved = [...entries].flatMap(([id, { since }]) =>
    since === undefined ? [] : [{ id, since }],
  )
  if (unsaved.length === 0) return undefined
  const names = unsaved.slice(0, maxNamed).map(({ id }) => {
    const name = toWorldName(id)
    return name === undefined ? 'the main world' : `the world ${name}`
  })
  if (unsaved.length > maxNamed) names.push(`${unsaved.length - maxNamed} more worlds`)
  return { names: names.join(', '), since: Math.min(...unsaved.map(({ since }) => since)) }
}

/** True if any write has been waiting to be saved for too long. */
export function hasOverdueWrite(entries: EntriesById, now: number): boolean {
  return [...entries.values()].some((entry) => isOverdue(entry, now - maxAgeMs))
}

/** True if a write would exceed the maximum number of worlds with unsaved writes. */
export function exceedsUnsavedLimit(entries: EntriesById, id: string): boolean {
  const entry = entries.get(id)
  if (entry === undefined || isDirty(entry)) return false
  return [...entries.values()].filter(isDirty).length >= maxDirty
}

/**
 * True if no more worlds can be removed from memory, because too many removed worlds are unsaved.
 */
export function isRemovalBlocked(entries: EntriesById): boolean {
  return [...entries.values()].filter(({ leaving }) => leaving !== undefined).length > maxLeaving
}

/**
 * True if a world may have unsaved writes. Creating or reading a world does not count as a write.
 */
function isDirty({ since, writingSince, touches }: Entry): boolean {
  return touches > 0 && (since !== undefined || writingSince !== undefined)
}

/** True if a world can be saved, and has an unsaved write from before the given time, epoch ms. */
function isOverdue(entry: Entry, time: number): boolean {
  const { since, writingSince, runtime } = entry
  const isOld = (writingSince ?? since ?? Infinity) < time
  return isOld && isDirty(entry) && runtime?.isChanging !== true
}

/** Returns a string that changes whenever the tables, the journal or the actions change. */
export function createVersionTag(
  { active: { world, baseName } }: SavedWorld,
  touches: number,
): string {
  return `${baseName} ${world.changeCount} ${world.journal.lastId} ${world.actionLog.lastId} ${touches}`
}

import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { WrittenSnapshot } from '../world/snapshot/written-snapshot.ts'
import type { WorldJson } from '../world/snapshot/written-snapshot.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { ServedSandbox } from '../sandbox/served-sandbox.ts'
import { tablesIn } from '../data/tables.ts'
import { writeDraft } from './state-draft.ts'
import type { Written } from './state-draft.ts'
import { draftOf } from './state-file.ts'
import type { StateFile } from './state-file.ts'

/** A file that holds one world. */
export interface SavedFile extends Pick<StateFile, 'name' | 'target'> {
  lock: Pick<StateFile['lock'], 'require'>
}

/** Writes one world into its file, and knows whether it has to. */
export interface Saver {
  file: SavedFile
  /** A request of that method was there: the world may have changed. */
  touch: (method: string) => void
  /** Whether the world is another one than the file has. */
  isChanged: () => boolean
  /** Whether to look at the world now would mean to finish at once what it is busy with. */
  isBusy: () => boolean
  /** Writes the world as it is now. A second write must not begin before the first one is done. */
  write: () => Promise<void>
  /**
   * What the file has, so that another one can take the text of the same records from it; undefined
   * before the first write.
   */
  written: () => { path: string; written: Written } | undefined
}

/** How to save a world. */
export interface SaverOptions {
  /** Whether the file has the world as it is now. @default false */
  isSaved?: boolean
  /**
   * Whether the digest is written too, which spares whoever reads it to check each record. @default
   * false
   */
  hasDigest?: boolean
  /** A file that has many of the same records, for the first write. */
  like?: () => { path: string; written: Written } | undefined
}

/** Makes the saver of a world. */
export function createSaver(
  sandbox: Sandbox,
  file: SavedFile,
  { isSaved = false, hasDigest = false, like }: SaverOptions = {},
): Saver {
  let touched: 'no' | 'read' | 'changed' = 'no'
  /** What was written last, and what tells whether the world is still the same. */
  let last = isSaved
    ? { versions: versionsOf(sandbox), state: stateOf(sandbox.snapshot()) }
    : undefined
  let written: Written | undefined
  const known = () => (written === undefined ? undefined : { path: file.target, written })
  const isChanged = () =>
    last === undefined ||
    touched === 'changed' ||
    versionsOf(sandbox).some((version, place) => version !== last?.versions[place]) ||
    (touched === 'read' && stateOf(sandbox.snapshot()) !== last.state)
  return {
    file,
    written: known,
    isBusy: () => new ServedSandbox(sandbox).operation !== null,
    touch(method) {
      if (touched !== 'changed')
        touched = method === 'GET' || method === 'HEAD' ? 'read' : 'changed'
    },
    isChanged() {
      if (isChanged()) return true
      touched = 'no'
      return false
    },
    async write() {
      touched = 'no'
      try {
        file.lock.require()
        const [versions, snapshot] = [versionsOf(sandbox), sandbox.snapshot()]
        const digest = hasDigest ? await digestOf(sandbox, snapshot) : undefined
        written = await replace(file.target, (draft) =>
          writeDraft(draft, { ...snapshot, digest }, known() ?? like?.()),
        )
        last = { versions, state: stateOf(snapshot) }
      } catch (error) {
        touched = 'changed'
        throw error
      }
    },
  }
}

/** Writes a snapshot of a world that is gone from memory by the time. */
export async function saveSnapshot(
  sandbox: Sandbox,
  snapshot: WorldJson,
  file: SavedFile,
  known: ReturnType<Saver['written']>,
): Promise<void> {
  file.lock.require()
  const digest = await digestOf(sandbox, snapshot)
  await replace(file.target, (draft) => writeDraft(draft, { ...snapshot, digest }, known))
}

async function digestOf(sandbox: Sandbox, snapshot: WorldJson): Promise<string | undefined> {
  return snapshot instanceof WrittenSnapshot
    ? new ServedSandbox(sandbox).slice(snapshot.digesting())
    : snapshot.digest
}

/** The versions of all tables, which change with each write. */
function versionsOf({ db }: Sandbox): object[] {
  return tablesIn(db).map(({ version }) => version)
}

/**
 * The state besides the records. Time that only runs on is no change: a request of that sandbox
 * would not see it lost.
 */
function stateOf({ scenario, seed, worldState }: ReturnType<Sandbox['snapshot']>): string {
  const { clock, ...state } = worldState
  return JSON.stringify({
    scenario,
    seed,
    ...state,
    clock: clock.mode === 'running' ? { ...clock, now: undefined } : clock,
  })
}

/**
 * Writes beside the file and moves it into place: whoever reads it finds the old state or the new
 * one, whole, also after a power cut.
 */
async function replace(
  target: string,
  write: (draft: Awaited<ReturnType<typeof open>>) => Promise<Written>,
): Promise<Written> {
  const path = draftOf(target)
  try {
    // Keys of the API are in it: it is for its user alone, unless the file there says otherwise.
    const draft = await open(path, 'w', 0o600)
    try {
      const written = await write(draft)
      const mode = (await stat(target).catch(orAbsent))?.mode
      if (mode !== undefined) await draft.chmod(mode & 0o7777)
      await draft.close()
      await rename(path, target)
      await syncFolder(dirname(target))
      return written
    } finally {
      await draft.close()
    }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders; there the file system itself keeps the order of renames.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function orAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

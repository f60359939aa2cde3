import { SandboxError } from '../../errors.ts'
import type { Log } from '../../lib/log.ts'
import { toIsoTime } from '../../lib/time.ts'
import { mainId, toWorldName } from '../../world/world-name.ts'
import type { LeaseHost } from './leases.ts'
import type { Entry } from './saved-entry.ts'
import type { StoredWorlds } from './stored-worlds.ts'
import type { SavedWorld } from './saved-entry.ts'

/** Options for leases. */
export interface LeaseOptions {
  /** Monotonic real time, ms. */
  now: () => number
  log: Log
  /** Closes a world in memory that has expired or was handed over to another server. */
  closeWorld: (id: string) => void
  /** Restores the main world after this server became its owner. */
  reloadMain: () => Promise<void>
}

/** The parts of a saver that are needed to manage its leases. */
interface SaverParts {
  entries: Map<string, Entry>
  /** Ids of deleted worlds that the store may still contain. */
  deleted: ReadonlySet<string>
  stored: StoredWorlds
  options: LeaseOptions
  failure: () => Error | undefined
  wake: () => void
  save: (id: string, entry: Entry) => Promise<void>
  fail: (error: unknown) => void
  recover: () => Promise<void>
}

/** Connects a server's leases to its saver and its worlds. */
export function createLeaseHost(
  saver: { release: (id: string) => void; track: (id: string, runtime: SavedWorld) => void },
  { entries, deleted, stored, options, failure, wake, save, fail, recover }: SaverParts,
): LeaseHost {
  const forget = (id: string) => {
    stored.delete(id)
    entries.delete(id)
    wake()
  }
  return {
    isUsed: (id) => entries.has(id) || deleted.has(id),
    onAcquired(id, isStored) {
      forget(id)
      if (isStored) stored.add(id, options.now())
      return id === mainId ? options.reloadMain() : undefined
    },
    async unload(id) {
      const entry = entries.get(id)
      const runtime = entry?.runtime
      runtime?.finishWork()
      saver.release(id)
      options.closeWorld(id)
      await entry?.writing
      if (entry?.leaving !== undefined) await save(id, entry)
      if (entry?.leaving === undefined || entries.get(id) !== entry) return forget(id)
      // Tracks the main world again, because it is always in memory. An isolated world can be
      // restored from its unsaved content.
      if (id === mainId && runtime !== undefined) saver.track(id, runtime)
      throw failure() ?? new SandboxError('a world could not be saved')
    },
    onLost(id) {
      const entry = entries.get(id)
      const since = entry?.writingSince ?? entry?.since
      forget(id)
      options.closeWorld(id)
      if (entry === undefined) return
      options.log(
        `Another server took over the world ${toWorldName(id) ?? mainId}, because this ` +
          'server had not renewed its lease. ' +
          (since === undefined
            ? 'All changes were saved.'
            : `Changes since ${toIsoTime(since)} are lost.`),
        'error',
      )
    },
    onRenewed(areDataLost) {
      if (areDataLost) fail(new SandboxError('it lost its data'))
      if (failure() === undefined) return
      // Reports no recovery here, because only a successful save proves that the store works again.
      const [entry] = entries.values()
      if (entry === undefined) void recover().catch(fail)
      else entry.since ??= options.now()
    },
    onFailure: fail,
  }
}

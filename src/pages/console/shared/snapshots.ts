import { formatAgo, formatTimestamp, formatTime } from '../../shared/format.ts'
import { useCommandRunner, useLoadedData, useStore } from '../../shared/hooks.ts'
import type { KeptSnapshot } from '../../shared/types.ts'

/** Returns the world's snapshots on the server, newest first, and commands for them. */
export function useSnapshots(key = '') {
  const { api, showToast: say } = useStore()
  const { error, isBusy, run } = useCommandRunner()
  const {
    data = [],
    error: loadError,
    reload,
  } = useLoadedData(() => api.get<KeptSnapshot[]>('snapshots'), key)
  return {
    snapshots: data.toReversed(),
    error: error ?? loadError,
    isBusy,
    /** Saves the current state. `title` may be empty. */
    save: (title = '') =>
      run(async () => {
        const note = title.trim() === '' ? undefined : title.trim()
        const saved = await api.send<KeptSnapshot>('POST', 'snapshots', {
          name: getNextName(data),
          note,
        })
        const savedTime = formatSnapshotTime(saved, saved.at)
        say(`Saved this state as ${note === undefined ? savedTime : `${savedTime}: ${note}`}.`)
        reload()
      }),
    remove: (name: string) =>
      run(async () => {
        await api.send('DELETE', `snapshots/${encodeURIComponent(name)}`)
        reload()
      }),
  }
}

/** Formats the sandbox time of a snapshot: `09:30:00`, or with the date if that differs from today. */
export function formatSnapshotTime({ at }: Pick<KeptSnapshot, 'at'>, now: string): string {
  return at.slice(0, 10) === now.slice(0, 10) ? formatTime(at) : formatTimestamp(at)
}

/**
 * True if the console took the snapshot automatically before a change. The server keeps only the
 * latest of these.
 */
export function isAutomatic({ name }: KeptSnapshot): boolean {
  return /^auto-\d+$/.test(name)
}

/** Returns the name that a user or program gave to a snapshot, or undefined if there is none. */
export function getSnapshotTitle(snapshot: KeptSnapshot): string | undefined {
  if (isAutomatic(snapshot)) return undefined
  return savedName.test(snapshot.name) ? (snapshot.note ?? undefined) : snapshot.name
}

/** Describes when a snapshot was saved, in real time, and its scenario. */
export function describeSnapshot({ real_at: realAt, scenario }: KeptSnapshot): string {
  const saved = realAt === null ? '' : `Saved ${describeAge(realAt)}, `
  return `${saved}scenario ${scenario}`
}

/** `just now`, or `3 min ago`, in real time. */
export function describeAge(realAt: string): string {
  const age = formatAgo(realAt, new Date().getTime())
  return age === 'now' ? 'just now' : age
}

const savedName = /^saved-(\d+)$/

function getNextName(snapshots: readonly KeptSnapshot[]): string {
  const numbers = snapshots.map(({ name }) => Number(savedName.exec(name)?.[1] ?? 0))
  return `saved-${Math.max(0, ...numbers) + 1}`
}

import { formatTimestamp, formatTime } from '../../shared/format.ts'
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
        const savedTime = formatSnapshotTime(saved)
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

/**
 * Returns the time of a snapshot: local time such as `14:02:05` if known, otherwise sandbox time.
 */
export function formatSnapshotTime({
  real_at: realAt,
  at,
}: Pick<KeptSnapshot, 'real_at' | 'at'>): string {
  if (realAt === null) return formatTime(at)
  const date = new Date(realAt)
  const time = date.toLocaleTimeString('en-GB')
  const day = date.toLocaleDateString('en-CA')
  return day === new Date().toLocaleDateString('en-CA') ? time : `${day} ${time}`
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

/** Describes a snapshot: when it was saved, in real and in sandbox time, and its scenario. */
export function describeSnapshot(snapshot: KeptSnapshot): string {
  const { at, real_at: realAt, scenario } = snapshot
  const saved =
    realAt === null ? '' : `Saved at ${formatSnapshotTime(snapshot)} (your local time). `
  return `${saved}Sandbox time ${formatTimestamp(at)} UTC, scenario ${scenario}.`
}

const savedName = /^saved-(\d+)$/

function getNextName(snapshots: readonly KeptSnapshot[]): string {
  const numbers = snapshots.map(({ name }) => Number(savedName.exec(name)?.[1] ?? 0))
  return `saved-${Math.max(0, ...numbers) + 1}`
}

import { toMoment, toTime } from './format.ts'
import { useCommand, useLoad, useStore } from './hooks.ts'
import type { KeptSnapshot } from './types.ts'

/**
 * Returns the snapshots of the world that the server has saved, newest first, and commands for
 * them.
 */
export function useSnapshots(key = '') {
  const { api, say } = useStore()
  const { error, isBusy, run } = useCommand()
  const {
    data = [],
    error: loadError,
    reload,
  } = useLoad(() => api.get<KeptSnapshot[]>('snapshots'), key)
  return {
    snapshots: data.toReversed(),
    error: error ?? loadError,
    isBusy,
    /** Keeps the present state. `title` may be empty. */
    keep: (title = '') =>
      run(async () => {
        const note = title.trim() === '' ? undefined : title.trim()
        const kept = await api.send<KeptSnapshot>('POST', 'snapshots', {
          name: nextName(data),
          note,
        })
        say(`Kept the state of ${momentOfSnapshot(kept)}${note === undefined ? '' : `: ${note}`}.`)
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
 * Returns the time of a snapshot: `14:02:05` according to the clock of this machine, or else the
 * sandbox time.
 */
export function momentOfSnapshot({ real_at: realAt, at }: KeptSnapshot): string {
  if (realAt === null) return toTime(at)
  const moment = new Date(realAt)
  const time = moment.toLocaleTimeString('en-GB')
  const day = moment.toLocaleDateString('en-CA')
  return day === new Date().toLocaleDateString('en-CA') ? time : `${day} ${time}`
}

/** True if the console kept it before a change. The server drops all but the last of these. */
export function isAutomatic({ name }: KeptSnapshot): boolean {
  return /^auto-\d+$/.test(name)
}

/** The name that a person or a program gave to a snapshot. Undefined without one. */
export function titleOfSnapshot(snapshot: KeptSnapshot): string | undefined {
  if (isAutomatic(snapshot)) return undefined
  return keptName.test(snapshot.name) ? (snapshot.note ?? undefined) : snapshot.name
}

/** Says when a snapshot was kept and what it contains, with both clocks. */
export function describeSnapshot(snapshot: KeptSnapshot): string {
  const { note, at, real_at: realAt, scenario } = snapshot
  const reason = isAutomatic(snapshot) && note !== null ? `${note}. ` : ''
  const kept = realAt === null ? '' : `Kept at ${momentOfSnapshot(snapshot)} by your clock. `
  return `${reason}${kept}Sandbox time ${toMoment(at)} UTC, scenario ${scenario}.`
}

/** The snapshots that a person or a program kept, and then the automatic ones. */
export function keptFirst(snapshots: readonly KeptSnapshot[]): readonly KeptSnapshot[] {
  return snapshots.toSorted((a, b) => Number(isAutomatic(a)) - Number(isAutomatic(b)))
}

const keptName = /^kept-(\d+)$/

function nextName(kept: readonly KeptSnapshot[]): string {
  const numbers = kept.map(({ name }) => Number(keptName.exec(name)?.[1] ?? 0))
  return `kept-${Math.max(0, ...numbers) + 1}`
}

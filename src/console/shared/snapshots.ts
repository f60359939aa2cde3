import { toTime } from './format.ts'
import { useCommand, useLoad, useStore } from './hooks.ts'
import type { KeptSnapshot } from './types.ts'

/** Snapshots of the world that the server keeps, newest first, and commands on them. */
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
    keep: () =>
      run(async () => {
        const kept = await api.send<KeptSnapshot>('POST', 'snapshots', {
          name: nextName(data),
          note: 'Kept in the console',
        })
        say(`Kept the state of ${momentOfSnapshot(kept)}.`)
        reload()
      }),
    remove: (name: string) =>
      run(async () => {
        await api.send('DELETE', `snapshots/${encodeURIComponent(name)}`)
        reload()
      }),
  }
}

/** The moment of a snapshot: `14:02:05` by the clock of this machine, or else the sandbox time. */
export function momentOfSnapshot({ real_at: realAt, at }: KeptSnapshot): string {
  if (realAt === null) return toTime(at)
  const moment = new Date(realAt)
  const time = moment.toLocaleTimeString('en-GB')
  const day = moment.toLocaleDateString('en-CA')
  return day === new Date().toLocaleDateString('en-CA') ? time : `${day} ${time}`
}

/** The reason of a snapshot, or its name. */
export function reasonOf({ note, name }: KeptSnapshot): string {
  return note ?? name
}

function nextName(kept: readonly KeptSnapshot[]): string {
  const numbers = kept.map(({ name }) => Number(/^kept-(\d+)$/.exec(name)?.[1] ?? 0))
  return `kept-${Math.max(0, ...numbers) + 1}`
}

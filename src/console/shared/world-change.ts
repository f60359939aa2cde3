import { useCommand, useLoad, useStore } from './hooks.ts'
import { momentOfSnapshot } from './snapshots.ts'
import type { KeptSnapshot, Scenario } from './types.ts'

/** The scenarios that can be loaded. */
export function useScenarios(): readonly Scenario[] {
  const { api } = useStore()
  return useLoad(() => api.get<Scenario[]>('scenarios'), '').data ?? []
}

/**
 * Commands that replace the world. The server keeps a snapshot before each, and a message offers to
 * undo it.
 */
export function useWorldChange(onDone: () => void = () => {}) {
  const { api, refresh, say } = useStore()
  const { error, isBusy, run } = useCommand()
  const goTo = async (name: string) => {
    await api.send('POST', `snapshots/${encodeURIComponent(name)}`)
    await refresh()
  }
  const change = (
    { done, note }: { done: string; note: string },
    send: () => Promise<unknown>,
  ): void =>
    run(async () => {
      const { name } = await api.send<KeptSnapshot>('POST', 'snapshots', { note })
      await send()
      await refresh()
      say(done, () => goTo(name))
      onDone()
    })
  return {
    error,
    isBusy,
    change,
    reset: () =>
      change({ done: 'The scenario is at its start again.', note: 'Before a reset' }, () =>
        api.send('POST', 'reset'),
      ),
    load: (name: string) =>
      change({ done: `Loaded ${name}.`, note: `Before ${name} was loaded` }, () =>
        api.send('PUT', 'scenario', { name, cue: true }),
      ),
    restore: (file: File) =>
      change({ done: `Restored ${file.name}.`, note: 'Before a file was restored' }, async () =>
        api.send('PUT', 'snapshot', JSON.parse(await file.text())),
      ),
    goBack: (snapshot: KeptSnapshot) => {
      const moment = momentOfSnapshot(snapshot)
      change({ done: `Back at ${moment}.`, note: `Before going back to ${moment}` }, () =>
        goTo(snapshot.name),
      )
    },
  }
}

import { useCommandRunner, useLoadedData, useStore } from '../../shared/hooks.ts'
import { formatTimestamp } from '../../shared/format.ts'
import { formatSnapshotTime } from './snapshots.ts'
import type { About, KeptSnapshot, Scenario } from '../../shared/types.ts'

/** Returns the available scenarios. */
export function useScenarios(): readonly Scenario[] {
  const { api } = useStore()
  return useLoadedData(() => api.get<Scenario[]>('scenarios'), '').data ?? []
}

/**
 * Returns commands that replace the world. The server takes a snapshot before each command, and a
 * message then offers to undo the command.
 */
export function useWorldCommands(onDone: () => void = () => {}) {
  const { api, get, refresh, showToast: say } = useStore()
  const { error, isBusy, run } = useCommandRunner()
  const goTo = async (name: string) => {
    await api.send('POST', `snapshots/${encodeURIComponent(name)}`)
    await refresh()
  }
  const undo = async ({ name, scenario, at }: KeptSnapshot, task: string) => {
    await goTo(name)
    // The snapshot has been restored, so it is no longer needed.
    await api.send('DELETE', `snapshots/${encodeURIComponent(name)}`)
    return (
      `Undid ${task}. The world is back at ${formatTimestamp(at)} UTC in ${scenario}. ` +
      'The journal is not restored.'
    )
  }
  /** `task` completes "Undo ..." and "Before ...". */
  const change = <Result>(
    { done, task }: { done: (result: Result) => string; task: string },
    send: () => Promise<Result>,
  ): void =>
    run(async () => {
      const kept = await api.send<KeptSnapshot>('POST', 'snapshots', { note: `Before ${task}` })
      const result = await send()
      await refresh()
      say(done(result), { run: () => undo(kept, task) })
      onDone()
    })
  return {
    error,
    isBusy,
    change,
    reset: () =>
      change({ done: () => 'The scenario was reset.', task: 'the reset' }, () =>
        api.send('POST', 'reset'),
      ),
    /**
     * Loads a scenario. Without `start`, the start time of the scenario is used. `plays` starts its
     * story.
     */
    load: (
      name: string,
      { seed, start, plays = false }: { seed?: number; start?: string; plays?: boolean } = {},
    ) =>
      change(
        {
          done: (about) => `Loaded ${name}. It starts at ${formatTimestamp(about.start)} UTC.`,
          task: `the change to ${name}`,
        },
        async () => {
          const scenario = { name, cue: true, seed, now: start }
          const about = await api.send<About>('PUT', 'scenario', scenario)
          if (plays) await api.send('POST', 'replay', { command: 'play' })
          return about
        },
      ),
    restore: (file: File) =>
      change(
        { done: () => `Restored ${file.name}.`, task: `the restore of ${file.name}` },
        async () => api.send('PUT', 'snapshot', JSON.parse(await file.text())),
      ),
    goBack: (snapshot: KeptSnapshot) => {
      const time = formatSnapshotTime(snapshot, get().pulse?.clock.now ?? '')
      change({ done: () => `Back at ${time}.`, task: `the way back to ${time}` }, () =>
        goTo(snapshot.name),
      )
    },
  }
}

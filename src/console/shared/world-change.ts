import { useCommand, useLoad, useStore } from './hooks.ts'
import type { Scenario } from './types.ts'

/** The scenarios that can be loaded. */
export function useScenarios(): readonly Scenario[] {
  const { api } = useStore()
  return useLoad(() => api.get<Scenario[]>('scenarios'), '').data ?? []
}

/** Commands that replace the world. A message offers to undo them. */
export function useWorldChange(onDone: () => void = () => {}) {
  const { api, refresh, say } = useStore()
  const { error, isBusy, run } = useCommand()
  const change = (text: string, send: () => Promise<unknown>) =>
    run(async () => {
      const snapshot = await api.get<object>('snapshot')
      await send()
      await refresh()
      say(text, async () => {
        await api.send('PUT', 'snapshot', snapshot)
        await refresh()
      })
      onDone()
    })
  return {
    error,
    isBusy,
    reset: () => change('The scenario is at its start again.', () => api.send('POST', 'reset')),
    load: (name: string) =>
      change(`Loaded ${name}.`, () => api.send('PUT', 'scenario', { name, cue: true })),
    restore: (file: File) =>
      change(`Restored ${file.name}.`, async () =>
        api.send('PUT', 'snapshot', JSON.parse(await file.text())),
      ),
  }
}

import type { Api } from '../shared/api.ts'
import type { Fault } from '../shared/types.ts'

/** Lifts faults, and returns a function that adds them again. */
export async function liftFaults(api: Api, faults: readonly Fault[]): Promise<() => Promise<void>> {
  for (const { id } of faults) await api.send('DELETE', `faults/${id}`)
  return async () => {
    for (const { id: _id, matched: _matched, fired: _fired, ...input } of faults)
      await api.send('POST', 'faults', input)
  }
}

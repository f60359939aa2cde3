import type { Api } from '../../shared/api.ts'
import { formatCount } from '../../shared/format.ts'
import type { Fault } from '../../shared/types.ts'

/** Removes faults. Returns a function that adds them again and shows a confirmation. */
export async function removeFaults(
  api: Api,
  faults: readonly Fault[],
): Promise<() => Promise<string>> {
  for (const { id } of faults) await api.send('DELETE', `faults/${id}`)
  return async () => {
    for (const { id: _id, matched: _matched, fired: _fired, ...input } of faults)
      await api.send('POST', 'faults', input)
    return `Added ${formatCount(faults.length, 'fault')} again.`
  }
}

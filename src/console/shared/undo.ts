import type { Api } from './api.ts'

/** Remembers the world in this page, and returns a function that restores it. */
export async function rememberWorld(api: Api): Promise<() => Promise<void>> {
  const snapshot = await api.get<object>('snapshot')
  return async () => {
    await api.send('PUT', 'snapshot', snapshot)
  }
}

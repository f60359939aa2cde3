import { useLoad, useStore } from './hooks.ts'

/** The routes of the API by name. */
export function useRoutes(): readonly string[] {
  const { api } = useStore()
  return useLoad(() => api.get<string[]>('routes'), '').data ?? []
}

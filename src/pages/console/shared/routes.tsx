import { useLoadedData, useStore } from '../../shared/hooks.ts'
import type { RouteSummary } from '../../shared/types.ts'

/** Returns the names of all API routes. */
export function useRoutes(): readonly string[] {
  const { api } = useStore()
  return useLoadedData(() => api.get<string[]>('routes'), '').data ?? []
}

/** Returns all API routes with their summaries. */
export function useRouteSummaries(): readonly RouteSummary[] {
  const { api } = useStore()
  return (
    useLoadedData(() => api.get<RouteSummary[]>('routes', { summaries: 'true' }), '').data ?? []
  )
}

/** Returns the URL of a route's documentation. */
export function toDocsHref(route: string): string {
  return `../docs${location.search}#api/${encodeURIComponent(route)}`
}

/** Returns the URL of a guide in the documentation, by a path such as `limits/windows`. */
export function getGuideUrl(guide: string): string {
  return `../docs${location.search}#guides/${guide}`
}

/** Links a route to its documentation. */
export function RouteLink({ route }: { route: string }) {
  return <a href={toDocsHref(route)}>{route}</a>
}

import { useLoadedData, useStore } from './hooks.ts'

/** The routes of the API by name. */
export function useRoutes(): readonly string[] {
  const { api } = useStore()
  return useLoadedData(() => api.get<string[]>('routes'), '').data ?? []
}

/** Returns the URL of the documentation of a route. */
export function toDocsHref(route: string): string {
  return `../docs${location.search}#api/${encodeURIComponent(route)}`
}

/** Returns the URL of a guide in the documentation, such as `limits/windows`. */
export function getGuideUrl(guide: string): string {
  return `../docs${location.search}#guides/${guide}`
}

/** A link from a route to its documentation. */
export function RouteLink({ route }: { route: string }) {
  return <a href={toDocsHref(route)}>{route}</a>
}

import { useLoadedData, useStoreState, useStore } from '../../shared/hooks.ts'
import { useRoutes } from '../shared/routes.tsx'
import type { WorldSummary } from '../../shared/types.ts'

/** Journal filters, by their names in the URL. */
type Filters = Readonly<Record<string, string>>

interface FiltersProps {
  filters: Filters
  onChange: (change: Record<string, string>) => void
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const senders = {
  client: 'clients',
  story: 'the story',
  console: 'the console',
  docs: 'the documents',
}

/** Filter value that selects the main world. Isolated worlds cannot have this name. */
export const mainWorld = '~main'

/** Converts the filters to a control plane query. */
export function toControlQuery({
  status,
  method,
  path,
  route,
  account,
  by,
  text,
}: Filters): Record<string, string | undefined> {
  const isExact = status?.length === 3
  return {
    status: isExact ? status : undefined,
    status_class: isExact ? undefined : status,
    method,
    path,
    route,
    account,
    asked_by: by,
    contains: text,
  }
}

export function JournalFilters({ filters, onChange }: FiltersProps) {
  const accounts = useStoreState((state) => state.about?.accounts)
  const routes = useRoutes()
  const { api } = useStore()
  const open = useStoreState((state) => state.pulse?.worlds?.open ?? 0)
  const { data: worlds = [] } = useLoadedData(
    () => api.get<WorldSummary[]>('worlds', { world: undefined }),
    String(open),
  )
  const isActive = (name: string) => (filters[name] ?? '') !== ''
  // The first option also serves as the label, which saves two lines.
  const choice = (
    name: string,
    label: string,
    options: readonly (readonly [string, string])[],
    empty = label,
  ) => (
    <select
      class={isActive(name) ? 'active' : ''}
      aria-label={label}
      value={filters[name] ?? ''}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    >
      <option value="">{empty}</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
  const search = (name: string, label: string, hint: string) => (
    <input
      class={isActive(name) ? 'active' : ''}
      type="search"
      aria-label={label}
      placeholder={hint}
      value={filters[name] ?? ''}
      onInput={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  )
  const isWide = !matchMedia('(max-width: 40rem)').matches
  return (
    <details class="filters" open={isWide}>
      <summary>Filters</summary>
      <div class="fields" role="search">
        {choice('status', 'Status', [
          ...['2', '3', '4', '5'].map((digit) => [digit, `${digit}xx`] as const),
          ...listExactStatus(filters['status']),
        ])}
        {choice(
          'method',
          'Method',
          methods.map((method) => [method, method] as const),
        )}
        {choice(
          'account',
          'Account',
          (accounts ?? []).map(({ id, username }) => [String(id), username] as const),
        )}
        {choice('by', 'Sent by', Object.entries(senders))}
        {choice(
          'worlds',
          'Worlds',
          [
            ['all', 'All worlds'],
            [`is:${mainWorld}`, 'World main'],
            ...worlds.map(({ id }) => [`is:${id}`, `World ${id}`] as const),
          ],
          'This world',
        )}
        {choice('route', 'Route', [
          ['null', 'none'],
          ...routes.map((route) => [route, route] as const),
        ])}
        {search('path', 'Path', 'Part of a path')}
        {search('text', 'Text', 'Text in a body')}
      </div>
    </details>
  )
}

/** Shows an option for an exact status, such as 429, to which search results link. */
function listExactStatus(status: string | undefined): readonly (readonly [string, string])[] {
  return status?.length === 3 ? [[status, status]] : []
}

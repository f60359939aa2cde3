import { useShared } from '../shared/hooks.ts'
import { useRoutes } from '../shared/routes.ts'

/** The filters of the journal, by the names that its address has. */
type Filters = Readonly<Record<string, string>>

interface FiltersProps {
  filters: Filters
  onChange: (change: Record<string, string>) => void
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const labels: Readonly<Record<string, string>> = { path: 'Path', text: 'Text' }
const askers = {
  client: 'clients',
  story: 'the story',
  console: 'the console',
  docs: 'the documents',
}

/** Converts the filters to the query of the control plane. */
export function toQuery({
  status,
  method,
  path,
  route,
  account,
  by,
  text,
}: Filters): Record<string, string | undefined> {
  const given = { status_class: status, method, path, route, account, asked_by: by, contains: text }
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value === '' ? undefined : value]),
  )
}

/** Chooses which requests are shown. */
export function JournalFilters({ filters, onChange }: FiltersProps) {
  const accounts = useShared((state) => state.about?.accounts)
  const routes = useRoutes()
  // The first option names the choice. Labels would take two more lines.
  const choice = (name: string, label: string, options: readonly (readonly [string, string])[]) => (
    <select
      class="grow"
      aria-label={label}
      value={filters[name] ?? ''}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    >
      <option value="">{label}</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
  const search = (name: string, hint: string) => (
    <input
      class="grow"
      type="search"
      aria-label={labels[name]}
      placeholder={hint}
      value={filters[name] ?? ''}
      onInput={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  )
  const isWide = !matchMedia('(max-width: 40rem)').matches
  return (
    <details class="filters" open={isWide}>
      <summary>Filters</summary>
      <div class="row" role="search">
        {choice(
          'status',
          'Status',
          ['2', '3', '4', '5'].map((digit) => [digit, `${digit}xx`] as const),
        )}
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
        {choice('by', 'Sent by', Object.entries(askers))}
        {choice('worlds', 'This world', [['all', 'All worlds']])}
        {choice('route', 'Route', [
          ['null', 'none'],
          ...routes.map((route) => [route, route] as const),
        ])}
      </div>
      <div class="row">
        {search('path', 'Part of a path')}
        {search('text', 'Text in paths and bodies')}
      </div>
    </details>
  )
}

import { useState } from 'preact/hooks'
import { toCount, toNumber } from './format.ts'
import { useLoad, useShared, useStore } from './hooks.ts'
import { Panel } from './panel.tsx'
import type { DataPage } from './types.ts'

const pageSize = 50
/** How often the counts are loaded again, ms. */
const followMs = 2_000

/** The records behind the API. */
export function TablesPanel() {
  const { api } = useStore()
  const happened = useShared((state) => state.happenings[0]?.id ?? 0)
  const [name, setName] = useState('posts')
  const [field, setField] = useState('')
  const [value, setValue] = useState('')
  const [offset, setOffset] = useState(0)
  const [turn, setTurn] = useState(0)
  const { data: counts } = useLoad(() => api.get<{ tables: Record<string, number> }>('data'), `${happened} ${turn}`, followMs)
  // A filter reads every record, so a filtered page is not loaded again with every happening.
  const isFiltered = field !== '' && value !== ''
  const { data: page, error } = useLoad(
    async () => ({
      name,
      ...(await api.get<DataPage>(`data/${name}`, { limit: pageSize, offset, ...(isFiltered ? { [field]: value } : {}) })),
    }),
    JSON.stringify([name, offset, isFiltered && [field, value], isFiltered || happened, turn]),
    isFiltered ? 300 : 200,
  )
  const items = page?.name === name ? (page.items as readonly Record<string, unknown>[]) : []
  const fields = useFields(name, items)
  const choose = (table: string) => {
    setName(table)
    setField('')
    setValue('')
    setOffset(0)
  }
  return (
    <Panel
      title="Data"
      wide
      aside={
        <span class="help">{page === undefined ? '' : isFiltered ? `${toNumber(page.total)} match` : toCount(page.total, 'record')}</span>
      }
    >
      <div class="row filters" role="search">
        <label class="inline">
          Table{' '}
          <select value={name} onChange={(event) => choose(event.currentTarget.value)}>
            {Object.entries(counts?.tables ?? { [name]: 0 }).map(([table, count]) => (
              <option key={table} value={table}>
                {table} ({toNumber(count)})
              </option>
            ))}
          </select>
        </label>
        <label class="inline">
          Field{' '}
          <select value={field} onChange={(event) => setField(event.currentTarget.value)}>
            <option value="">no filter</option>
            {fields.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <label class="inline">
          is{' '}
          <input
            type="search"
            value={value}
            placeholder="the exact value"
            onInput={(event) => {
              setValue(event.currentTarget.value)
              setOffset(0)
            }}
          />
        </label>
        <button type="button" onClick={() => setTurn(turn + 1)}>
          Refresh
        </button>
      </div>
      {error !== undefined && <p class="error">{error}</p>}
      <Records name={name} fields={fields} items={items} />
      <div class="row pager">
        <button type="button" disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - pageSize))}>
          Previous
        </button>
        <button type="button" disabled={offset + pageSize >= (page?.total ?? 0)} onClick={() => setOffset(offset + pageSize)}>
          Next
        </button>
        {items.length > 0 && (
          <span class="help">
            {toNumber(offset + 1)} to {toNumber(offset + items.length)}
          </span>
        )}
      </div>
    </Panel>
  )
}

function Records({ name, fields, items }: { name: string; fields: readonly string[]; items: readonly Record<string, unknown>[] }) {
  if (items.length === 0) return <p class="help">There is none.</p>
  return (
    <div class="scrolls tall" role="region" aria-label={`Records of ${name}`} tabIndex={0}>
      <table class="records">
        <thead>
          <tr>
            {fields.map((field) => (
              <th key={field} scope="col">
                {field}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={String(item['id'])}>
              {fields.map((field) => (
                <td key={field} title={toText(item[field])}>
                  {toText(item[field])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The fields of a table, even while no record passes the filter. */
function useFields(name: string, items: readonly Record<string, unknown>[]): readonly string[] {
  const [known, setKnown] = useState<Readonly<Record<string, readonly string[]>>>({})
  const fields = Object.keys(items[0] ?? {})
  if (fields.length > 0 && known[name]?.length !== fields.length) setKnown({ ...known, [name]: fields })
  return known[name] ?? fields
}

function toText(value: unknown): string {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return String(value ?? 'null')
}

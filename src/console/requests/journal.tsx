import { useEffect, useState } from 'preact/hooks'
import { download } from '../shared/copies.ts'
import { toCount, toNumber } from '../shared/format.ts'
import { useDeed, useLoad, useShared, useStore } from '../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { showPlace } from '../shared/place.ts'
import type { Place } from '../shared/place.ts'
import { Problem } from '../shared/problem.tsx'
import type { Row } from '../shared/types.ts'
import { EntryView } from './entry.tsx'
import { JournalFilters, toQuery } from './journal-filters.tsx'
import { JournalRows } from './journal-rows.tsx'

/** The number of requests on a page of the list. No more are in memory. */
const pageSize = 100

const none: { rows: readonly Row[]; upTo: number } = { rows: [], upTo: 0 }

/**
 * The journal: the requests of clients, their answers, and the reasons of refusals. Its address has
 * the filters and what is open.
 */
export function JournalPanel({ place: { item, filters = {} } }: { place: Place }) {
  const store = useStore()
  const { api } = store
  const { error: refusal, run } = useDeed()
  const total = useShared((state) => state.requests.total)
  /** The rows stay where they are until somebody asks for the new ones. */
  const [turn, setTurn] = useState(0)
  const { before, ...others } = filters
  const query = { ...toQuery(others), before, brief: 'true', limit: pageSize }
  const { data: { rows, upTo } = none, error } = useLoad(
    async () => {
      const known = store.get().requests.total
      const found = await api.get<Row[]>('requests', query)
      return { rows: found, upTo: Math.max(known, found[0]?.id ?? 0) }
    },
    JSON.stringify([query, turn]),
  )
  const showNew = () => setTurn((last) => last + 1)
  // An empty list, and one of an emptied journal, has no row that could move.
  useEffect(() => {
    if (total < upTo || (rows.length === 0 && total > upTo)) showNew()
  }, [total])
  const mark = Number(filters['after'] ?? 0)
  const shown = rows.filter(({ id }) => id > mark)
  const news = before === undefined ? Math.max(0, total - upTo) : 0
  const last = rows.at(-1)?.id
  const show = (change: Record<string, string>, open = item) =>
    showPlace(
      { view: 'requests', item: open, filters: { ...filters, ...change } },
      { replace: open === item },
    )
  const exportHar = () =>
    run(async () => {
      const har = await api.get<object>('requests', { ...toQuery(others), format: 'har' })
      download('requests.har', JSON.stringify(har, null, 2))
    })
  const filter = (change: Record<string, string>) => show({ before: '', ...change })
  return (
    <div class="split">
      <Panel
        title="Journal"
        aside={
          <div class="row">
            <span class="help">{toCount(total, 'request')} in all</span>
            <button type="button" onClick={exportHar}>
              Export as HAR
            </button>
            <button type="button" onClick={() => filter({ after: String(total) })}>
              Clear
            </button>
            <button
              type="button"
              onClick={() => run(() => api.send('DELETE', 'requests').then(showNew))}
            >
              Empty
            </button>
          </div>
        }
      >
        <JournalFilters filters={filters} onChange={filter} />
        <Problem text={refusal ?? error} />
        <p class="news">
          <button type="button" disabled={news === 0} onClick={showNew}>
            {news === 0 ? 'None new' : `${toNumber(news)} new`}
          </button>
          {mark > 0 && (
            <button type="button" class="plain" onClick={() => show({ after: '' })}>
              Cleared up to request {toNumber(mark)}: show the earlier ones
            </button>
          )}
        </p>
        <JournalRows
          rows={shown}
          selected={item === undefined ? undefined : Number(item)}
          onSelect={(id) => show({}, String(id))}
        />
        <div class="row pager">
          <button
            type="button"
            disabled={before === undefined}
            onClick={() => show({ before: '' })}
          >
            Newest
          </button>
          <button
            type="button"
            disabled={rows.length < pageSize || last === undefined || last <= 1}
            onClick={() => show({ before: String(last) })}
          >
            Older
          </button>
          {shown.length > 0 && (
            <span class="help">
              {toNumber(shown[0]?.id ?? 0)} to {toNumber(shown.at(-1)?.id ?? 0)}
            </span>
          )}
        </div>
      </Panel>
      {item === undefined ? (
        <Panel title="One request">
          <p class="help">
            Choose one from the list: what was sent, what was answered, and why it was refused.
          </p>
        </Panel>
      ) : (
        <EntryView key={item} id={Number(item)} />
      )}
    </div>
  )
}

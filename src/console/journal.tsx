import { useEffect, useState } from 'preact/hooks'
import { EntryView } from './entry.tsx'
import { toCount, toNumber } from './format.ts'
import { useDeed, useLoad, useShared, useStore } from './hooks.ts'
import { JournalFilters, toQuery } from './journal-filters.tsx'
import { JournalRows } from './journal-rows.tsx'
import { Panel } from './panel.tsx'
import { showPlace } from './place.ts'
import type { Place } from './place.ts'
import type { Row } from './types.ts'

/** The number of requests on a page of the list. No more are in memory. */
const pageSize = 100

/** The journal: the requests of clients, their answers, and the reasons of refusals. Its address has the filters and what is open. */
export function JournalPanel({ place: { item, filters = {} } }: { place: Place }) {
  const { api } = useStore()
  const { error: refusal, run } = useDeed()
  const total = useShared((state) => state.requests.total)
  /** The rows stay where they are until somebody asks for the new ones. */
  const [seen, setSeen] = useState(total)
  // An empty list, or one of an emptied journal, has no row that could move.
  useEffect(() => {
    if (seen === 0 || total < seen) setSeen(total)
  }, [total])
  const { before, ...others } = filters
  const query = { ...toQuery(others), before, brief: 'true', limit: pageSize }
  const { data: rows = [], error } = useLoad(() => api.get<Row[]>('requests', query), JSON.stringify([query, seen]))
  const mark = Number(filters['after'] ?? 0)
  const shown = rows.filter(({ id }) => id > mark)
  const news = before === undefined ? Math.max(0, total - seen) : 0
  const last = rows.at(-1)?.id
  const show = (change: Record<string, string>, open = item) =>
    showPlace({ view: 'requests', item: open, filters: { ...filters, ...change } }, { replace: open === item })
  const filter = (change: Record<string, string>) => {
    setSeen(total)
    show({ before: '', ...change })
  }
  return (
    <div class="split">
      <Panel title="Journal" aside={<span class="help">{toCount(total, 'request')} in all</span>}>
        <JournalFilters
          filters={filters}
          total={total}
          onChange={filter}
          onEmpty={() => run(() => api.send('DELETE', 'requests').then(() => setSeen(0)))}
        />
        {(refusal ?? error) !== undefined && <p class="error">{refusal ?? error}</p>}
        <p class="news">
          <button type="button" disabled={news === 0} onClick={() => setSeen(total)}>
            {news === 0 ? 'None new' : `${toNumber(news)} new`}
          </button>
          {mark > 0 && (
            <button type="button" class="plain" onClick={() => show({ after: '' })}>
              Cleared up to request {toNumber(mark)}: show the earlier ones
            </button>
          )}
        </p>
        <JournalRows rows={shown} selected={item === undefined ? undefined : Number(item)} onSelect={(id) => show({}, String(id))} />
        <div class="row pager">
          <button type="button" disabled={before === undefined} onClick={() => show({ before: '' })}>
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
          <p class="help">Choose one from the list: what was sent, what was answered, and why it was refused.</p>
        </Panel>
      ) : (
        <EntryView key={item} id={Number(item)} />
      )}
    </div>
  )
}

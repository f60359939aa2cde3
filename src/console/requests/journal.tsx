import { useEffect, useState } from 'preact/hooks'
import { download } from '../shared/copies.ts'
import { ConfirmButton } from '../shared/confirm.tsx'
import { toCount, toNumber } from '../shared/format.ts'
import { useDeed, useLoad, useShared, useStore } from '../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { showPlace } from '../shared/place.ts'
import type { Place } from '../shared/place.ts'
import { Problem } from '../shared/problem.tsx'
import type { WorldRow } from '../shared/types.ts'
import { EntryView } from './entry.tsx'
import { JournalFilters, toQuery } from './journal-filters.tsx'
import { JournalRows } from './journal-rows.tsx'
import { useFindings } from './findings.ts'

/** The number of requests on a page of the list. No more are in memory. */
const pageSize = 100
/** How often the list of all worlds is loaded again, ms. */
const allWorldsMs = 2_000

const none: { rows: readonly WorldRow[]; upTo: number } = { rows: [], upTo: 0 }

/**
 * The journal: the requests of clients, their answers, and the reasons of refusals. The filters and
 * the open request are in the address.
 */
export function JournalPanel({ place: { item, filters = {} } }: { place: Place }) {
  const store = useStore()
  const { api } = store
  const { error: refusal, run } = useDeed()
  const { total, timesEmptied } = useShared((state) => state.requests)
  /** The rows do not move until the user asks for new ones. */
  const [turn, setTurn] = useState(0)
  const showNew = () => setTurn((last) => last + 1)
  const { before, since = '', worlds, made, ...others } = filters
  const isOfAll = worlds === 'all'
  useEffect(() => {
    if (!isOfAll) return undefined
    const timer = setInterval(showNew, allWorldsMs)
    return () => clearInterval(timer)
  }, [isOfAll])
  const query = { ...toQuery(others), before, brief: 'true', limit: pageSize }
  const { data: { rows, upTo } = none, error } = useLoad(
    async () => {
      const known = store.get().requests.total
      const found = isOfAll
        ? await api.get<WorldRow[]>('requests', { ...query, all_worlds: 'true', world: undefined })
        : await api.get<WorldRow[]>('requests', query)
      return { rows: found, upTo: Math.max(known, found[0]?.id ?? 0) }
    },
    JSON.stringify([query, isOfAll, turn, timesEmptied]),
  )
  // No row can move in an empty list.
  useEffect(() => {
    if (rows.length === 0 && total > upTo) showNew()
  }, [total])
  const findings = useFindings(rows, before === undefined && !isOfAll)
  // Real time only grows, while ids start again after a reset.
  const shown = rows.filter(({ real_at: at, at: then }) => since === '' || (at ?? then) > since)
  const news = before === undefined && !isOfAll ? Math.max(0, total - upTo) : 0
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
    <div class={item === undefined ? 'split whole' : 'split'}>
      <Panel
        title="Journal"
        aside={
          <div class="row">
            <span class="help">{toCount(total, 'request')} in all</span>
            <button type="button" onClick={exportHar}>
              Export as HAR
            </button>
            <button
              type="button"
              onClick={() => filter({ since: rows[0]?.real_at ?? rows[0]?.at ?? '' })}
            >
              Hide older
            </button>
            <ConfirmButton
              label="Delete all"
              name="Delete all requests"
              question={`Delete ${toCount(total, 'request')} from the journal? This cannot be undone.`}
              onConfirm={() => run(() => api.send('DELETE', 'requests').then(showNew))}
            />
          </div>
        }
      >
        <JournalFilters filters={filters} onChange={filter} />
        <Problem text={refusal ?? error} />
        <p class="news">
          <button type="button" disabled={news === 0} onClick={showNew}>
            {news === 0 ? 'No new requests' : `${toNumber(news)} new`}
          </button>
          {since !== '' && (
            <button type="button" class="plain" onClick={() => show({ since: '' })}>
              Older requests are hidden. Show them
            </button>
          )}
        </p>
        <JournalRows
          rows={shown}
          findings={findings}
          hasWorlds={isOfAll}
          selected={item === undefined ? undefined : Number(item)}
          onSelect={({ id, real_at: at, at: then, world }) => {
            if (isOfAll && (world ?? undefined) !== worldName()) return openIn(world, id)
            return show({ made: at ?? then }, String(id))
          }}
        />
        {!isOfAll && (
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
        )}
      </Panel>
      {item !== undefined && (
        <EntryView
          key={`${item} ${made}`}
          id={Number(item)}
          made={made}
          onClose={() => showPlace({ view: 'requests', filters: { ...filters, made: '' } })}
        />
      )}
    </div>
  )
}

function worldName(): string | undefined {
  return new URLSearchParams(location.search).get('world') ?? undefined
}

/** Opens a request in the page of its world. */
function openIn(world: string | null, id: number): void {
  const query = world === null ? '' : `?world=${encodeURIComponent(world)}`
  location.href = `./${query}#requests/${id}`
}

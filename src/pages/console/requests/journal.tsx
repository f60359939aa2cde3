import { ErrorMessage } from '../forms/error-message.tsx'
import { useEffect } from 'preact/hooks'
import { downloadText } from '../shared/request-export.ts'
import { toWorldUrl, getPageWorld } from '../../shared/api.ts'
import type { Api } from '../../shared/api.ts'
import { ConfirmButton } from '../forms/confirm.tsx'
import { formatCount, formatNumber } from '../../shared/format.ts'
import { useCommandRunner, useLoadedData, useStoreState, useStore } from '../../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { Sheet } from '../shared/sheet.tsx'
import { readPlace, navigateTo, toHash } from '../shared/place.ts'
import type { Place } from '../shared/place.ts'
import type { RequestCounts, Row, WorldRow } from '../../shared/types.ts'
import { RequestView } from './request-view.tsx'
import { JournalFilters, mainWorld, toControlQuery } from './journal-filters.tsx'
import { JournalRows } from './journal-rows.tsx'
import { describeRequests, RequestCount } from '../shared/first-request.tsx'
import { useFindings } from './findings.ts'

/** Maximum number of listed requests. */
const pageSize = 100
/** Minimum interval between updates, ms. */
const allWorldsMs = 2_000

/** The loaded requests, and the id above which requests count as new. */
interface Page {
  rows: readonly WorldRow[]
  /** Id of this world's last request. */
  upTo: number
}

const none: Page = { rows: [], upTo: 0 }

/**
 * Shows the journal as a list, with at most one open request. The URL contains the filters and the
 * open request.
 */
export function JournalPanel({ place: { item, filters = {} } }: { place: Place }) {
  const store = useStore()
  const { api } = store
  const { error: commandError, run } = useCommandRunner()
  const { total, kept, timesEmptied } = useStoreState((state) => state.requests)
  const { before, since = '', worlds, made, tab, from, ...others } = filters
  const isOfAll = worlds !== undefined && worlds !== ''
  const here = getPageWorld() ?? null
  // A list of only one other world: its requests are the ones to delete.
  const listedWorld = isOfAll && worlds !== 'all' ? toWorld(worlds) : here
  const query = { ...toControlQuery(others), before, brief: 'true', limit: pageSize }
  // New rows are shown only on request, so that the list does not move.
  const {
    data: page = none,
    error,
    reload,
  } = useLoadedData(
    async () => {
      const known = store.get().requests.total
      const found = isOfAll
        ? await readWorlds(api, worlds, query)
        : await api.get<WorldRow[]>('requests', query)
      return { rows: found, upTo: Math.max(known, found[0]?.id ?? 0) }
    },
    JSON.stringify([query, worlds, timesEmptied]),
  )
  const { rows, upTo } = page
  const { data: latest = rows, reload: readLatest } = useLoadedData(
    async () => (isOfAll ? readWorlds(api, worlds, query) : []),
    JSON.stringify([query, worlds, timesEmptied]),
  )
  // The event stream contains only this world's requests.
  useEffect(() => {
    if (!isOfAll) return undefined
    const timer = setInterval(readLatest, allWorldsMs)
    return () => clearInterval(timer)
  }, [isOfAll])
  // An empty list is filled immediately, because it has no rows that could move.
  useEffect(() => {
    if (rows.length === 0 && (isOfAll ? latest.length > 0 : total > upTo)) reload()
  }, [total, latest])
  const findings = useFindings(rows, { isNewest: before === undefined, hasWorlds: isOfAll })
  // Compares by real time, because ids are reused after a reset.
  const shown = rows.filter(({ real_at: at, at: then }) => since === '' || (at ?? then) > since)
  const shownKeys = new Set(rows.map(toRowKey))
  const news = isOfAll
    ? latest.filter((row) => !shownKeys.has(toRowKey(row))).length
    : before === undefined
      ? Math.max(0, total - upTo)
      : 0
  const last = rows.at(-1)?.id
  const show = (change: Record<string, string>, open = item) =>
    navigateTo(
      { view: 'requests', item: open, filters: { ...filters, ...change } },
      { replace: open === item },
    )
  const exportHar = () =>
    run(async () => {
      const har = await api.get<object>('requests', { ...toControlQuery(others), format: 'har' })
      downloadText('requests.har', JSON.stringify(har, null, 2))
      store.showToast(
        isFilled(others)
          ? 'Exported the requests that match.'
          : `Exported ${describeRequests({ total, kept })}.`,
      )
    })
  const filter = (change: Record<string, string>) => show({ before: '', ...change })
  const close = () => {
    const list: Place = { view: 'requests', filters: { ...filters, made: '', tab: '', from: '' } }
    const origin = from === undefined || from === '' ? here : toWorld(from)
    if (origin === here) navigateTo(list)
    // The request was opened from a list in another world.
    else location.href = toWorldUrl(origin, toHash(list))
  }
  const select = ({ id, real_at: at, at: then, world }: WorldRow) => {
    const change = { made: at ?? then }
    if (!isOfAll || world === here) {
      show(change, String(id))
      return
    }
    // The link opens the same list in the other world, and Close returns to this world.
    const origin = from === undefined || from === '' ? here : toWorld(from)
    const place: Place = {
      view: 'requests',
      item: String(id),
      filters: { ...filters, ...change, from: origin === world ? '' : (origin ?? mainWorld) },
    }
    location.href = toWorldUrl(world, toHash(place))
  }
  const index = shown.findIndex(
    ({ id, world = null }) => String(id) === item && (!isOfAll || world === here),
  )
  const neighbour = (label: string, key: string, row: WorldRow | undefined) => (
    <button
      type="button"
      class="ghost"
      aria-label={label}
      aria-keyshortcuts={key}
      title={`${label} (${key === 'ArrowUp' ? '↑' : '↓'})`}
      disabled={row === undefined}
      onClick={() => row !== undefined && select(row)}
    >
      {key === 'ArrowUp' ? '↑' : '↓'}
    </button>
  )
  return (
    <div class={item === undefined ? 'split whole' : 'split'}>
      <Panel
        title="Journal"
        className="journal"
        aside={
          <div class="row">
            {isOfAll ? (
              <span class="help">{describeListed(latest.length, worlds)}</span>
            ) : (
              <RequestCount />
            )}
            <button type="button" class="news" disabled={news === 0} onClick={reload}>
              {news === 0
                ? 'No new requests'
                : `${formatNumber(news)}${news === pageSize ? ' or more' : ''} new`}
            </button>
            <button type="button" class="ghost" onClick={exportHar}>
              Export as HAR
            </button>
            <button
              type="button"
              class="ghost"
              onClick={() => filter({ since: rows[0]?.real_at ?? rows[0]?.at ?? '' })}
            >
              Hide older
            </button>
          </div>
        }
      >
        <JournalFilters filters={filters} onChange={filter} />
        <ErrorMessage text={commandError ?? error} />
        {since !== '' && (
          <button type="button" class="plain" onClick={() => show({ since: '' })}>
            Older requests are hidden. Show them
          </button>
        )}
        <JournalRows
          rows={shown}
          emptyText={describeEmpty({ total, kept }, { isOfAll, before, others })}
          findings={findings}
          hasWorlds={isOfAll}
          selected={item === undefined ? undefined : Number(item)}
          onSelect={select}
        />
        {/* The commands below the list appear with it, because rows would move them. */}
        <div class="row pager" hidden={page === none}>
          {!isOfAll && (
            <>
              <button
                type="button"
                disabled={before === undefined}
                onClick={() => show({ before: '' })}
              >
                Newest
              </button>
              <button
                type="button"
                disabled={rows.length < pageSize || last === undefined || last <= total - kept + 1}
                onClick={() => show({ before: String(last) })}
              >
                Older
              </button>
              {shown.length > 0 && (
                <span class="help">
                  Requests {formatNumber(shown.at(-1)?.id ?? 0)} to{' '}
                  {formatNumber(shown[0]?.id ?? 0)}
                </span>
              )}
            </>
          )}
          <ConfirmButton
            label={`Delete all requests of the world ${listedWorld ?? 'main'}`}
            className="apart danger"
            question={`Delete ${listedWorld === here ? describeRequests({ total, kept }) : 'all requests'} of the world ${listedWorld ?? 'main'} from the journal? This cannot be undone.`}
            isDisabled={listedWorld === here && total === 0}
            onConfirm={() =>
              run(async () => {
                const world = listedWorld ?? undefined
                await api.send('DELETE', 'requests', undefined, { world })
                reload()
                readLatest()
              })
            }
          />
        </div>
      </Panel>
      {item !== undefined && (
        <Sheet
          // In a list of several worlds, ids alone are ambiguous.
          title={
            `Request ${formatNumber(Number(item))}` +
            (isOfAll || here !== null ? ` of the world ${here ?? 'main'}` : '')
          }
          closeName="Close the request"
          commands={
            <>
              {neighbour('Newer request', 'ArrowUp', shown[index - 1])}
              {neighbour('Older request', 'ArrowDown', index < 0 ? undefined : shown[index + 1])}
            </>
          }
          onClose={close}
        >
          <RequestView
            key={item}
            id={Number(item)}
            made={made}
            tab={tab}
            onTab={(next) => show({ tab: next })}
            onSent={(sent) => {
              reload()
              show({ made: '' }, String(sent))
            }}
            onLoad={(loaded) => {
              // The user may have closed this request while it was loading.
              const open = readPlace(location.hash)
              if (open.view === 'requests' && open.item === item) show({ made: loaded })
            }}
          />
        </Sheet>
      )}
    </div>
  )
}

/**
 * Reads the requests of all worlds, or only of the world selected by a filter such as `is:mine`.
 */
async function readWorlds(
  api: Api,
  worlds: string,
  query: Readonly<Record<string, string | number | undefined>>,
): Promise<readonly WorldRow[]> {
  if (worlds === 'all')
    return api.get<WorldRow[]>('requests', { ...query, all_worlds: 'true', world: undefined })
  const world = toWorld(worlds)
  const rows = await api.get<Row[]>('requests', { ...query, world: world ?? undefined })
  return rows.map((row) => ({ ...row, world }))
}

/** Returns the world that a filter value such as `is:mine` selects, or null for the main world. */
function toWorld(value: string): string | null {
  const name = value.replace(/^is:/, '')
  return name === mainWorld ? null : name
}

/** Describes a list of several worlds, which contains only their newest requests. */
function describeListed(count: number, worlds: string): string {
  const place = worlds === 'all' ? 'all worlds' : `the world ${worlds.replace(/^is:~?/, '')}`
  const shown =
    count === pageSize ? `The newest ${pageSize} requests` : formatCount(count, 'request')
  return `${shown} of ${place}`
}

/** Says why no request is listed. Undefined if there are no requests yet. */
function describeEmpty(
  counts: RequestCounts,
  {
    isOfAll,
    before,
    others,
  }: { isOfAll: boolean; before: string | undefined; others: Readonly<Record<string, string>> },
): string | undefined {
  if (!isOfAll && counts.total === 0) return undefined
  const isDropped = counts.kept < counts.total && Number(before) <= counts.total - counts.kept + 1
  if (!isDropped || isFilled(others)) return 'No requests match.'
  return `The journal stores only ${describeRequests(counts)}.`
}

/** True if a filter has a value. */
function isFilled(filters: Readonly<Record<string, string>>): boolean {
  return Object.values(filters).some((value) => value !== '')
}

function toRowKey({ world, id, real_at: realAt, at }: WorldRow): string {
  return `${world ?? ''} ${id} ${realAt ?? at}`
}

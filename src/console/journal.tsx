import { useState } from 'preact/hooks'
import { EntryView } from './entry.tsx'
import { toCount, toNumber, toTime } from './format.ts'
import { useLoad, useShared, useStore } from './hooks.ts'
import { Panel } from './panel.tsx'
import { Status } from './status.tsx'
import type { Row } from './types.ts'

/** The number of requests on a page of the list. No more are in memory. */
const pageSize = 100
/** How often the list follows new requests, ms. */
const followMs = 500

/** The journal: the requests of clients, their answers, and the reasons of refusals. */
export function JournalPanel() {
  const { api, attempt } = useStore()
  const total = useShared((state) => state.requests.total)
  const [digit, setDigit] = useState('')
  const [path, setPath] = useState('')
  const [isFollowing, setFollowing] = useState(true)
  /** The cursors of the pages on the way here; empty on the newest. */
  const [trail, setTrail] = useState<readonly number[]>([])
  const [selected, setSelected] = useState<number>()
  const before = trail.at(-1)
  const filter = { status_class: digit || undefined, path: path || undefined }
  const news = before === undefined && isFollowing ? total : ''
  const { data: rows = [], error } = useLoad(
    () => api.get<Row[]>('requests', { ...filter, before, brief: 'true', limit: pageSize }),
    JSON.stringify([filter, before, news]),
    before === undefined ? followMs : 0,
  )
  const last = rows.at(-1)?.id
  const hasOlder = rows.length === pageSize && last !== undefined && last > 1
  const change = (set: () => void) => {
    set()
    setTrail([])
  }
  return (
    <div class="split">
      <Panel title="Journal" aside={<span class="help">{toCount(total, 'request')} in all</span>}>
        <div class="row filters" role="search">
          <label class="inline">
            Status{' '}
            <select value={digit} onChange={(event) => change(() => setDigit(event.currentTarget.value))}>
              <option value="">all</option>
              {['2', '3', '4', '5'].map((each) => (
                <option key={each} value={each}>
                  {each}xx
                </option>
              ))}
            </select>
          </label>
          <label class="inline grow">
            Path{' '}
            <input
              class="grow"
              type="search"
              placeholder="a part of it"
              value={path}
              onInput={(event) => change(() => setPath(event.currentTarget.value))}
            />
          </label>
          <label class="inline">
            <input type="checkbox" checked={isFollowing} onChange={(event) => setFollowing(event.currentTarget.checked)} /> Follow
          </label>
          <button type="button" onClick={() => void attempt(() => api.send('DELETE', 'requests'))}>
            Empty
          </button>
        </div>
        {error !== undefined && <p class="error">{error}</p>}
        <Rows rows={rows} selected={selected} onSelect={setSelected} />
        <div class="row pager">
          <button type="button" disabled={trail.length === 0} onClick={() => setTrail([])}>
            Newest
          </button>
          <button type="button" disabled={trail.length === 0} onClick={() => setTrail(trail.slice(0, -1))}>
            Newer
          </button>
          <button type="button" disabled={!hasOlder} onClick={() => last !== undefined && setTrail([...trail, last])}>
            Older
          </button>
          {rows.length > 0 && (
            <span class="help">
              {toNumber(rows[0]?.id ?? 0)} to {toNumber(last ?? 0)}
            </span>
          )}
        </div>
      </Panel>
      {selected === undefined ? (
        <Panel title="One request">
          <p class="help">Choose one from the list: what was sent, what was answered, and why it was refused.</p>
        </Panel>
      ) : (
        <EntryView key={selected} id={selected} />
      )}
    </div>
  )
}

function Rows({ rows, selected, onSelect }: { rows: readonly Row[]; selected: number | undefined; onSelect: (id: number) => void }) {
  if (rows.length === 0) return <p class="help">There is none.</p>
  return (
    <div class="scrolls tall" role="region" aria-label="Requests, newest first" tabIndex={0} onKeyDown={moveFocus}>
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Status</th>
            <th scope="col">Request</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, at, method, path, status, error }) => (
            <tr key={id} class={id === selected ? 'selected' : ''}>
              <td class="unit">{toTime(at)}</td>
              <td>
                <Status status={status} />
              </td>
              <td>
                <button type="button" class="plain path" aria-pressed={id === selected} onClick={() => onSelect(id)}>
                  {method} {path}
                </button>
                {error !== null && <span class="reason">{error}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Moves the focus from request to request with the arrow keys. */
function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const index = buttons.findIndex((button) => button === document.activeElement)
  event.preventDefault()
  buttons[Math.max(0, Math.min(buttons.length - 1, index + step))]?.focus()
}

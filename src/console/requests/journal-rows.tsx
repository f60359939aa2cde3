import { toBytes, toMilliseconds, toTime } from '../shared/format.ts'
import { Status } from '../shared/status.tsx'
import type { Row } from '../shared/types.ts'

interface RowsProps {
  rows: readonly Row[]
  selected: number | undefined
  onSelect: (id: number) => void
}

/** Requests, one line each, the newest first. */
export function JournalRows({ rows, selected, onSelect }: RowsProps) {
  if (rows.length === 0) return <p class="help">There is none.</p>
  return (
    <div
      class="scrolls tall"
      role="region"
      aria-label="Requests, newest first"
      tabIndex={0}
      onKeyDown={moveFocus}
    >
      <table class="requests">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Status</th>
            <th scope="col">Request</th>
            <th scope="col">By</th>
            <th scope="col" class="number">
              Took
            </th>
            <th scope="col" class="number">
              Size
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(
            ({
              id,
              at,
              method,
              path,
              status,
              error,
              role,
              asked_by: asker,
              duration_ms: duration,
              bytes,
              fault,
            }) => (
              <tr key={id} class={id === selected ? 'selected' : ''}>
                <td class="unit">{toTime(at)}</td>
                <td>
                  <Status status={status} />
                </td>
                <td title={error === null ? path : `${path}: ${error}`}>
                  <div class="line">
                    <button
                      type="button"
                      class="plain path"
                      aria-pressed={id === selected}
                      onClick={() => onSelect(id)}
                    >
                      {method} {path}
                    </button>
                    {error !== null && (
                      <span class="reason">{fault === null ? error : `fault: ${error}`}</span>
                    )}
                  </div>
                </td>
                <td class="unit">{asker === 'client' ? (role ?? 'no key') : asker}</td>
                <td class="unit number">{duration === null ? '' : toMilliseconds(duration)}</td>
                <td class="unit number">{toBytes(bytes)}</td>
              </tr>
            ),
          )}
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

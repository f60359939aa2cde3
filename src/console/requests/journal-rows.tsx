import { WorldMark } from '../frame/world-menu.tsx'
import { apiAddress } from '../shared/copies.ts'
import { CopyButton } from '../shared/copy.tsx'
import { toBytes, toMilliseconds, toTime } from '../shared/format.ts'
import { useShared } from '../shared/hooks.ts'
import { Status } from '../shared/status.tsx'
import { Table } from '../shared/table.tsx'
import type { Row, WorldRow } from '../shared/types.ts'

interface RowsProps {
  rows: readonly WorldRow[]
  /** The findings of the audit by the id of their request. */
  findings: ReadonlyMap<number, readonly string[]>
  hasWorlds: boolean
  selected: number | undefined
  onSelect: (row: WorldRow) => void
}

/** Requests, one line each, the newest first. Repeated requests are one line. */
export function JournalRows({ rows, findings, hasWorlds, selected, onSelect }: RowsProps) {
  if (rows.length === 0) return <Empty />
  return (
    <Table
      label="Requests, newest first"
      className="requests"
      rows={groupRepeated(rows)}
      keyOf={({ row }) => `${row.world ?? ''} ${row.id}`}
      isSelected={({ row, count }) =>
        selected !== undefined && selected <= row.id && selected > row.id - count && !hasWorlds
      }
      columns={[
        {
          title: 'Time',
          className: 'unit time',
          cell: ({ row }) => <time dateTime={row.at}>{toTime(row.at)}</time>,
        },
        {
          title: 'Status',
          className: 'status',
          cell: ({ row }) => <Status status={row.status} />,
        },
        {
          title: 'Request',
          cell: ({ row, count }) => (
            <>
              <button
                type="button"
                class="plain path"
                aria-pressed={row.id === selected}
                onClick={() => onSelect(row)}
              >
                {row.method} {row.path}
              </button>
              {count > 1 && <span class="badge"> × {count}</span>}
              {row.error !== null && (
                <span class="reason">{row.fault === null ? row.error : `fault: ${row.error}`}</span>
              )}
              {(hasWorlds ? [] : (findings.get(row.id) ?? [])).map((text) => (
                <span key={text} class="badge warn finding">
                  {text}
                </span>
              ))}
            </>
          ),
        },
        ...(hasWorlds
          ? [
              {
                title: 'World',
                className: 'world',
                cell: ({ row }: Group) => <WorldMark world={row.world} />,
              },
            ]
          : []),
        { title: 'By', className: 'unit by extra', cell: ({ row }) => callerOf(row) },
        {
          title: 'Took',
          className: 'unit number took extra',
          cell: ({ row }) => (row.duration_ms === null ? '' : toMilliseconds(row.duration_ms)),
        },
        {
          title: 'Size',
          className: 'unit number size extra',
          cell: ({ row }) => toBytes(row.bytes),
        },
      ]}
    />
  )
}

/** The role of the client, or the page that sent the request. */
function callerOf({ asked_by: asker, role, key }: Row): string {
  if (asker !== 'client') return asker
  return role ?? (key === null ? 'no key' : 'unknown key')
}

/** A row with the number of its repetitions. */
interface Group {
  row: WorldRow
  count: number
}

function groupRepeated(rows: readonly WorldRow[]): readonly Group[] {
  const groups: Group[] = []
  for (const row of rows) {
    const last = groups.at(-1)
    if (last !== undefined && signatureOf(last.row) === signatureOf(row)) last.count += 1
    else groups.push({ row, count: 1 })
  }
  return groups
}

function signatureOf({ method, path, status, error, asked_by: asker, key, world }: WorldRow) {
  return JSON.stringify([method, path, status, error, asker, key, world ?? null])
}

/** Advice for an empty list. */
function Empty() {
  const key = useShared((state) => state.about?.keys[0]?.key) ?? 'KEY'
  const line = `curl -H 'Authorization: Bearer ${key}' ${apiAddress()}/v1/accounts`
  return (
    <div class="empty">
      <p>No requests match. Point your client at {apiAddress()}, or paste this line:</p>
      <p class="row">
        <code class="grow">{line}</code> <CopyButton text={line} what="the curl line" />
      </p>
    </div>
  )
}

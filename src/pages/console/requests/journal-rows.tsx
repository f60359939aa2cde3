import { WorldBadge } from '../frame/world-menu.tsx'
import { useState } from 'preact/hooks'
import { getPageWorld } from '../../shared/api.ts'
import { FirstRequest, groupRepeated } from '../shared/first-request.tsx'
import { formatBytes, formatMilliseconds, formatTime } from '../../shared/format.ts'
import type { RepeatedRows } from '../shared/first-request.tsx'
import { StatusCode } from '../../shared/status-code.tsx'
import { Table } from '../shared/table.tsx'
import type { Row, WorldRow } from '../../shared/types.ts'
import { getBadges } from './findings.ts'
import type { FindingsByRequest } from './findings.ts'

interface RowsProps {
  rows: readonly WorldRow[]
  /** Says why no request is listed. Undefined if there are no requests yet. */
  emptyText: string | undefined
  findings: FindingsByRequest
  hasWorlds: boolean
  selected: number | undefined
  onSelect: (row: WorldRow) => void
}

/** Lists the requests, one per line, newest first. Repeated requests share a line. */
export function JournalRows({
  rows,
  emptyText,
  findings,
  hasWorlds,
  selected,
  onSelect,
}: RowsProps) {
  const current = getPageWorld() ?? null
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  if (rows.length === 0)
    return emptyText === undefined ? (
      <FirstRequest title="No requests yet." />
    ) : (
      <p class="empty">{emptyText}</p>
    )
  const groups = groupRepeated(rows).flatMap((group) =>
    opened.has(toRowKey(group)) ? group.all.map((row): Group => ({ row, all: [row] })) : group,
  )
  return (
    <Table
      label="Requests, newest first"
      className={hasWorlds ? 'requests of-worlds' : 'requests'}
      rows={groups}
      keyOf={toRowKey}
      onOpen={({ row }) => onSelect(row)}
      isSelected={({ all }) =>
        all.some(({ id, world = null }) => id === selected && (!hasWorlds || world === current))
      }
      columns={[
        {
          title: 'Time',
          className: 'unit time',
          cell: ({ row }) => <time dateTime={row.at}>{formatTime(row.at)}</time>,
        },
        {
          title: 'Status',
          className: 'status',
          cell: ({ row }) => <StatusCode status={row.status} />,
        },
        {
          title: 'Request',
          cell: (group) => {
            const { row, all } = group
            return (
              <>
                <button
                  type="button"
                  class="plain path clamp"
                  title={row.path}
                  aria-pressed={row.id === selected}
                  onClick={() => onSelect(row)}
                >
                  {row.method} {row.path}
                </button>
                {all.length > 1 && (
                  <button
                    type="button"
                    class="small badge"
                    aria-label={`Show all ${all.length} requests ${row.method} ${row.path}`}
                    title="Show each of them"
                    onClick={() => setOpened(new Set([...opened, toRowKey(group)]))}
                  >
                    × {all.length}
                  </button>
                )}
                {row.error !== null && (
                  <span class="reason">
                    {row.fault === null ? row.error : `fault: ${row.error}`}
                  </span>
                )}
                {getBadges(row, findings).map((text) => (
                  <span key={text} class="badge warn finding">
                    {text}
                  </span>
                ))}
              </>
            )
          },
        },
        ...(hasWorlds
          ? [
              {
                title: 'World',
                className: 'world',
                cell: ({ row }: Group) => <WorldBadge world={row.world} />,
              },
            ]
          : []),
        { title: 'By', className: 'unit by extra', cell: ({ row }) => getCallerName(row) },
        {
          title: 'Took',
          className: 'unit number took extra',
          cell: ({ row }) => (row.duration_ms === null ? '' : formatMilliseconds(row.duration_ms)),
        },
        {
          title: 'Size',
          className: 'unit number size extra',
          cell: ({ row }) => formatBytes(row.bytes),
        },
      ]}
    />
  )
}

/** Returns the client's role, or the page that sent the request. */
function getCallerName({ asked_by: sender, role }: Row): string {
  if (sender !== 'client') return sender
  return role ?? 'client'
}

type Group = RepeatedRows<WorldRow>

function toRowKey({ row }: Group): string {
  return `${row.world ?? ''} ${row.id}`
}

import { Gauge } from '../overview/gauges.tsx'
import { formatCount, formatNumber, formatPercent } from '../../shared/format.ts'
import { Panel } from '../shared/panel.tsx'
import { Table } from '../shared/table.tsx'
import type { Audit } from '../../shared/types.ts'

const columns = {
  credits: 'Credits',
  requests: 'Requests',
  bytes: 'Bytes',
  pages: 'Pages',
} as const
const names = Object.keys(columns) as (keyof typeof columns)[]

/** Shows the cost by route, and the peak use of a rate limit. */
export function CostPanel({ cost: { routes, peak, ...sums } }: { cost: Audit['cost'] }) {
  return (
    <Panel title="Cost">
      <PeakWindow label="Fullest minute" requests={peak.minute} share={peak.minuteShare} />
      <PeakWindow label="Fullest day" requests={peak.day} share={peak.dayShare} />
      <Table
        label="Cost by route"
        className="costs"
        rows={[['All', sums] as const, ...Object.entries(routes)]}
        keyOf={([route]) => route}
        columns={[
          { title: 'Route', className: 'path', cell: ([route]) => route },
          ...names.map((name) => ({
            title: columns[name],
            className: 'number',
            cell: ([, spent]: readonly [string, Readonly<Record<typeof name, number>>]) =>
              formatNumber(spent[name]),
          })),
        ]}
      />
    </Panel>
  )
}

/** Shows the rate window with the most requests, with a gauge for the used share of its limit. */
function PeakWindow({
  label,
  requests,
  share,
}: {
  label: string
  requests: number
  share: number
}) {
  return (
    <Gauge
      label={label}
      value={share}
      max={1}
      text={`${formatCount(requests, 'request')}, ${formatPercent(share)} of the limit`}
    />
  )
}

import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { parseIso, toPlatformTime } from '../../lib/time.ts'
import type { PlatformTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { undated } from './earnings.table.ts'
import type { EarningDay, EarningKind } from './earnings.table.ts'
import { sumEarnings } from './earnings.ts'
import { kindsOfType } from './list.ts'

/** Amounts before and after the platform fee is deducted. Dollars. */
interface Totals {
  total_gross: number
  total_net: number
}

interface Month extends Totals {
  subscribes: (Totals & { date: PlatformTime })[]
  tips: (Totals & { date: PlatformTime })[]
}

/**
 * Returns an account's lifetime earnings by month and in total. Rows without a time count only
 * towards the total.
 */
export function computeEarningStatistics(world: World, { id: accountId }: Account) {
  const byMonth = new Map<string, EarningDay[]>()
  for (const row of world.db.earningDays.in('byAccount', accountId).walk()) {
    if (row.day === undated) continue
    const month = row.day.slice(0, 'YYYY-MM'.length)
    const rows = byMonth.get(month)
    if (rows === undefined) byMonth.set(month, [row])
    else rows.push(row)
  }
  const total = (categories?: readonly EarningKind[]) => {
    const { gross, net } = sumEarnings(world, accountId, { categories })
    return { total_gross: gross / 100, total_net: net / 100 }
  }
  return {
    months: Object.fromEntries([...byMonth].map(([month, rows]) => [month, toMonth(rows)])),
    total: {
      all: total(),
      subscribes: total(kindsOfType.subscribes),
      tips: total(kindsOfType.tips),
      post: total(kindsOfType.post),
      chat_messages: total(kindsOfType.chat_messages),
      stream: total(kindsOfType.stream),
      unknown: total(['unknown']),
    },
  }
}

function toMonth(rows: readonly EarningDay[]): Month {
  return {
    subscribes: groupByDay(rows, kindsOfType.subscribes),
    tips: groupByDay(rows, kindsOfType.tips),
    ...toTotals(rows),
  }
}

function groupByDay(rows: readonly EarningDay[], kinds: readonly EarningKind[]) {
  const byDate = new Map<string, EarningDay[]>()
  for (const row of rows)
    if (kinds.includes(row.kind)) byDate.set(row.day, [...(byDate.get(row.day) ?? []), row])
  return [...byDate].map(([day, ofDay]) => ({
    date: toPlatformTime(parseIso(day)),
    ...toTotals(ofDay),
  }))
}

function toTotals(rows: readonly EarningDay[]): Totals {
  const sum = (field: 'grossCents' | 'netCents') =>
    rows.reduce((cents, row) => cents + row[field], 0) / 100
  return { total_gross: sum('grossCents'), total_net: sum('netCents') }
}

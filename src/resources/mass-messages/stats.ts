import { pageOf } from '../../engine/paging.ts'
import type { PageOf } from '../../engine/paging.ts'
import type { SortedList } from '../../engine/store/sorted-list.ts'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { dayMs, fromIso, startOfDay, toIso } from '../../engine/time.ts'
import { endsAtInstant, percentChange, precedingWindow } from '../../engine/window.ts'
import type { Window } from '../../engine/window.ts'
import type { World } from '../../world/world.ts'
import { purchaseSource } from '../messages/purchases.table.ts'
import type { MassMessage } from './mass-messages.table.ts'

/**
 * One page of the mass messages that went out within a window, newest first. An end given as an instant leaves out what went out at
 * that very time: it is the date of the last row of the page before.
 */
export function readStatistics(world: World, account: Account, { window, limit }: { window: Window; limit: number }): PageOf<MassMessage> {
  const sent = world.db.massMessages.in('sent', account.id)
  const timeOf = (item: MassMessage) => fromIso(item.sentAt ?? '')
  const { end } = upToNow(world, account, window)
  const from = sent.rank((item) => timeOf(item) < end || (!endsAtInstant(window) && timeOf(item) === end))
  const to = sent.rank((item) => timeOf(item) < window.start)
  return pageOf(sent, { offset: 0, limit }, { from, to })
}

/** Counts the mass messages that went out, and those that were bought, by day. */
export function chartMassMessages(world: World, account: Account, window: Window) {
  const { massMessages, messagePurchases } = world.db
  return {
    group_messages: chartByDay(massMessages.in('sent', account.id), upToNow(world, account, window), (item) => item.sentAt ?? ''),
    group_messages_purchases: chartByDay(messagePurchases.in('bySource', purchaseSource(account.id, 'mass')), window, (row) => row.at),
  }
}

/** Counts the rows of a list, newest first, on each UTC day that has any. */
export function chartByDay<Row>(rows: SortedList<Row>, { start, end }: Pick<Window, 'start' | 'end'>, time: (row: Row) => string) {
  const count = (from: number, to: number) => rows.rank((row) => fromIso(time(row)) < from) - rows.rank((row) => fromIso(time(row)) <= to)
  const points: { date: string; count: number }[] = []
  const first = rows.rank((row) => fromIso(time(row)) <= end)
  for (let row = rows.at(first); row !== undefined && fromIso(time(row)) >= start;) {
    const day = startOfDay(fromIso(time(row)))
    points.push({ date: toIso(day), count: count(Math.max(day, start), Math.min(day + dayMs - 1, end)) })
    row = rows.at(rows.rank((each) => fromIso(time(each)) < day))
  }
  const total = count(start, end)
  const before = precedingWindow({ start, end })
  return { chart: points.toReversed(), total, delta: percentChange(total, count(before.start, before.end)) }
}

/** The window, with all that went out by now in it when it ends now: the dates of those that went out together lie some ms ahead. */
function upToNow(world: World, account: Account, window: Window): Window {
  const latest = world.db.massMessages.in('sent', account.id).at(0)?.sentAt
  if (latest == null || window.end < world.clock.now() || endsAtInstant(window)) return window
  return { ...window, end: Math.max(window.end, fromIso(latest)) }
}

import { readPage } from '../../api/lists/paging.ts'
import type { ListPage, PageQuery } from '../../api/lists/paging.ts'
import type { Span } from '../../api/lists/windows.ts'
import type { SortedList } from '../../data/sorted-list.ts'
import type { ChangeListener } from '../../data/change-log.ts'
import { parseIso, toIsoTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { isListed, toEventKey, toStateKey } from './subscriptions.table.ts'
import type { SubscriptionEvent, EventKind, Subscription } from './subscriptions.table.ts'
import { listPeriods } from './subscriptions.ts'
import type { SeriesFrame } from '../../api/resource.ts'

/** Counts the account's events of the given kind in the span. Includes events of blocked fans. */
export function countSubscriptionEvents(
  world: World,
  accountId: number,
  { kind, ...span }: Span & { kind: EventKind },
): number {
  const { list, from, newest } = listEventsInSpan(world, accountId, { kind, ...span })
  return Math.max(0, list.findPartitionPoint((row) => row.at < from) - newest)
}

/**
 * Returns one page of the subscriptions that have an event of the given kind in the span. Omits
 * blocked and deleted fans. Each subscription is listed once, latest event first.
 */
export function listLatestSubscriptions(
  world: World,
  accountId: number,
  { offset, limit, ...span }: PageQuery & Span & { kind: EventKind },
): ListPage<Subscription> {
  const { list, from, newest } = listEventsInSpan(world, accountId, span)
  const seen = new Set<number>()
  const found: Subscription[] = []
  for (const { at, subscriptionId } of list.walk(newest)) {
    if (at < from || found.length > offset + limit) break
    if (seen.has(subscriptionId)) continue
    seen.add(subscriptionId)
    const subscription = world.db.subscriptions.get(subscriptionId)
    if (subscription !== undefined && isListed(subscription)) found.push(subscription)
  }
  return readPage(found, { offset, limit })
}

/** Keeps the table subscriptionEvents in sync with subscriptions. */
export function createSubscriptionEventUpdater(world: World): ChangeListener<Subscription> {
  const table = world.db.subscriptionEvents
  table.derive(() => world.db.subscriptions.all().flatMap(listSubscriptionEvents))
  return (before, after) => {
    if (before !== undefined && after !== undefined && isSameHistory(before, after)) return
    const events = after === undefined ? [] : listSubscriptionEvents(after)
    const kept = new Set(
      events.filter((event) => isSameEvent(table.get(event.id), event)).map(({ id }) => id),
    )
    for (const { id } of before === undefined ? [] : listSubscriptionEvents(before))
      if (!kept.has(id)) table.remove(id)
    for (const event of events) if (!kept.has(event.id)) table.insert(event)
  }
}

/**
 * Returns the account's events of the given kind, newest first, without periods that begin in the
 * future. `newest` is the index of the first event in the span, and `from` is the time of its
 * earliest event.
 */
function listEventsInSpan(
  world: World,
  accountId: number,
  { kind, start, end }: Span & { kind: EventKind },
) {
  const list = world.db.subscriptionEvents.in('newestFirst', toEventKey(accountId, kind))
  const newestRow = list.at(0)
  const until = toIsoTime(
    Math.min(
      end,
      world.clock.nowFor(
        (now) => countUntil(list, toIsoTime(now)),
        newestRow === undefined ? -Infinity : parseIso(newestRow.at),
      ),
    ),
  )
  return { list, from: toIsoTime(start), newest: list.findPartitionPoint((row) => row.at <= until) }
}

function countUntil(newestFirst: SortedList<SubscriptionEvent>, until: string): number {
  return newestFirst.size - newestFirst.findPartitionPoint((row) => row.at <= until)
}

/** Returns the events of a subscription, one per period, oldest first. */
function listSubscriptionEvents(subscription: Subscription): SubscriptionEvent[] {
  const { id, accountId, subscribedAt } = subscription
  return listPeriods(subscription)
    .toReversed()
    .map(({ paidAt, number }, index) => ({
      id: `${id}:${index + 1}`,
      accountId,
      subscriptionId: id,
      kind: index === 0 ? 'new' : 'renewal',
      at: index === 0 ? subscribedAt : paidAt,
      number: index === 0 ? 0 : number,
    }))
}

function isSameEvent(
  known: SubscriptionEvent | undefined,
  { accountId, kind, at, number }: SubscriptionEvent,
): boolean {
  return (
    known?.accountId === accountId &&
    known.kind === kind &&
    known.at === at &&
    known.number === number
  )
}

/** True if both subscriptions have the same events. */
function isSameHistory(a: Subscription, b: Subscription): boolean {
  return (
    a.accountId === b.accountId &&
    a.subscribedAt === b.subscribedAt &&
    a.spans.length === b.spans.length &&
    a.spans.every(
      ({ from, until, paidAt, number }, index) =>
        number === b.spans[index]?.number &&
        from === b.spans[index]?.from &&
        until === b.spans[index]?.until &&
        paidAt === b.spans[index]?.paidAt,
    )
  )
}

/**
 * Adds the number of active subscriptions to each point of a series, as of the end of the point's
 * interval.
 */
export function addSubscribersToSeries(
  world: World,
  accountId: number,
  { points, width, now }: SeriesFrame,
): void {
  for (const point of points)
    point.subscribers += countActiveSubscribers(world, accountId, Math.min(point.at + width, now))
}

/** Counts the active subscriptions of an account at a time, epoch ms. */
export function countActiveSubscribers(world: World, accountId: number, at: number): number {
  const came = world.db.subscriptions.in('listed', accountId)
  const left = world.db.subscriptions.in('byExpiry', toStateKey(accountId, 'expired'))
  const end = toIsoTime(at)
  return (
    came.size -
    came.findPartitionPoint((row) => row.subscribedAt <= end) -
    (left.size - left.findPartitionPoint((row) => row.expiredAt <= end))
  )
}

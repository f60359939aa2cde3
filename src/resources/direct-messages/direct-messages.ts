import { buildDailyCountChart, buildDailySumChart } from '../../api/lists/day-counts.ts'
import { readIterablePage } from '../../api/lists/paging.ts'
import { findWindowRange, readPageOfWholeSeconds } from '../../api/lists/whole-second-page.ts'
import { takeWhile } from '../../lib/iterables.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { toIsoTime, toPlatformTime, toUtcDateTime } from '../../lib/time.ts'
import type { Span, Window } from '../../api/lists/window.ts'
import type { World } from '../world.ts'
import { messageTexts } from '../messages/list.ts'
import type { Message } from '../messages/messages.table.ts'
import { toPurchaseSourceKey } from '../messages/messages.table.ts'
import { createPurchaseAccessors } from '../messages/purchases.ts'
import { toMessageItem } from '../messages/view.ts'

/** Query parameters of the list of direct messages. */
export interface DirectQuery {
  window: Window
  limit: number
}

/** One page of the account's direct messages, and the parameters of the next page. */
export interface DirectPage {
  rows: Message[]
  hasMore: boolean
  next: Readonly<Record<string, string | number>> | null
}

/**
 * Returns one page of the messages that the account sent to individual fans, newest first. Messages
 * of the same second are always on the same page.
 */
export function listDirectMessages(world: World, account: Account, query: DirectQuery): DirectPage {
  const { rows, next } = readPageOfWholeSeconds(
    world.db.messages.in('direct', account.id),
    query,
    ({ createdAt }) => createdAt,
  )
  return {
    rows,
    hasMore: next !== null,
    next: next === null ? null : { end_date: toUtcDateTime(next) },
  }
}

/**
 * Returns one page of the messages whose plain text contains `text`, ignoring case, newest first.
 */
export function searchDirectMessages(
  world: World,
  account: Account,
  { window, limit, text, offset = 0 }: DirectQuery & { text: string; offset?: number },
): DirectPage {
  const rows = world.db.messages.in('direct', account.id)
  const found = world
    .service(messageTexts)
    .walk(rows, text, findWindowRange(rows, window, ({ createdAt }) => createdAt).from)
  const since = toIsoTime(window.start)
  return readIterablePage(
    takeWhile(found, ({ createdAt }) => createdAt >= since),
    { offset, limit },
  )
}

/** Converts a message to a row of the statistics. */
export function toDirectMessageStats(world: World, message: Message) {
  const { mediaCount, isFree, isTip } = toMessageItem(world, message)
  const { id, createdAt, text, isViewed } = message
  return {
    id,
    date: toPlatformTime(createdAt),
    text,
    sentCount: 1,
    viewedCount: isViewed ? 1 : 0,
    mediaCount,
    isFree,
    isTip,
  }
}

/**
 * Counts the messages to individual fans in the window by UTC day, and adds up the purchases of
 * these messages.
 */
export function buildDirectMessageChart(world: World, account: Account, { start, end }: Span) {
  return world.json(toChart, account, { start, end })
}

function toChart(world: World, account: Account, window: Span) {
  const { messages, messagePurchases } = world.db
  return {
    direct_messages: buildDailyCountChart(
      messages.in('direct', account.id),
      window,
      (message) => message.createdAt,
    ),
    direct_messages_purchases: buildDailySumChart(
      messagePurchases.in('bySource', toPurchaseSourceKey(account.id, 'direct')),
      window,
      createPurchaseAccessors(world),
    ),
  }
}

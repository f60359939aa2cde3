import { chartByDay, sumByDay } from '../../engine/day-counts.ts'
import { pageOf } from '../../engine/paging.ts'
import type { PageOf } from '../../engine/paging.ts'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { fromIso } from '../../engine/time.ts'
import { endsAtInstant } from '../../engine/window.ts'
import type { Window } from '../../engine/window.ts'
import type { World } from '../../world/world.ts'
import { purchaseSource } from '../messages/purchases.table.ts'
import { purchaseSums } from '../messages/purchases.ts'
import type { MassMessage } from './mass-messages.table.ts'

/**
 * One page of the mass messages that went out within a window, newest first. An `end_date` that is an instant, such as
 * `2026-03-01T09:00:00.000Z`, is exclusive: it is the date of the last row of the page before.
 */
export function readStatistics(world: World, account: Account, { window, limit }: { window: Window; limit: number }): PageOf<MassMessage> {
  const sent = world.db.massMessages.in('sent', account.id)
  const msOf = (item: MassMessage) => fromIso(item.sentAt ?? '')
  const { end } = window
  const from = sent.rank((item) => msOf(item) < end || (!endsAtInstant(window) && msOf(item) === end))
  const to = sent.rank((item) => msOf(item) < window.start)
  return pageOf(sent, { offset: 0, limit }, { from, to })
}

/** Counts the mass messages that went out, and sums what was paid for them in dollars, by day. */
export function chartMassMessages(world: World, account: Account, window: Window) {
  const { massMessages, messagePurchases } = world.db
  return {
    group_messages: chartByDay(massMessages.in('sent', account.id), window, (item) => item.sentAt ?? ''),
    group_messages_purchases: sumByDay(messagePurchases.in('bySource', purchaseSource(account.id, 'mass')), window, purchaseSums(world)),
  }
}

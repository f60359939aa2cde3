import { buildDailyCountChart, buildDailySumChart } from '../../api/lists/day-counts.ts'
import { readPageOfWholeSeconds } from '../../api/lists/whole-second-page.ts'
import type { WholeSecondPage } from '../../api/lists/whole-second-page.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import type { Span, Window } from '../../api/lists/window.ts'
import type { World } from '../world.ts'
import { toPurchaseSourceKey } from '../messages/purchases.table.ts'
import { createPurchaseAccessors } from '../messages/purchases.ts'
import type { MassMessage } from './mass-messages.table.ts'

/**
 * Returns one page of the mass messages sent in a window, newest first. Messages of the same second
 * are always on the same page.
 */
export function listMassMessageStats(
  world: World,
  account: Account,
  query: { window: Window; limit: number },
): WholeSecondPage<MassMessage> {
  return readPageOfWholeSeconds(
    world.db.massMessages.in('sent', account.id),
    query,
    ({ sentAt }) => sentAt ?? '',
  )
}

/** Counts the sent mass messages by day, and adds up the amounts of their purchases in dollars. */
export function buildMassMessageChart(world: World, account: Account, { start, end }: Span) {
  return world.json(toChart, account, { start, end })
}

function toChart(world: World, account: Account, window: Span) {
  const { massMessages, messagePurchases } = world.db
  return {
    group_messages: buildDailyCountChart(
      massMessages.in('sent', account.id),
      window,
      (item) => item.sentAt ?? '',
    ),
    group_messages_purchases: buildDailySumChart(
      messagePurchases.in('bySource', toPurchaseSourceKey(account.id, 'mass')),
      window,
      createPurchaseAccessors(world),
    ),
  }
}

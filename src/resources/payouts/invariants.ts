import type { Invariant } from '../../engine/invariant.ts'
import { toCents } from '../../engine/money.ts'
import { dayMs, fromIso } from '../../engine/time.ts'
import type { World } from '../../world/world.ts'
import { balancesOf, payoutTerms } from './payouts.ts'

/** What always holds of payouts. */
export const payoutInvariants: readonly Invariant<World>[] = [
  { name: 'what is pending can be itemised by the list of earnings', check: findUnlisted },
]

function* findUnlisted(world: World): Generator<string> {
  const since = world.clock.now() - payoutTerms.pendingDays * dayMs
  const listed = new Map<number, number>()
  for (const { accountId, net, status, transaction_created_at: time } of world.db.transactions.all()) {
    if (time === null || status === 'undo' || (status === 'done' && fromIso(time) <= since)) continue
    listed.set(accountId, (listed.get(accountId) ?? 0) + toCents(net))
  }
  for (const { id } of world.db.accounts.all()) {
    const { pending } = balancesOf(world, id)
    const sum = listed.get(id) ?? 0
    if (pending !== sum) yield `Of account ${id} ${pending / 100} dollars are pending, but the payments that wait sum to ${sum / 100}.`
  }
}

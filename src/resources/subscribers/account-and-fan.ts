import { filterItems, takePage } from '../../lib/iterables.ts'
import type { FactoryContext } from '../define-factory.ts'
import type { Subscription } from './subscriptions.table.ts'

/** An account and one of its fans. */
interface AccountAndFan {
  accountId: number
  fanId: number
}

/**
 * Returns the account and the fan of a new record. If only the fan is given, returns the account to
 * which they subscribe. If no fan is given, returns the only fan of the account that `accepts`
 * allows.
 * @throws {SandboxError} if the account or the fan is ambiguous
 */
export function resolveAccountAndFan(
  context: FactoryContext,
  given: Partial<AccountAndFan>,
  accepts: (subscription: Subscription) => boolean = () => true,
): AccountAndFan {
  const accountId = resolveAccountId(context, given)
  return { accountId, fanId: given.fanId ?? resolveFanId(context, accountId, accepts) }
}

/**
 * Returns the account of a new record. By default, it is the account to which the fan subscribes.
 * @throws {SandboxError} if the account is ambiguous
 */
export function resolveAccountId(context: FactoryContext, given: Partial<AccountAndFan>): number {
  const [first, ...others] =
    given.fanId === undefined
      ? []
      : context.world.db.subscriptions.in('ofFan', given.fanId).slice(0, 2)
  return context.accountId(given, others.length > 0 ? undefined : first?.accountId)
}

function resolveFanId(
  context: FactoryContext,
  accountId: number,
  accepts: (subscription: Subscription) => boolean,
): number {
  const { subscriptions, fans } = context.world.db
  const ofAccount = subscriptions.in('byAccount', accountId)
  if (ofAccount.size === 0) return context.only('fanId', fans.slice(0, 11), 'fan')
  const some = takePage(filterItems(ofAccount.walk(), accepts), { offset: 0, limit: 11 })
  return context.only(
    'fanId',
    some.map(({ fanId }) => ({ id: fanId })),
    `fan of the account ${accountId}`,
  )
}

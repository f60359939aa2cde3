import { filterRows, takePage } from '../../engine/store/sorted-list.ts'
import type { Making } from '../../world/making.ts'
import type { Subscription } from './subscriptions.table.ts'

/** An account and one of its fans. */
interface Parties {
  accountId: number
  fanId: number
}

/**
 * The account and the fan of a record to make. The account of a given fan is the one that they
 * subscribe to; a fan who is left out is the only one of the account that `accepts` allows. @throws
 * {SandboxError} when either is not obvious.
 */
export function partiesOf(
  making: Making,
  given: Partial<Parties>,
  accepts: (subscription: Subscription) => boolean = () => true,
): Parties {
  const accountId = accountOf(making, given)
  return { accountId, fanId: given.fanId ?? fanOf(making, accountId, accepts) }
}

/**
 * The account of a record to make, by its fan where nothing else tells. @throws {SandboxError} when
 * it is not obvious.
 */
export function accountOf(making: Making, given: Partial<Parties>): number {
  const [first, ...others] =
    given.fanId === undefined
      ? []
      : making.world.db.subscriptions.in('ofFan', given.fanId).slice(0, 2)
  return making.accountId(given, others.length > 0 ? undefined : first?.accountId)
}

function fanOf(
  making: Making,
  accountId: number,
  accepts: (subscription: Subscription) => boolean,
): number {
  const { subscriptions, fans } = making.world.db
  const ofAccount = subscriptions.in('byAccount', accountId)
  if (ofAccount.size === 0) return making.only('fanId', fans.slice(0, 11), 'fan')
  const some = takePage(filterRows(ofAccount.walk(), accepts), { offset: 0, limit: 11 })
  return making.only(
    'fanId',
    some.map(({ fanId }) => ({ id: fanId })),
    `fan of the account ${accountId}`,
  )
}

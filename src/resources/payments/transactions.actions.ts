import { z } from 'zod'
import { lazyStrictObject } from '../../lib/fields.ts'
import { pickRecentRow, getFanName, createMissingRecordError } from '../effects/pick-records.ts'
import { reversals, setTransactionStatus } from '../effects/purchases.ts'
import { accountId, requireAccount, createUnknownIdError } from '../../api/action.ts'
import { createInputError } from '../../errors.ts'
import { formatPrice } from '../../lib/money.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { defineAction } from '../define.ts'
import type { World } from '../world.ts'
import type { Transaction } from './transactions.table.ts'

const transactionId = z.string().min(1).max(100).optional()

export const settleTransaction = defineAction({
  type: 'transaction.settle',
  summary: 'A pending payment completes: its status changes from loading to done',
  schema: lazyStrictObject(() => ({
    account_id: accountId,
    transaction_id: transactionId.describe(
      'The id of a transaction with the status loading. Default: one of the newest, chosen ' +
        'at random.',
    ),
  })),
  effect(world, { account_id, transaction_id }) {
    const account = requireAccount(world, account_id)
    const transaction = chooseTransaction(world, account, {
      transaction_id,
      from: ['loading'],
      to: 'done',
    })
    setTransactionStatus(world, transaction, 'done')
    return {
      happened: `${describe(world, transaction)} was settled`,
      ids: { account: account.id, fan: transaction.fanId, transaction: transaction.id },
    }
  },
})

export const reverseTransaction = defineAction({
  type: 'transaction.reverse',
  summary:
    'Move a payment one step towards a refund: from done to pending_return, or from ' +
    'pending_return to undo',
  schema: lazyStrictObject(() => ({
    account_id: accountId,
    transaction_id: transactionId.describe(
      'The id of a transaction with the status done or pending_return. Default: one of ' +
        'the newest, chosen at random.',
    ),
    to: z
      .enum(['pending_return', 'undo'])
      .optional()
      .describe('New status. Default: the next status.'),
  })),
  effect(world, { account_id, transaction_id, to }) {
    const account = requireAccount(world, account_id)
    const isPending =
      transaction_id !== undefined &&
      world.db.transactions.get(transaction_id)?.status === 'pending_return'
    const next = to ?? (isPending ? 'undo' : 'pending_return')
    const transaction = chooseTransaction(world, account, {
      transaction_id,
      from: reversals[next],
      to: next,
    })
    setTransactionStatus(world, transaction, next)
    return {
      happened:
        `${describe(world, transaction)} ` +
        (next === 'undo' ? 'was reversed' : 'is being reversed'),
      ids: { account: account.id, fan: transaction.fanId, transaction: transaction.id },
    }
  },
})

/**
 * Options for choosing a transaction: the given transaction, or a random recent transaction. Its
 * status must be in `from`, and will be changed to `to`.
 */
interface TransactionChoice {
  transaction_id: string | undefined
  from: readonly Transaction['status'][]
  to: Transaction['status']
}

function chooseTransaction(
  world: World,
  account: Account,
  { transaction_id: id, from, to }: TransactionChoice,
): Transaction {
  const all = world.db.transactions.in('byAccount', account.id)
  if (id === undefined) {
    const transaction = pickRecentRow(world, all, ({ status }) => from.includes(status))
    if (transaction === undefined)
      throw createMissingRecordError(account, `transaction with the status ${from.join(' or ')}`)
    return transaction
  }
  const transaction = world.db.transactions.get(id)
  if (transaction?.accountId !== account.id)
    throw createUnknownIdError(
      { field: 'transaction_id', id, thing: `transaction of ${account.username}` },
      all.slice(0, 11),
    )
  if (!from.includes(transaction.status))
    throw createInputError(
      { transaction_id: id },
      `but its status is ${transaction.status}: only ${from.join(' or ')} can become ${to}.`,
    )
  return transaction
}

function describe(world: World, { fanId, amount, category }: Transaction): string {
  return (
    `A payment of ${amount === null ? 'an unknown amount' : formatPrice(amount)} by ` +
    `${getFanName(world, fanId)} (${category ?? 'unknown'})`
  )
}

import type { TableWatcher } from '../../engine/store/table.ts'
import type { World } from '../../world/world.ts'
import type { Message } from '../messages/messages.table.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { chatWith, spendingOf } from './chats.ts'

/**
 * Keeps chats and messages in agreement with the transactions: which fans paid and tipped, and which messages are bought. Seeds
 * and snapshots come with this done, so that loading changes nothing.
 */
export function watchChatPayments(world: World): TableWatcher<Transaction> {
  return {
    change(before, after) {
      for (const row of [before, after]) {
        if (row === undefined) continue
        reviewFan(world, row)
        if (row.messageId !== null) reviewSale(world, row.messageId)
      }
    },
    load() {},
  }
}

/** When a message was bought, going by the transactions for it; null when it was not, or was paid back. Rows without a time count as at once. */
export function saleOf({ createdAt }: Pick<Message, 'createdAt'>, rows: Iterable<Transaction>): string | null {
  for (const { category, status, transaction_created_at: time } of rows) {
    if (category !== 'tip' && status !== 'undo') return time ?? createdAt
  }
  return null
}

function reviewFan(world: World, { accountId, fanId }: Transaction): void {
  const chat = chatWith(world, accountId, fanId)
  if (chat === undefined) return
  const spending = spendingOf(world, accountId, fanId)
  if (spending.hasSpent !== chat.hasSpent || spending.hasTipped !== chat.hasTipped) world.db.chats.update(chat.id, spending)
}

function reviewSale(world: World, messageId: number): void {
  const message = world.db.messages.get(messageId)
  if (message === undefined || message.isFromFan || message.price === 0) return
  const purchasedAt = saleOf(message, world.db.transactions.in('byMessage', messageId).walk())
  if (purchasedAt !== message.purchasedAt)
    world.db.messages.update(messageId, { purchasedAt, isOpened: purchasedAt !== null, isViewed: message.isViewed || purchasedAt !== null })
}

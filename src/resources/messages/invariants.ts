import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'
import type { World } from '../world.ts'
import { isMessagePurchase } from '../payments/transactions.table.ts'

export const messageInvariants: readonly Invariant<World>[] = [
  { name: 'ids of messages increase with time in each chat', check: findUnordered },
  { name: 'no message was sent in the future', check: findFuture },
  { name: 'purchases of messages match the payments', check: findFalseBuyers },
]

function findUnordered({ db }: World): string[] {
  return findViolations(db.chats.all(), (chat) => {
    let newer: number | undefined
    return findViolations(db.messages.in('byChat', chat.id).walk(), ({ id }) => {
      const before = newer
      newer = id
      return before !== undefined && id > before
        ? [`Chat ${chat.id}: message ${id} is older than ${before}, which has a lower id.`]
        : []
    })
  })
}

function findFuture({ db, clock }: World): string[] {
  const now = clock.iso()
  return findViolations(db.messages.all(), ({ id, createdAt }) =>
    createdAt > now
      ? [`Message ${id} was created at ${createdAt}, but the current time is ${now}.`]
      : [],
  )
}

function findFalseBuyers({ db }: World): string[] {
  const paid = new Set<number>()
  for (const row of db.transactions.all())
    if (isMessagePurchase(row) && row.messageId !== null) paid.add(row.messageId)
  return findViolations(db.messages.all(), ({ id, isFromFan, price, purchasedAt, isOpened }) => {
    if (isFromFan || price === 0) return []
    const isBuyer = db.messagePurchases
      .in('byMessage', id)
      .slice()
      .some(({ refundedSecond }) => refundedSecond === null)
    const said = [purchasedAt !== null, isOpened, isBuyer]
    if (said.every((isBought) => isBought === paid.has(id))) return []
    return [
      `Message ${id} is inconsistent: payment ${paid.has(id)}, purchasedAt ` +
        `${purchasedAt !== null}, isOpened ${isOpened}, row in messagePurchases ${isBuyer}. ` +
        'Either all four must be true, or all four must be false.',
    ]
  })
}

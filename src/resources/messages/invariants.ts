import { findBroken } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'
import type { World } from '../world.ts'
import { isMessagePurchase } from '../payments/transactions.table.ts'

/** What always holds of messages. */
export const messageInvariants: readonly Invariant<World>[] = [
  { name: 'ids of messages rise with time in each chat', check: findUnordered },
  { name: 'a message was written by now', check: findLater },
  { name: 'who bought a message is who paid for it', check: findFalseBuyers },
]

function findUnordered({ db }: World): string[] {
  return findBroken(db.chats.all(), (chat) => {
    let newer: number | undefined
    return findBroken(db.messages.in('byChat', chat.id).walk(), ({ id }) => {
      const before = newer
      newer = id
      return before !== undefined && id > before
        ? [`In chat ${chat.id} the message ${id} is older than ${before}, which has a lower id.`]
        : []
    })
  })
}

function findLater({ db, clock }: World): string[] {
  const now = clock.iso()
  return findBroken(db.messages.all(), ({ id, createdAt }) =>
    createdAt > now ? [`The message ${id} is of ${createdAt}, but it is ${now}.`] : [],
  )
}

function findFalseBuyers({ db }: World): string[] {
  const paid = new Set<number>()
  for (const row of db.transactions.all())
    if (isMessagePurchase(row) && row.messageId !== null) paid.add(row.messageId)
  return findBroken(db.messages.all(), ({ id, isFromFan, price, purchasedAt, isOpened }) => {
    if (isFromFan || price === 0) return []
    const isBuyer = db.messagePurchases
      .in('byMessage', id)
      .slice()
      .some(({ refundedSecond }) => refundedSecond === null)
    const said = [purchasedAt !== null, isOpened, isBuyer]
    if (said.every((isBought) => isBought === paid.has(id))) return []
    return [
      `The message ${id} is paid for: ${paid.has(id)}; it says bought: ` +
        `${purchasedAt !== null}, open: ${isOpened}, among the purchases: ${isBuyer}.`,
    ]
  })
}

import type { Invariant } from '../../engine/invariant.ts'
import type { World } from '../../world/world.ts'
import { isMessagePurchase } from '../payments/transactions.table.ts'

/** What always holds of messages. */
export const messageInvariants: readonly Invariant<World>[] = [
  { name: 'ids of messages rise with time in each chat', check: findUnordered },
  { name: 'a message was written by now', check: findLater },
  { name: 'who bought a message is who paid for it', check: findFalseBuyers },
]

function* findUnordered({ db }: World): Generator<string> {
  for (const chat of db.chats.all()) {
    let newer: number | undefined
    for (const { id } of db.messages.in('byChat', chat.id).walk()) {
      if (newer !== undefined && id > newer)
        yield `In chat ${chat.id} the message ${id} is older than ${newer}, which has a lower id.`
      newer = id
    }
  }
}

function* findLater({ db, clock }: World): Generator<string> {
  const now = clock.iso()
  for (const { id, createdAt } of db.messages.all())
    if (createdAt > now) yield `The message ${id} is of ${createdAt}, but it is ${now}.`
}

function* findFalseBuyers({ db }: World): Generator<string> {
  const paid = new Set<number>()
  for (const row of db.transactions.all())
    if (isMessagePurchase(row) && row.messageId !== null) paid.add(row.messageId)
  for (const { id, isFromFan, price, purchasedAt, isOpened } of db.messages.all()) {
    if (isFromFan || price === 0) continue
    const isBuyer = db.messagePurchases
      .in('byMessage', id)
      .slice()
      .some(({ refundedSecond }) => refundedSecond === null)
    const said = [purchasedAt !== null, isOpened, isBuyer]
    if (said.some((isBought) => isBought !== paid.has(id)))
      yield (
        `The message ${id} is paid for: ${paid.has(id)}; it says bought: ` +
          `${purchasedAt !== null}, open: ${isOpened}, ` +
          `among the purchases: ${isBuyer}.`
      )
  }
}

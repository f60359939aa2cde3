import { z } from 'zod'
import { fromIso } from '../schemas/time.ts'
import type { Message } from './messages.ts'
import { pageOf } from './paging.ts'
import type { PageOf, PageQuery } from './paging.ts'
import { defineTable, descending, orderBy } from './table.ts'
import type { TableWatcher } from './table.ts'
import type { Transaction } from './transactions.ts'
import type { World } from './world.ts'

/** A fan who bought a mass message: follows the transactions for the message that the fan got of it. */
export const MassPurchase = z.object({
  id: z.string(),
  accountId: z.int(),
  queueId: z.int(),
  fanId: z.int(),
  /** What pins the pages of the buyers: epoch seconds of the purchase, or the first free second after it on that mass message. */
  second: z.int(),
  at: z.iso.datetime(),
  isRefunded: z.boolean(),
})
export type MassPurchase = Readonly<z.infer<typeof MassPurchase>>

const latestFirst = descending<MassPurchase>((row) => row.second)

export const massPurchases = defineTable({
  schema: MassPurchase,
  indexes: {
    /** Of one mass message, refunded ones left out. */
    bought: { group: (row) => (row.isRefunded ? null : row.queueId), order: latestFirst },
    /** Of one mass message, refunded ones included. */
    all: { group: (row) => row.queueId, order: latestFirst },
    byAccount: {
      group: (row) => (row.isRefunded ? null : row.accountId),
      order: orderBy(
        descending((row) => row.at),
        descending((row) => row.id),
      ),
    },
  },
})

/** Pages through the buyers, latest first; a marker leaves out those who bought after the page that gave it. */
export function pageBuyers(world: World, queueId: number, { marker, ...query }: PageQuery & { marker?: number }): PageOf<MassPurchase> & { marker: number } {
  const buyers = world.db.massPurchases.in('bought', queueId)
  const pin = marker ?? world.db.massPurchases.in('all', queueId).at(0)?.second ?? 0
  return { ...pageOf(buyers, query, { from: buyers.rank((row) => row.second <= pin) }), marker: pin }
}

/** Keeps the table massPurchases in agreement with the transactions. */
export function watchMassPurchases(world: World): TableWatcher<Transaction> {
  world.db.massPurchases.derive(() => findPurchases(world))
  return {
    keeps: world.db.massPurchases,
    change(before, after) {
      for (const messageId of new Set([before?.messageId, after?.messageId])) {
        const message = typeof messageId === 'number' ? world.db.messages.get(messageId) : undefined
        if (message !== undefined && message.queueId !== null) follow(world, message, message.queueId)
      }
    },
  }
}

/** Keeps the table massPurchases in agreement with the messages. */
export function watchMassDeliveries(world: World): TableWatcher<Message> {
  return {
    keeps: world.db.massPurchases,
    change(before, after) {
      const [former, now] = [before?.queueId ?? null, after?.queueId ?? null]
      if (former === now) return
      if (before !== undefined && former !== null) world.db.massPurchases.remove(purchaseId(former, before.fanId))
      if (after !== undefined && now !== null) follow(world, after, now)
    },
  }
}

function follow(world: World, message: Message, queueId: number): void {
  const { db } = world
  const id = purchaseId(queueId, message.fanId)
  const payments = message.price === 0 ? [] : db.transactions.in('byMessage', message.id).slice().filter(isPurchase)
  if (payments.length === 0) {
    db.massPurchases.remove(id)
    return
  }
  const { at, isRefunded } = stateOf(message, payments)
  if (db.massPurchases.get(id) !== undefined) {
    db.massPurchases.update(id, { at, isRefunded })
    return
  }
  const second = secondAfter(db.massPurchases.in('all', queueId).at(0)?.second, at)
  db.massPurchases.insert({ id, accountId: message.accountId, queueId, fanId: message.fanId, second, at, isRefunded })
}

/** All purchases, numbered in the order in which they were made. */
function findPurchases({ db }: World): MassPurchase[] {
  const sold = new Map<number, { message: Message; queueId: number; payments: Transaction[] }>()
  for (const message of db.messages.slice(0, db.messages.size)) {
    if (message.queueId !== null && message.price > 0) sold.set(message.id, { message, queueId: message.queueId, payments: [] })
  }
  if (sold.size > 0) {
    for (const row of db.transactions.slice(0, db.transactions.size)) {
      if (row.messageId !== null && isPurchase(row)) sold.get(row.messageId)?.payments.push(row)
    }
  }
  const bought = [...sold.values()].filter(({ payments }) => payments.length > 0)
  const purchases = bought.map(({ message, queueId, payments }) => ({ message, queueId, ...stateOf(message, payments.toSorted(latestPaymentFirst)) }))
  purchases.sort((a, b) => latestPaymentFirst(b.latest, a.latest))
  const latest = new Map<number, number>()
  return purchases.map(({ queueId, message: { accountId, fanId }, at, isRefunded }) => {
    const second = secondAfter(latest.get(queueId), at)
    latest.set(queueId, second)
    return { id: purchaseId(queueId, fanId), accountId, queueId, fanId, second, at, isRefunded }
  })
}

function secondAfter(latest: number | undefined, at: string): number {
  return Math.max((latest ?? 0) + 1, Math.floor(fromIso(at) / 1000))
}

function purchaseId(queueId: number, fanId: number): string {
  return `${queueId}:${fanId}`
}

function isPurchase({ category }: Transaction): boolean {
  return category === 'message' || category === 'unlock'
}

/** When a message was bought, and whether all of it was paid back. The latest payment comes first. */
function stateOf(message: Message, payments: readonly Transaction[]): { latest: Transaction; at: string; isRefunded: boolean } {
  const latest = payments[0] as Transaction
  return { latest, at: latest.transaction_created_at ?? message.createdAt, isRefunded: payments.every(({ status }) => status === 'undo') }
}

/** Ids of transactions are numbers in text. */
function latestPaymentFirst(a: Transaction, b: Transaction): number {
  const [one, other] = [a.transaction_created_at ?? '', b.transaction_created_at ?? '']
  if (one !== other) return one < other ? 1 : -1
  return b.id.length - a.id.length || (a.id < b.id ? 1 : -1)
}

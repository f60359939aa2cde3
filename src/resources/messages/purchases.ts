import { pageOf, pageOfWalk } from '../../engine/paging.ts'
import type { PageOf, PageQuery } from '../../engine/paging.ts'
import { mergeSorted, SortedList } from '../../engine/store/sorted-list.ts'
import type { TableWatcher } from '../../engine/store/table.ts'
import { fromIso } from '../../engine/time.ts'
import type { World } from '../../world/world.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import type { Message } from './messages.table.ts'
import { byArrival, latestFirst, lastSecond } from './purchases.table.ts'
import type { MessagePurchase } from './purchases.table.ts'

/** Pages through the buyers of a mass message, latest first; a marker keeps who had bought by the page that gave it, whoever buys or is paid back since. */
export function pageBuyers(
  world: World,
  queueId: number,
  { marker, ...query }: PageQuery & { marker?: number },
): PageOf<MessagePurchase> & { marker: number } {
  const { messagePurchases: table } = world.db
  const bought = table.in('bought', queueId)
  const latest = latestSecond(world, queueId)
  const pin = marker ?? latest ?? Math.floor(world.clock.now() / 1000)
  if (latest === undefined || latest <= pin) return { ...pageOf(bought, query), marker: pin }
  const refunds = table.in('refunded', queueId)
  const since = SortedList.from(
    refunds.slice(
      0,
      refunds.rank((row) => (row.refundedSecond ?? 0) <= pin),
    ),
    latestFirst,
  )
  return { ...pageOfWalk(boughtBy(pin, mergeSorted([bought.walk(), since.walk()], latestFirst)), query), marker: pin }
}

/** Keeps the table messagePurchases in agreement with the transactions. */
export function watchMessagePurchases(world: World): TableWatcher<Transaction> {
  const { messagePurchases: table } = world.db
  table.derive(() => findPurchases(world.db.messages.all(), world.db.transactions.all()))
  return {
    change(before, after) {
      const messageIds = new Set([before, after].flatMap((row) => row?.messageId ?? []))
      if (messageIds.size === 0) return
      buildFirst(world, () => findPurchases(world.db.messages.all(), asBefore(world.db.transactions.all(), before, after)))
      for (const messageId of messageIds) {
        const sale = saleOfMessage(world, messageId)
        if (sale !== undefined) follow(world, sale)
      }
    },
    load: () => table.outdate(),
  }
}

/** Keeps the table messagePurchases in agreement with the messages: what was bought stays so when its message goes. */
export function watchSoldMessages(world: World): TableWatcher<Message> {
  const { messagePurchases: table, transactions } = world.db
  return {
    change(before, after) {
      const isAlike = before?.queueId === after?.queueId && before?.price === after?.price
      const id = after?.id ?? before?.id ?? 0
      if (isAlike || transactions.in('byMessage', id).size === 0) return
      buildFirst(world, () => findPurchases(asBefore(world.db.messages.all(), before, after), transactions.all()))
      if (after !== undefined) follow(world, after)
    },
    load: () => table.outdate(),
  }
}

/** Builds the table, if nobody has looked yet, as it was before a change: what it remembers must not depend on who looked when. */
function buildFirst(world: World, find: () => MessagePurchase[]): void {
  if (world.db.messagePurchases.isOutdated) world.db.messagePurchases.load(find())
}

function asBefore<Row extends { id: unknown }>(rows: readonly Row[], before: Row | undefined, after: Row | undefined): Row[] {
  return [...rows.filter(({ id }) => id !== after?.id), ...(before === undefined ? [] : [before])]
}

/** What is known of a message that may be sold, and may be gone by now. */
type Sale = Pick<Message, 'id' | 'accountId' | 'fanId' | 'queueId' | 'isFromFan' | 'price' | 'createdAt'>

function saleOfMessage(world: World, messageId: number): Sale | undefined {
  const message = world.db.messages.get(messageId)
  if (message !== undefined) return message
  const row = world.db.messagePurchases.in('byMessage', messageId).at(0)
  return (
    row && {
      id: messageId,
      accountId: row.accountId,
      fanId: row.fanId,
      queueId: row.queueId,
      isFromFan: false,
      price: 1,
      createdAt: row.at,
    }
  )
}

function follow(world: World, sale: Sale): void {
  const { messagePurchases: table, transactions } = world.db
  const payment = standingPayment(sale, transactions.in('byMessage', sale.id).walk())
  const rows = table.in('byMessage', sale.id).slice()
  const nextSecond = (at: number) => secondAfter(latestSecond(world, sale.queueId), at)
  for (const row of rows)
    if (row.refundedSecond === null && row.id !== payment?.id) table.update(row.id, { refundedSecond: nextSecond(world.clock.now()) })
  if (payment === undefined) return
  const known = table.get(payment.id)
  const values = { ...keysOf(sale), at: payment.transaction_created_at ?? sale.createdAt, refundedSecond: null }
  if (known === undefined) table.insert({ ...values, id: payment.id, second: nextSecond(fromIso(values.at)) })
  else if (known.at !== values.at || known.refundedSecond !== null || known.messageId !== sale.id || known.queueId !== sale.queueId)
    table.update(known.id, values)
}

/** All purchases that stand; what was paid back before is forgotten. */
function findPurchases(messages: readonly Message[], transactions: readonly Transaction[]): MessagePurchase[] {
  const sold = new Map<number, { message: Message; payments: Transaction[] }>()
  for (const message of messages) if (message.price > 0 && !message.isFromFan) sold.set(message.id, { message, payments: [] })
  if (sold.size === 0) return []
  for (const row of transactions) if (row.messageId !== null) sold.get(row.messageId)?.payments.push(row)
  const bought = [...sold.values()].flatMap(({ message, payments }) => {
    const payment = standingPayment(message, payments)
    return payment === undefined
      ? []
      : { ...keysOf(message), id: payment.id, at: payment.transaction_created_at ?? message.createdAt, refundedSecond: null }
  })
  const latest = new Map<number, number>()
  return bought.sort(byArrival).map((row) => {
    const second = secondAfter(latest.get(row.queueId ?? 0), fromIso(row.at))
    if (row.queueId !== null) latest.set(row.queueId, second)
    return { ...row, second }
  })
}

/** The second of a time, or the first one after the latest that is taken. */
function secondAfter(latest: number | undefined, at: number): number {
  return Math.max((latest ?? 0) + 1, Math.floor(at / 1000))
}

function keysOf({ id: messageId, accountId, fanId, queueId }: Sale) {
  return { messageId, accountId, fanId, queueId }
}

/** The first payment for a message that was not paid back. */
function standingPayment({ price, isFromFan }: Sale, rows: Iterable<Transaction>): Transaction | undefined {
  if (price === 0 || isFromFan) return undefined
  let first: Transaction | undefined
  for (const row of rows) {
    const isStanding = (row.category === 'message' || row.category === 'unlock') && row.status !== 'undo'
    if (isStanding && (first === undefined || byArrival(row, first) < 0)) first = row
  }
  return first
}

/** The last second in which something happened to the purchases of a mass message. */
function latestSecond(world: World, queueId: number | null): number | undefined {
  const row = queueId === null ? undefined : world.db.messagePurchases.in('touched', queueId).at(0)
  return row && lastSecond(row)
}

function* boughtBy(pin: number, rows: Iterable<MessagePurchase>): Generator<MessagePurchase, void, void> {
  for (const row of rows) if (row.second <= pin) yield row
}

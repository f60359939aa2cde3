import { toCents } from '../../lib/money.ts'
import { readPage, readIterablePage } from '../../api/lists/paging.ts'
import type { ListPage, PageQuery } from '../../api/lists/paging.ts'
import { SortedList } from '../../data/sorted-list.ts'
import { filterItems, mergeSorted } from '../../lib/iterables.ts'
import type { ChangeListener } from '../../data/change-log.ts'
import { parseIso } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { isMessagePurchase } from '../payments/transactions.table.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import type { Message, MessagePurchase } from './messages.table.ts'
import { byPaymentId, latestFirst, lastSecond } from './messages.table.ts'
import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'

/**
 * Returns one page of the fans who bought a mass message, latest first. The marker (epoch seconds)
 * is the time of the first page. Later purchases and refunds are ignored, so that they do not shift
 * the pages.
 */
export function listMassMessageBuyers(
  world: World,
  queueId: number,
  { marker, ...query }: PageQuery & { marker?: number },
): ListPage<MessagePurchase> & { marker: number } {
  const { messagePurchases: table } = world.db
  const bought = table.in('bought', queueId)
  const latest = findLatestSecond(world, queueId)
  const pinnedAt = marker ?? latest ?? Math.floor(world.clock.now() / 1000)
  if (latest === undefined || latest <= pinnedAt)
    return { ...readPage(bought, query), marker: pinnedAt }
  const refunds = table.in('refunded', queueId)
  const refundedSince = SortedList.from(
    refunds.slice(
      0,
      refunds.findPartitionPoint((row) => (row.refundedSecond ?? 0) <= pinnedAt),
    ),
    latestFirst,
  )
  const rows = filterItems(
    mergeSorted([bought.walk(), refundedSince.walk()], latestFirst),
    ({ second }) => second <= pinnedAt,
  )
  return { ...readIterablePage(rows, query), marker: pinnedAt }
}

/**
 * Returns two functions for adding up purchases: one reads the time of a purchase, the other its
 * amount.
 */
export function createPurchaseAccessors(world: World) {
  return {
    timeOf: (row: MessagePurchase) => row.at,
    centsOf(row: MessagePurchase) {
      const payment = world.db.transactions.get(row.id)
      // Payments without a time are outside all windows. For these payments, the time of the
      // message is used only to sort buyers.
      return payment === undefined || payment.transaction_created_at === null
        ? 0
        : toCents(payment.amount ?? 0)
    },
  }
}

/** Keeps the table messagePurchases in sync with transactions. */
export function createMessagePurchaseUpdater(world: World): ChangeListener<Transaction> {
  const { messagePurchases: table } = world.db
  table.derive(() => findPurchases(world.db.messages.all(), world.db.transactions.all()))
  return (before, after) => {
    const messageIds = new Set([before, after].flatMap((row) => row?.messageId ?? []))
    if (messageIds.size === 0) return
    for (const messageId of messageIds) {
      const message = findSoldMessage(world, messageId)
      if (message !== undefined) updatePurchases(world, message)
    }
  }
}

/**
 * Keeps the table messagePurchases in sync with messages. The purchase of a deleted message is
 * kept.
 */
export function createSoldMessageUpdater(world: World): ChangeListener<Message> {
  const { transactions } = world.db
  return (before, after) => {
    const isSameSale = before?.queueId === after?.queueId && before?.price === after?.price
    const id = after?.id ?? before?.id ?? 0
    if (isSameSale || transactions.in('byMessage', id).size === 0) return
    if (after !== undefined) updatePurchases(world, after)
  }
}

/** The fields of a message that a purchase needs. The message may have been deleted. */
type SoldMessage = Pick<
  Message,
  'id' | 'accountId' | 'fanId' | 'queueId' | 'isFromFan' | 'price' | 'createdAt'
>

/**
 * Returns a message. If the message was deleted, returns its fields as stored with the last
 * purchase. Undefined if the message was deleted and never bought.
 */
function findSoldMessage(world: World, messageId: number): SoldMessage | undefined {
  const message = world.db.messages.get(messageId)
  if (message !== undefined) return message
  const purchase = world.db.messagePurchases.in('byMessage', messageId).at(0)
  if (purchase === undefined) return undefined
  const { accountId, fanId, queueId, at } = purchase
  // The original price is unknown. Any positive price marks the message as paid.
  return { id: messageId, accountId, fanId, queueId, isFromFan: false, price: 1, createdAt: at }
}

/**
 * Marks a message's purchases as refunded, except the purchase with a valid payment. Adds this
 * purchase if it is missing.
 */
function updatePurchases(world: World, message: SoldMessage): void {
  const { messagePurchases: table, transactions } = world.db
  const payment = findValidPayment(message, transactions.in('byMessage', message.id).walk())
  const rows = table.list('byMessage', message.id)
  const nextSecond = (at: number) => getSecondAfter(findLatestSecond(world, message.queueId), at)
  for (const row of rows) {
    if (row.refundedSecond === null && row.id !== payment?.id)
      table.update(row.id, { refundedSecond: nextSecond(world.clock.now()) })
  }
  if (payment === undefined) return
  const known = table.get(payment.id)
  const values = {
    ...toPurchaseKeys(message),
    at: payment.transaction_created_at ?? message.createdAt,
    refundedSecond: null,
  }
  if (known === undefined) {
    table.insert({ ...values, id: payment.id, second: nextSecond(parseIso(values.at)) })
    return
  }
  const isOfOther = known.messageId !== message.id || known.queueId !== message.queueId
  if (known.at !== values.at || known.refundedSecond !== null || isOfOther)
    table.update(known.id, values)
}

/**
 * Returns all purchases with a valid payment. Refunded purchases cannot be derived from the tables.
 */
function findPurchases(
  messages: readonly Message[],
  transactions: readonly Transaction[],
): MessagePurchase[] {
  const payments = new Map<number, Transaction[]>()
  for (const row of transactions) {
    if (row.messageId === null) continue
    const known = payments.get(row.messageId)
    if (known === undefined) payments.set(row.messageId, [row])
    else known.push(row)
  }
  const bought: Omit<MessagePurchase, 'second'>[] = []
  for (const message of messages) {
    const paid = payments.get(message.id)
    const payment = paid === undefined ? undefined : findValidPayment(message, paid)
    if (payment === undefined) continue
    bought.push({
      ...toPurchaseKeys(message),
      id: payment.id,
      at: payment.transaction_created_at ?? message.createdAt,
      refundedSecond: null,
    })
  }
  const latest = new Map<number, number>()
  return bought.sort(byPaymentId).map((row) => {
    const second = getSecondAfter(latest.get(row.queueId ?? 0), parseIso(row.at))
    if (row.queueId !== null) latest.set(row.queueId, second)
    return { ...row, second }
  })
}

/**
 * Converts a time (epoch ms) to epoch seconds. Returns `latest` + 1 if the result would not be
 * later than `latest`.
 */
function getSecondAfter(latest: number | undefined, at: number): number {
  return Math.max((latest ?? 0) + 1, Math.floor(at / 1000))
}

function toPurchaseKeys({ id: messageId, accountId, fanId, queueId }: SoldMessage) {
  return { messageId, accountId, fanId, queueId }
}

/** Returns the first payment for a message that was not refunded. */
function findValidPayment(
  { price, isFromFan }: SoldMessage,
  rows: Iterable<Transaction>,
): Transaction | undefined {
  if (price === 0 || isFromFan) return undefined
  let first: Transaction | undefined
  for (const row of rows) {
    if (isMessagePurchase(row) && (first === undefined || byPaymentId(row, first) < 0)) first = row
  }
  return first
}

/**
 * Returns the time of the latest purchase or refund of the mass message, epoch seconds. Undefined
 * if there is none.
 */
function findLatestSecond(world: World, queueId: number | null): number | undefined {
  const row = queueId === null ? undefined : world.db.messagePurchases.in('touched', queueId).at(0)
  return row && lastSecond(row)
}

export const messageInvariants: readonly Invariant<World>[] = [
  { name: 'ids of messages increase with time in each chat', check: findUnordered },
  { name: 'no message was sent in the future', check: findFuture },
  { name: 'purchases of messages match the payments', check: findFalseBuyers },
  { name: 'the buyer of a message has viewed it', check: findUnseen },
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
      .list('byMessage', id)
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

function findUnseen({ db }: World): string[] {
  return findViolations(db.messages.all(), ({ id, purchasedAt, isViewed }) =>
    purchasedAt === null || isViewed
      ? []
      : [`Message ${id} was bought at ${purchasedAt}, but isViewed is false.`],
  )
}

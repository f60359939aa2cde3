import { dayMs, toIso, hourMs } from '../../engine/time.ts'
import { daysAgo, ownRows, historyDays } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import type { Chat } from '../chats/chats.table.ts'
import type { Message } from '../messages/messages.table.ts'
import { newMessage } from '../messages/new-message.ts'
import { toTransaction } from '../payments/draw.ts'
import type { PaymentSizes } from '../payments/sizes.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { VaultMedia } from '../vault/vault.table.ts'
import type { MassMessage } from './mass-messages.table.ts'
import { createOccasions } from './occasion.ts'
import type { Sending } from './occasion.ts'
import type { ListReference } from './schemas.ts'
import type { MassMessageSizes } from './sizes.ts'

/** An account to seed, and what writes its messages. */
type Plan = AccountPlan<MassMessageSizes & PaymentSizes> & { occasion: (sending: Sending) => string }

const mostRecipients = 30
const audiences: readonly (readonly ListReference[])[] = [['recent'], ['fans'], ['fans', 'following'], ['friends']]

interface Recipient {
  chat: Chat
  fan: Subscription
  /** Whether the scenario sets the number of their purchases, so that the seed may add none. */
  hasSetPurchases: boolean
}

/** Seeds the mass messages of an account: sent ones with the messages and purchases of their recipients, queued ones, cancelled ones. */
export function seedMassMessages(seeding: Seeding, given: Omit<Plan, 'occasion'>): void {
  const { account, sizes, persona } = given
  const plan: Plan = { ...given, occasion: createOccasions(seeding.branch('occasions').random, persona) }
  const fans = ownRows(seeding.rows.subscriptions, account)
  const vault = ownRows(seeding.rows.vaultMedia, account)
  const withSetPurchases = new Set(fans.slice(0, sizes.transactionsPerFan.length))
  const byFan = new Map(fans.map((fan) => [fan.fanId, fan]))
  const recipients = seeding.rows.chats.flatMap((chat): Recipient[] => {
    const fan = chat.accountId === account.id ? byFan.get(chat.fanId) : undefined
    return fan === undefined ? [] : [{ chat, fan, hasSetPurchases: withSetPurchases.has(fan) }]
  })
  const received = new Map<number, string>()
  const step = Math.min(4 * dayMs, Math.floor((historyDays * dayMs) / Math.max(1, sizes.massMessages)))
  for (let index = 0; index < sizes.massMessages; index += 1) {
    // Oldest first; the newest went out a few hours ago.
    const sentAt = seeding.now - 5 * hourMs - (sizes.massMessages - 1 - index) * step - seeding.random.integer(0, Math.floor(step / 30))
    for (const { chatId, createdAt } of send(seeding, plan, { index, sentAt, recipients, vault })) received.set(chatId, createdAt)
  }
  const { chats } = seeding.rows
  for (const [position, chat] of chats.entries()) {
    const latest = received.get(chat.id)
    if (latest !== undefined && latest > chat.lastMessageAt) chats[position] = { ...chat, lastMessageAt: latest }
  }
  for (let index = 0; index < sizes.queuedMassMessages; index += 1) addUnsent(seeding, plan, { index, state: 'queued' })
  for (let index = 0; index < Math.ceil(sizes.queuedMassMessages / 4); index += 1) addUnsent(seeding, plan, { index, state: 'cancelled' })
}

/** One mass message to send: the `index`-th of its account, oldest first. */
interface MessagePlan {
  index: number
  /** Epoch ms. */
  sentAt: number
  recipients: readonly Recipient[]
  vault: readonly VaultMedia[]
}

function send(seeding: Seeding, plan: Plan, { index, sentAt, recipients, vault }: MessagePlan): Message[] {
  const { random, rows } = seeding
  const { account } = plan
  const createdAt = toIso(sentAt)
  // Of every three, the first is only text, the second has free media, the third has paid media.
  const media = index % 3 === 0 ? [] : vault.filter((each) => each.isReady && each.createdAt < createdAt).slice(-1 - (index % 2))
  const content = drawContent(seeding, plan, { at: sentAt, media, isPaid: media.length > 0 && index % 3 === 2 })
  const { text, price, lockedText, giphyId, mediaFiles, previews, rfTag, rfPartner, rfGuest } = content
  const joined = recipients.filter(({ fan }) => fan.subscribedAt < createdAt)
  const first = index % Math.max(1, joined.length - mostRecipients + 1)
  const reached = joined.slice(first, first + mostRecipients)
  const id = seeding.nextId('massMessages')
  const userIds = reached.map(({ fan }) => fan.fanId)
  rows.massMessages.push({
    ...unsentFields(account.id, id),
    ...content,
    state: 'sent',
    userIds,
    createdAt,
    sentAt: createdAt,
    sentCount: reached.length,
  })
  return reached.map(({ chat, fan, hasSetPurchases }) => {
    const messageId = seeding.nextId('messages')
    const isBought = price > 0 && !hasSetPurchases && random.chance(0.4)
    const boughtAt = isBought ? sentAt + Math.floor(random.next() * Math.min(2 * dayMs, seeding.now - sentAt)) : undefined
    if (boughtAt !== undefined)
      rows.transactions.push(toTransaction(seeding, plan, { fan, time: boughtAt, amount: price, category: 'message', messageId }))
    const message = newMessage({
      id: messageId,
      accountId: account.id,
      chatId: chat.id,
      fanId: fan.fanId,
      isFromFan: false,
      text,
      price,
      lockedText,
      giphyId,
      mediaFiles,
      previews,
      createdAt,
      isOpened: price > 0 ? isBought : random.chance(0.7),
      purchasedAt: boughtAt === undefined ? null : toIso(boughtAt),
      queueId: id,
      rfTag,
      rfPartner,
      rfGuest,
    })
    rows.messages.push(message)
    return message
  })
}

/** Adds a mass message that did not go out: the `index`-th that is queued, or that was cancelled in the queue. */
function addUnsent(seeding: Seeding, plan: Plan, { index, state }: { index: number; state: 'queued' | 'cancelled' }): void {
  const { account } = plan
  const at = seeding.now + (index * 29 + 7) * hourMs
  seeding.rows.massMessages.push({
    ...unsentFields(account.id, seeding.nextId('massMessages')),
    ...drawContent(seeding, plan, { at, media: [], isPaid: false }),
    state,
    userLists: [...(audiences[index % audiences.length] ?? [])],
    excludedLists: index % 2 === 0 ? [] : ['muted'],
    createdAt: toIso(daysAgo(seeding, 1 + index)),
    scheduledDate: toIso(at),
  })
}

function unsentFields(accountId: number, id: number) {
  return {
    id,
    accountId,
    userLists: [],
    userIds: [],
    excludedLists: [],
    excludedIds: [],
    scheduledDate: null,
    sentAt: null,
    sentCount: 0,
    goneViews: 0,
  } satisfies Partial<MassMessage>
}

function drawContent(
  { random, texts }: Seeding,
  { occasion }: Plan,
  { at, media, isPaid }: { at: number; media: readonly VaultMedia[]; isPaid: boolean },
) {
  const mediaFiles = media.map(({ id }) => id)
  return {
    text: occasion({ at, isPaid }),
    lockedText: false,
    price: isPaid ? random.pick(texts.prices.massMessages) : 0,
    mediaFiles,
    previews: isPaid ? mediaFiles.slice(0, mediaFiles.length - 1) : [],
    giphyId: null,
    rfTag: [],
    rfPartner: [],
    rfGuest: [],
  }
}

import { toHtml } from '../../engine/text.ts'
import { dayMs, toIso } from '../../engine/time.ts'
import { daysAgo, ownRows, historyDays } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import type { Chat } from '../chats/chats.table.ts'
import type { Message } from '../messages/messages.table.ts'
import { toTransaction } from '../payments/draw.ts'
import type { PaymentSizes } from '../payments/sizes.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { VaultMedia } from '../vault/vault.table.ts'
import type { MassMessage } from './mass-messages.table.ts'
import type { ListReference } from './schemas.ts'
import type { MassMessageSizes } from './sizes.ts'

type Plan = AccountPlan<MassMessageSizes & PaymentSizes>

const hourMs = 3_600_000
const mostRecipients = 30
const audiences: readonly (readonly ListReference[])[] = [['recent'], ['fans'], ['fans', 'following'], ['friends']]

interface Recipient {
  chat: Chat
  fan: Subscription
  /** Whether their purchases are given by number, so that there must be no others. */
  isCounted: boolean
}

/** Seeds the mass messages of an account: those that went out, with what their recipients got and bought, the queue, and what was cancelled. */
export function seedMassMessages(seeding: Seeding, plan: Plan): void {
  const { account, sizes } = plan
  const fans = ownRows(seeding.rows.subscriptions, account)
  const vault = ownRows(seeding.rows.vaultMedia, account)
  const counted = new Set(fans.slice(0, sizes.transactionsPerFan.length))
  const byFan = new Map(fans.map((fan) => [fan.fanId, fan]))
  const recipients = seeding.rows.chats.flatMap((chat): Recipient[] => {
    const fan = chat.accountId === account.id ? byFan.get(chat.fanId) : undefined
    return fan === undefined ? [] : [{ chat, fan, isCounted: counted.has(fan) }]
  })
  const received = new Map<number, string>()
  const step = Math.min(4 * dayMs, Math.floor((historyDays * dayMs) / Math.max(1, sizes.massMessages)))
  for (let place = 0; place < sizes.massMessages; place += 1) {
    // Oldest first; the newest went out a few hours ago.
    const sentAt = seeding.now - 5 * hourMs - (sizes.massMessages - 1 - place) * step - seeding.random.integer(0, Math.floor(step / 30))
    for (const { chatId, createdAt } of send(seeding, plan, { place, sentAt, recipients, vault })) received.set(chatId, createdAt)
  }
  const { chats } = seeding.rows
  for (const [index, chat] of chats.entries()) {
    const latest = received.get(chat.id)
    if (latest !== undefined && latest > chat.lastMessageAt) chats[index] = { ...chat, lastMessageAt: latest }
  }
  for (let place = 0; place < sizes.queuedMassMessages; place += 1) queue(seeding, plan, { place, state: 'queued' })
  for (let place = 0; place < Math.ceil(sizes.queuedMassMessages / 4); place += 1) queue(seeding, plan, { place, state: 'cancelled' })
}

interface Sending {
  place: number
  sentAt: number
  recipients: readonly Recipient[]
  vault: readonly VaultMedia[]
}

function send(seeding: Seeding, plan: Plan, { place, sentAt, recipients, vault }: Sending): Message[] {
  const { random, rows } = seeding
  const { account } = plan
  const createdAt = toIso(sentAt)
  const media = place % 3 === 0 ? [] : vault.filter((each) => each.isReady && each.createdAt < createdAt).slice(-1 - (place % 2))
  const content = contentOf(seeding, media, media.length > 0 && place % 3 === 2)
  const { text, price, lockedText, giphyId, mediaFiles, previews, rfTag, rfPartner, rfGuest } = content
  const joined = recipients.filter(({ fan }) => fan.subscribedAt < createdAt)
  const first = place % Math.max(1, joined.length - mostRecipients + 1)
  const reached = joined.slice(first, first + mostRecipients)
  const id = seeding.nextId('massMessages')
  const userIds = reached.map(({ fan }) => fan.fanId)
  rows.massMessages.push({
    ...unsent(account.id, id),
    ...content,
    state: 'sent',
    userIds,
    createdAt,
    sentAt: createdAt,
    sentCount: reached.length,
  })
  return reached.map(({ chat, fan, isCounted }) => {
    const messageId = seeding.nextId('messages')
    const boughtAt =
      price > 0 && !isCounted && random.chance(0.4)
        ? sentAt + Math.floor(random.next() * Math.min(2 * dayMs, seeding.now - sentAt))
        : undefined
    if (boughtAt !== undefined)
      rows.transactions.push(toTransaction(seeding, plan, { fan, time: boughtAt, amount: price, category: 'message', messageId }))
    // Written out: spreading the content into each of so many would take ten times as long.
    const message: Message = {
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
      mediaReadyAt: null,
      createdAt,
      changedAt: createdAt,
      isTip: false,
      isLiked: false,
      isPinned: false,
      isOpened: price > 0 ? boughtAt !== undefined : random.chance(0.7),
      isViewed: false,
      purchasedAt: boughtAt === undefined ? null : toIso(boughtAt),
      queueId: id,
      replyToMessageId: null,
      rfTag,
      rfPartner,
      rfGuest,
    }
    rows.messages.push(message)
    return message
  })
}

function queue(seeding: Seeding, { account }: Plan, { place, state }: { place: number; state: 'queued' | 'cancelled' }): void {
  const scheduledDate = toIso(seeding.now + (place * 29 + 7) * hourMs)
  seeding.rows.massMessages.push({
    ...unsent(account.id, seeding.nextId('massMessages')),
    ...contentOf(seeding, [], false),
    state,
    userLists: [...(audiences[place % audiences.length] ?? [])],
    excludedLists: place % 2 === 0 ? [] : ['muted'],
    createdAt: toIso(daysAgo(seeding, 1 + place)),
    scheduledDate,
  })
}

function unsent(accountId: number, id: number) {
  return {
    id,
    accountId,
    userLists: [],
    userIds: [],
    excludedLists: [],
    excludedIds: [],
    mediaReadyAt: null,
    scheduledDate: null,
    sentAt: null,
    sentCount: 0,
    goneViews: 0,
  } satisfies Partial<MassMessage>
}

function contentOf({ random, texts }: Seeding, media: readonly VaultMedia[], isPaid: boolean) {
  const mediaFiles = media.map(({ id }) => id)
  return {
    text: toHtml(random.pick(texts.massMessages)),
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

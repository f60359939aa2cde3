import type { z } from 'zod'
import { toPlainText } from '../../engine/text.ts'
import type { World } from '../../world/world.ts'
import { plainMessage } from '../messages/messages.ts'
import type { MessageItem } from '../messages/schemas.ts'
import { messageItem } from '../messages/view.ts'
import type { MassMessage } from './mass-messages.table.ts'
import { purchasesOf, unsendSecondsOf, viewsOf } from './mass-messages.ts'
import type { MassMessageDetails, MassMessageItem, MassMessageStats } from './schemas.ts'

const croppedLength = 100

/** The mass message as its sending and the queue show it. */
export function toQueueItem(world: World, item: MassMessage): z.input<typeof MassMessageItem> {
  const { isMediaReady, isCouplePeopleMedia } = toMessage(world, item)
  const isDone = item.sentAt !== null
  return {
    id: item.id,
    date: dateOf(item),
    isReady: isMediaReady,
    isDone,
    hasError: false,
    ...unsendingOf(world, item),
    isCouplePeopleMedia,
    total: isDone ? item.sentCount : -1,
    pending: 0,
  }
}

/** The mass message in full. */
export function toDetails(world: World, item: MassMessage): z.input<typeof MassMessageDetails> {
  const { media, releaseForms, isFree } = toMessage(world, item)
  const plain = toPlainText(item.text)
  const types = [...new Set(media.map(({ type }) => type))]
  return {
    success: true,
    queue: {
      id: item.id,
      date: dateOf(item),
      text: item.text,
      giphyId: item.giphyId,
      textCropped: plain.length > croppedLength ? `${plain.slice(0, croppedLength)}…` : plain,
      isFree,
      sentCount: item.sentCount,
      viewedCount: viewsOf(world, item),
      ...unsendingOf(world, item),
      mediaTypes: types.length === 0 ? null : types,
      hasError: false,
      releaseForms,
    },
  }
}

/** The mass message as a row of the statistics. */
export function toStatsRow(world: World, item: MassMessage): z.input<typeof MassMessageStats> {
  const { media, mediaCount, previews, isFree, price } = toMessage(world, item)
  const purchasedCount = purchasesOf(world, item)
  return {
    id: item.id,
    date: dateOf(item),
    text: item.text,
    rawText: toPlainText(item.text),
    giphyId: item.giphyId,
    isFree,
    price,
    sentCount: item.sentCount,
    viewedCount: viewsOf(world, item),
    purchasedCount,
    mediaCount,
    media,
    previews,
    ...unsendingOf(world, item),
    canSendMessageToBuyers: purchasedCount > 0,
  }
}

/** A mass message that has yet to go out, as the message that its recipients will get. */
export function toMessage(world: World, item: MassMessage): MessageItem {
  const { id, accountId, text, lockedText, price, mediaFiles, previews, giphyId, mediaReadyAt, rfTag, rfPartner, rfGuest, createdAt } = item
  const content = { text, lockedText, price, mediaFiles, previews, giphyId, mediaReadyAt, rfTag, rfPartner, rfGuest }
  const message = messageItem(
    world,
    { ...plainMessage, ...content, id, accountId, chatId: 0, fanId: 0, isFromFan: false, createdAt, changedAt: createdAt, queueId: id },
    'all',
  )
  const seconds = unsendSecondsOf(world, item)
  return { ...message, canUnsendQueue: seconds > 0, unsendSecondsQueue: seconds, cancelSeconds: seconds }
}

function dateOf({ sentAt, scheduledDate, createdAt }: MassMessage): string {
  return sentAt ?? scheduledDate ?? createdAt
}

function unsendingOf(world: World, item: MassMessage) {
  const seconds = unsendSecondsOf(world, item)
  return { isCanceled: item.state === 'cancelled', canUnsend: seconds > 0, unsendSeconds: seconds }
}

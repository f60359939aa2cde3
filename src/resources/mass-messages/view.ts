import type { z } from 'zod'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { truncateText, toPlainText } from '../../lib/text.ts'
import { toPlatformTime } from '../../lib/time.ts'
import type { PlatformTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { createMessage, pickMessageContent } from '../messages/messages.ts'
import type { MessageItem } from '../messages/schemas.ts'
import { toMessageItem } from '../messages/view.ts'
import { getListMembers, requireUserList } from '../user-lists/user-lists.ts'
import type { MassMessage } from './mass-messages.table.ts'
import { getRemainingUnsendSeconds, countMassMessageViews } from './mass-messages.ts'
import type {
  FanListItem,
  MassMessageDetails,
  MassMessageItem,
  MassMessageStats,
} from './schemas.ts'

const croppedLength = 100

/** Converts a mass message to the form that the queue and the creation route return. */
export function toQueueItem(world: World, item: MassMessage): z.input<typeof MassMessageItem> {
  const { media, isMediaReady, isCouplePeopleMedia } = toRecipientMessage(world, item)
  const isDone = item.sentAt !== null
  return {
    id: item.id,
    date: getMessageDate(item),
    isReady: isMediaReady,
    isDone,
    hasError: hasSendingError(item, media),
    ...getUnsendFields(world, item),
    isCouplePeopleMedia,
    total: isDone ? item.sentCount : -1,
    pending: 0,
  }
}

/** Converts a mass message to its detailed form. */
export function toMassMessageDetails(
  world: World,
  item: MassMessage,
): z.input<typeof MassMessageDetails> {
  const { media, releaseForms, isFree } = toRecipientMessage(world, item)
  const types = [...new Set(media.map(({ type }) => type))]
  return {
    success: true,
    queue: {
      id: item.id,
      date: getMessageDate(item),
      text: item.text,
      giphyId: item.giphyId,
      textCropped: truncateText(toPlainText(item.text), croppedLength),
      isFree,
      sentCount: item.sentCount,
      viewedCount: countMassMessageViews(world, item),
      ...getUnsendFields(world, item),
      mediaTypes: types.length === 0 ? null : types,
      hasError: hasSendingError(item, media),
      releaseForms,
    },
  }
}

/** Converts a mass message to a row of the statistics. */
export function toMassMessageStats(
  world: World,
  item: MassMessage,
): z.input<typeof MassMessageStats> {
  const { mediaCount, price, isFree } = toRecipientMessage(world, item)
  const { id, text, sentCount } = item
  return {
    id,
    date: getMessageDate(item),
    text,
    sentCount,
    viewedCount: countMassMessageViews(world, item),
    mediaCount,
    price,
    isFree,
  }
}

/** Converts a mass message to the message that each recipient gets. */
export function toRecipientMessage(world: World, item: MassMessage): MessageItem {
  const { id, accountId, createdAt } = item
  const copy = createMessage({
    ...pickMessageContent(item),
    id,
    accountId,
    chatId: 0,
    fanId: 0,
    isFromFan: false,
    createdAt,
    queueId: id,
  })
  const cancelSeconds = getRemainingUnsendSeconds(world, item)
  return { ...toMessageItem(world, copy, 'all'), cancelSeconds }
}

/** Converts a user list, given by id or slug, to the API form of a recipient list. */
export function toRecipientList(
  world: World,
  account: Account,
  listId: number | string,
): z.input<typeof FanListItem> {
  const list = requireUserList(world, account, listId)
  return {
    id: list.id,
    type: list.type,
    name: list.name,
    usersCount: getListMembers(world, account, list).size,
  }
}

function getMessageDate({ sentAt, scheduledDate, createdAt }: MassMessage): PlatformTime {
  return toPlatformTime(sentAt ?? scheduledDate ?? createdAt)
}

/** True if a media item has an error, or the message could not be sent. */
function hasSendingError(
  { cancelReason }: MassMessage,
  media: readonly { hasError: boolean }[],
): boolean {
  return cancelReason !== undefined || media.some(({ hasError }) => hasError)
}

function getUnsendFields(world: World, item: MassMessage) {
  const seconds = getRemainingUnsendSeconds(world, item)
  return { isCanceled: item.state === 'cancelled', canUnsend: seconds > 0, unsendSeconds: seconds }
}

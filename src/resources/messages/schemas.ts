import { z } from 'zod'
import {
  mediaIds,
  platformTime,
  taggedPeople,
  unlockPrice,
  lazyInferredObject,
  lazyObject,
  lazyInferredList,
} from '../../lib/fields.ts'
import { MediaFiles, MediaType, VideoSources } from '../media/schemas.ts'
import { UserView } from '../users/schemas.ts'

const maxTextLength = 10_000
const maxMedia = 60

/** A media item of a message. */
export const MessageMedia = lazyInferredObject(() => ({
  id: z.int(),
  type: MediaType,
  convertedToVideo: z.boolean(),
  canView: z.boolean(),
  hasError: z.boolean(),
  hasCustomPreview: z.boolean(),
  isReady: z.boolean(),
  createdAt: platformTime,
  duration: z.number().describe('Seconds. 0 for photos.'),
  files: MediaFiles,
  videoSources: VideoSources,
}))

/** A person tagged in a message. */
export const MessageTag = lazyInferredObject(() => ({
  id: z.int(),
  type: z.enum(['tag', 'partner', 'guest']),
}))

/** A message in a chat. The API reference does not document its fields. */
export const MessageItem = lazyInferredObject(() => ({
  responseType: z.literal('message'),
  id: z.int(),
  text: z.string().describe('HTML.'),
  fromUser: UserView,
  createdAt: platformTime,
  changedAt: platformTime,
  isFree: z.boolean(),
  price: z.number().describe('Price to unlock the message, in dollars. 0: free.'),
  lockedText: z.boolean().describe('True if the text is also locked.'),
  giphyId: z.string().nullable(),
  mediaCount: z.int(),
  media: z.array(MessageMedia),
  previews: z.array(z.int()).describe('Ids of the media shown before the purchase.'),
  isMediaReady: z.boolean().describe('True if all attached media are transcoded.'),
  isTip: z.boolean(),
  isLiked: z.boolean(),
  isPinned: z.boolean(),
  canBePinned: z.boolean(),
  isOpened: z
    .boolean()
    .describe(
      'True if the recipient has seen the message. For a paid message, true only if the ' +
        'recipient bought the message.',
    ),
  isNew: z
    .boolean()
    .describe('True if the message is from the fan and the account has not read it.'),
  isFromQueue: z.boolean(),
  queueId: z
    .int()
    .optional()
    .describe('The id of the mass message, if this message is a copy of one.'),
  canUnsendQueue: z.boolean().optional().describe('Present only on copies of a mass message.'),
  unsendSecondsQueue: z.int().optional().describe('Present only on copies of a mass message.'),
  cancelSeconds: z
    .int()
    .describe('Seconds left to unsend the message. 0 if the message can no longer be unsent.'),
  replyToMessageId: z.int().nullable(),
  canPurchase: z.boolean(),
  canPurchaseReason: z.enum(['free', 'opened', 'not_opened']),
  canReport: z.boolean(),
  isReportedByMe: z.boolean(),
  isCouplePeopleMedia: z.boolean(),
  isMarkdownDisabled: z.boolean(),
  releaseForms: z.array(MessageTag),
}))
export type MessageItem = z.infer<typeof MessageItem>

/** A page of messages. */
export const MessagePage = lazyInferredList(MessageItem)

/** A page of the messages with media. */
export const MessageMediaPage = lazyInferredObject(() => ({
  list: z.array(MessageItem),
  hasMore: z.boolean(),
  nextLastId: z
    .int()
    .nullable()
    .describe('The last_id to send for the next page. Null on the last page.'),
}))

/** Response of the routes that like, unlike, pin and unpin a message. */
export const WithUser = lazyInferredObject(() => ({ withUserId: z.int() }))

/** Query parameter that selects between short references to users and full users. */
export const skipUsers = z
  .enum(['all', 'none'])
  .default('all')
  .describe('all: users are short references. none: users have all fields.')

const messageMedia = () => mediaIds.max(maxMedia).default([])
const people = () => taggedPeople.default([])

/** The content of a message to one or more fans. */
export const MessageBody = lazyObject(() => ({
  text: z
    .string()
    .max(maxTextLength)
    .describe(
      'Stored as HTML. May be empty or only white space if there are mediaFiles or a giphyId.',
    ),
  lockedText: z.boolean().default(false).describe('True if the text is also locked.'),
  price: unlockPrice
    .default(0)
    .describe(
      'Price to unlock the message: 3 to 200 dollars, or 0 for free. A price requires mediaFiles.',
    ),
  mediaFiles: messageMedia().describe('Ids of vault media to attach.'),
  previews: messageMedia().describe('Ids from mediaFiles that are shown before the purchase.'),
  giphyId: z.string().min(1).max(100).optional(),
  rfTag: people().describe('Creator user ids.'),
  rfPartner: people().describe('Partner ids.'),
  rfGuest: people().describe('Guest ids.'),
}))
export type MessageBody = z.infer<typeof MessageBody>

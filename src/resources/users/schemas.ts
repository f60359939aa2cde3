import { z } from 'zod'
import {
  markAsInferred,
  platformTime,
  ShortUser,
  lazyInferredObject,
  lazyObject,
  lazyInferredList,
} from '../../lib/fields.ts'

export { ShortUser }

const flag = markAsInferred(z.boolean())
const text = markAsInferred(z.string())
const amount = markAsInferred(z.number())
const time = markAsInferred(platformTime)
const timeOrNull = markAsInferred(platformTime.nullable())

/** One period of a subscription, paid or free. */
export const SubscribePeriod = lazyInferredObject(() => ({
  id: z.int(),
  userId: z.int().describe('The creator.'),
  subscriberId: z.int(),
  earningId: z.int(),
  date: platformTime.describe(
    'Time of the payment, or start of a free subscription. For a prepaid period, it is ' +
      'before startDate.',
  ),
  startDate: platformTime,
  expireDate: platformTime,
  cancelDate: platformTime.nullable().describe('The end of the latest period, if renewal is off.'),
  offerStart: platformTime.nullable(),
  offerEnd: platformTime.nullable(),
  duration: z.int().describe('Days.'),
  price: z.number(),
  regularPrice: z.number(),
  discount: z.number().describe('Percent.'),
  action: z.string().describe('subscribe for the first period, renew for later ones.'),
  type: z.string().describe('paid or free.'),
  isCurrent: z.boolean(),
}))

const relation = {
  price: amount,
  newPrice: amount,
  regularPrice: amount,
  subscribePrice: amount,
  discountPercent: markAsInferred(z.int()),
  discountPeriod: markAsInferred(z.int()),
  discountStartedAt: timeOrNull,
  discountFinishedAt: timeOrNull,
  renewedAt: markAsInferred(
    platformTime
      .nullable()
      .describe('Date of the latest renewal. Null if the fan has not renewed.'),
  ),
  subscribeAt: time,
  status: markAsInferred(z.string().nullable().describe('expired after the end.')),
  isMuted: flag,
  unsubscribeReason: text,
  hasActivePaidSubscriptions: flag,
  subscribes: markAsInferred(z.array(SubscribePeriod).describe('Newest first.')),
}

/** The account's own subscription to a creator. */
export const SubscribedByData = lazyInferredObject(() => ({
  ...relation,
  duration: z.string(),
  expiredAt: platformTime,
}))

/** A fan's subscription to the account, and their spending. Dollars. */
export const SubscribedOnData = lazyObject(() => ({
  ...relation,
  date: platformTime.describe('Time of the first subscription.'),
  duration: z.string().describe('A string such as `3 months`.'),
  expiredAt: platformTime,
  totalSumm: z.number(),
  tipsSumm: z.number(),
  subscribesSumm: amount,
  messagesSumm: amount,
  postsSumm: amount,
  streamsSumm: markAsInferred(
    z.number().describe('Payments for unlocked streams, which are not in postsSumm.'),
  ),
  lastActivity: time,
  recommendations: markAsInferred(z.int()),
}))

/** A user list of the account, with a flag that is true if the user is a member. */
export const UserListState = lazyInferredObject(() => ({
  id: z.union([z.int(), z.string()]),
  type: z.string(),
  name: z.string(),
  hasUser: z.boolean(),
  canAddUser: z.boolean(),
  cannotAddUserReason: z.string().nullable(),
}))

/**
 * A user as seen by an account. Subscribers, claimers, list members and fan details have this
 * format.
 */
export const UserObject = lazyObject(() => ({
  id: z.int(),
  name: z.string(),
  username: z.string(),
  displayName: z.string().describe("The platform's display name. Empty if not set."),
  avatar: z.string().nullable(),
  header: markAsInferred(z.string().nullable()),
  avatarThumbs: markAsInferred(z.object({ c50: z.string(), c144: z.string() }).nullable()),
  headerSize: markAsInferred(z.object({ width: z.int(), height: z.int() }).nullable()),
  headerThumbs: markAsInferred(z.object({ w480: z.string(), w760: z.string() }).nullable()),
  notice: z.string().describe("The platform's subscriber note."),
  lastSeen: platformTime.nullable(),
  isActive: markAsInferred(z.boolean().describe('False for a closed profile.')),
  isBlocked: flag,
  isRestricted: flag,
  isVerified: flag,
  isPerformer: flag,
  isRealPerformer: flag,
  isPendingAutoprolong: markAsInferred(
    z.boolean().describe('True if the subscription ended although renewal was on.'),
  ),
  subscribePrice: z.number(),
  currentSubscribePrice: amount,
  subscribedBy: markAsInferred(z.boolean().describe('True if the account follows the user.')),
  subscribedByAutoprolong: flag,
  subscribedByExpire: markAsInferred(
    z.boolean().describe('True if automatic renewal of this subscription is off.'),
  ),
  subscribedIsExpiredNow: flag,
  subscribedByExpireDate: timeOrNull,
  subscribedByData: markAsInferred(SubscribedByData.nullable()),
  subscribedOnData: SubscribedOnData.nullable().describe(
    'null for a user who never subscribed to the account.',
  ),
  subscribedOn: markAsInferred(
    z.boolean().describe('True if the user is subscribed to the account now.'),
  ),
  subscribedOnExpiredNow: flag,
  subscribedOnDuration: text,
  canReport: flag,
  canRestrict: flag,
  canUnsubscribe: flag,
  canReceiveChatMessage: flag,
  hideChat: flag,
  canTrialSend: flag,
  canAddSubscriber: flag,
  listsStates: markAsInferred(z.array(UserListState).describe("The account's custom lists.")),
  tipsEnabled: flag,
  tipsTextEnabled: flag,
  tipsMin: amount,
  tipsMax: amount,
  tipsMinInternal: amount,
}))
export type UserObject = z.infer<typeof UserObject>

/** A user with all fields, or a short reference if the request asks to skip users. */
export const UserView = z.lazy(() => z.union([UserObject, ShortUser]))
export type UserView = z.infer<typeof UserView>

/** A page of users. */
export const UserPage = lazyInferredList(UserObject)

const count = z.int().nullable()

/** A user's profile. */
export const UserProfile = z.lazy(() =>
  markAsInferred(
    UserObject.unwrap().extend({
      about: z.string(),
      website: z.string().nullable(),
      wishlist: z.string().nullable(),
      location: z.string().nullable(),
      joinDate: platformTime.nullable(),
      postsCount: count,
      photosCount: count,
      videosCount: count,
      audiosCount: count,
      mediasCount: count,
      archivedPostsCount: count,
      privateArchivedPostsCount: count,
      favoritedCount: count,
      favoritesCount: count,
      subscribersCount: count,
    }),
  ),
)
export type UserProfile = z.infer<typeof UserProfile>

/** The account's own profile. */
export const CurrentAccount = z.lazy(() =>
  markAsInferred(
    UserProfile.unwrap().extend({
      email: z.string(),
      isAuth: z.boolean(),
      notificationsCount: z.int().describe('Unread notifications.'),
      chatMessagesCount: z.int().describe('Chats with unread messages.'),
      subscribersCount: z.int(),
      hasNewAlerts: z.boolean(),
    }),
  ),
)

import type { JsonFragment } from '../../lib/json-fragment.ts'
import { toPictureUrl, toClientUrl, userPictures } from '../../world/public-files.ts'
import type { UserPicture } from '../../world/public-files.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { toPlatformTime, parseIso } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { createDeletedFields } from '../fans/fans.table.ts'
import type { Fan } from '../fans/fans.table.ts'
import { getVisibleLastSeen } from '../fans/fan-values.ts'
import { tipTerms } from '../payments/fees.ts'
import { toFollowedData, toSubscriberData } from '../subscribers/subscriber-data.ts'
import { findSubscription } from '../subscribers/find-subscription.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { formatSubscriptionMonths } from '../subscribers/subscriptions.ts'
import { listCustomLists, isListMember } from '../user-lists/user-lists.ts'
import type { Follow, UserMark } from './users.table.ts'
import { getFollowEnd, findFollow, isFollowing } from './follows.ts'
import { findUserMark, requireUser, findUser } from './marks.ts'
import type { UserObject, UserView } from './schemas.ts'
import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'

/** Value of `_view` in a short reference. */
export const shortView = 's'

/** Returns a short reference to a user. */
export function toUserReference(id: number): { id: number; _view: string } {
  return { id, _view: shortView }
}

/** True if the platform has verified a user. Only performers are verified. */
export function isVerifiedUser(user: Fan | Account): boolean {
  return isPerformer(user) && user.id % 5 !== 0
}

/** Returns a user with all fields, or a short reference if the request asks to skip users. */
export function toUserView(
  world: World,
  accountId: number,
  userId: number,
  skip: 'all' | 'none',
): UserView {
  return skip === 'all' ? toUserReference(userId) : createUserObject(world, accountId, userId)
}

/**
 * Returns a user (fan, creator or other account) as seen by the account, serialised.
 * @throws {ApiError} user_unknown
 */
export function serialiseUser(
  world: World,
  accountId: number,
  userId: number,
): JsonFragment<UserObject> {
  return world.json(toUserObject, requireUser(world, userId), accountId)
}

/**
 * Returns a user (fan, creator or other account) as seen by the account.
 * @throws {ApiError} user_unknown
 */
export function createUserObject(world: World, accountId: number, userId: number): UserObject {
  return world.cached(toUserObject, requireUser(world, userId), accountId)
}

function toUserObject(world: World, user: Fan | Account, accountId: number): UserObject {
  const userId = user.id
  const isSelf = userId === accountId
  const isDeleted = 'isDeleted' in user && user.isDeleted === true
  const performs = isPerformer(user)
  const verified = isVerifiedUser(user)
  // All flags of a deleted user are false.
  const marks = isDeleted ? undefined : findUserMark(world, accountId, userId)
  const subscription = isDeleted ? undefined : findSubscription(world, accountId, userId)
  const follow = isDeleted ? undefined : findFollow(world, accountId, userId)
  const isSubscribed = subscription !== undefined && !subscription.isExpired
  return {
    id: user.id,
    name: user.name,
    username: user.username,
    displayName: subscription?.displayName ?? '',
    ...getPictures(world, user, performs),
    notice: subscription?.notice ?? '',
    lastSeen: 'lastSeen' in user ? getVisibleLastSeen(user) : null,
    isActive: 'isActive' in user ? (user.isActive ?? true) : true,
    isBlocked: marks?.blockedAt != null,
    isRestricted: marks?.restrictedAt != null,
    isVerified: verified,
    isPerformer: performs,
    isRealPerformer: verified,
    isPendingAutoprolong:
      subscription !== undefined && subscription.isExpired && subscription.isAutoprolong,
    subscribePrice: user.subscribePrice,
    currentSubscribePrice: follow?.price ?? user.subscribePrice,
    ...getFollowFields(world, follow),
    subscribedOnData: subscription === undefined ? null : toSubscriberData(world, subscription),
    subscribedOn: isSubscribed,
    subscribedOnExpiredNow: subscription?.isExpired ?? false,
    subscribedOnDuration:
      subscription === undefined ? '' : formatSubscriptionMonths(subscription, world.clock),
    ...getAllowedActions({
      canAct: !isSelf && !isDeleted,
      isClosed: 'isActive' in user && user.isActive === false,
      marks,
      subscription,
      isSubscribed,
      isFollowed: follow !== undefined && isFollowing(follow, world.clock),
    }),
    listsStates: listCustomLists(world, accountId).map(({ id, name }) => {
      const hasUser = isListMember(world, id, userId)
      const cannotAddUserReason = explainNotAddable(hasUser, isSelf, isDeleted)
      return {
        id,
        type: 'custom',
        name,
        hasUser,
        canAddUser: cannotAddUserReason === null,
        cannotAddUserReason,
      }
    }),
    tipsEnabled: performs,
    tipsTextEnabled: performs,
    tipsMin: tipTerms.min,
    tipsMax: tipTerms.max,
    tipsMinInternal: 1,
  }
}

function isPerformer(user: Fan | Account): boolean {
  return 'connected' in user || user.subscribePrice > 0
}

/** Returns the reason why a user cannot be added to a list. Null if the user can be added. */
function explainNotAddable(hasUser: boolean, isSelf: boolean, isDeleted: boolean): string | null {
  if (hasUser) return 'already_in_list'
  if (isDeleted) return 'deleted_profile'
  return isSelf ? 'own_profile' : null
}

/** Returns the avatar and the header of a profile. Only performers have a header. */
function getPictures(
  world: World,
  { id, avatar }: Fan | Account,
  isPerformer: boolean,
): Pick<UserObject, 'avatar' | 'avatarThumbs' | 'header' | 'headerSize' | 'headerThumbs'> {
  const address = (picture: UserPicture) => toClientUrl(world, toPictureUrl(id, picture))
  return {
    avatar: toClientUrl(world, avatar),
    avatarThumbs:
      avatar === null ? null : { c50: address('avatar_c50'), c144: address('avatar_c144') },
    header: isPerformer ? address('header') : null,
    headerSize: isPerformer
      ? { width: userPictures.header.width, height: userPictures.header.height }
      : null,
    headerThumbs: isPerformer
      ? { w480: address('header_w480'), w760: address('header_w760') }
      : null,
  }
}

/** Returns the fields about the account's own subscription to the user. */
function getFollowFields(world: World, follow: Follow | undefined) {
  const isRunning = follow !== undefined && isFollowing(follow, world.clock)
  return {
    subscribedBy: isRunning,
    subscribedByAutoprolong: follow?.isAutoprolong ?? false,
    subscribedByExpire: follow !== undefined && !follow.isAutoprolong,
    subscribedIsExpiredNow: follow !== undefined && !isRunning,
    subscribedByExpireDate:
      follow === undefined ? null : toPlatformTime(getFollowEnd(follow, world.clock)),
    subscribedByData: follow === undefined ? null : toFollowedData(world, follow),
  }
}

/** The relation between a user and the account. */
interface UserRelation {
  /** False if the user is the account itself, or has deleted their profile. */
  canAct: boolean
  marks: UserMark | undefined
  subscription: Subscription | undefined
  isSubscribed: boolean
  isFollowed: boolean
  /** True if the user has closed their profile. */
  isClosed: boolean
}

/** Returns the actions that the account may perform on the user. */
function getAllowedActions(relation: UserRelation) {
  const { canAct, isClosed, marks, subscription, isSubscribed, isFollowed } = relation
  const isBlocked = marks?.blockedAt != null
  return {
    canReport: canAct && marks?.reportedAt == null,
    canRestrict: canAct && !isBlocked && marks?.restrictedAt == null,
    canUnsubscribe: isFollowed,
    canReceiveChatMessage: !isBlocked && !isClosed && (subscription !== undefined || isFollowed),
    hideChat: false,
    canTrialSend: canAct && !isBlocked && !isSubscribed,
    canAddSubscriber: canAct && !isBlocked && !isSubscribed,
  }
}

export const userInvariants: readonly Invariant<World>[] = [
  { name: 'users in release forms exist', check: findUnknownUsers },
  { name: 'no period of a follow begins in the future', check: findFuturePeriods },
  { name: 'each username belongs to one user', check: findSharedUsernames },
  { name: 'nothing but the id is left of deleted users', check: findRemains },
]

function findRemains({ db }: World): string[] {
  return findViolations(db.fans.where({ isDeleted: true }), (fan) => {
    const subscriptions = db.subscriptions.list('byFanAcrossAccounts', fan.id)
    const marks = db.userMarks.where({ userId: fan.id })
    const lists = db.userListMembers.where({ userId: fan.id })
    const isBare = Object.entries(createDeletedFields(fan.id)).every(
      ([field, value]) => fan[field as keyof Fan] === value,
    )
    const isLeft = subscriptions.every(
      ({ isDeleted, notice, displayName }) =>
        isDeleted === true && notice === '' && displayName === '',
    )
    if (isBare && isLeft && marks.length + lists.length === 0) return []
    return [
      `The user ${fan.id} is deleted, but still has a name, a picture, marks, lists or the notes ` +
        'of a subscription. Delete users with the action user.delete.',
    ]
  })
}

function findUnknownUsers(world: World): string[] {
  return findViolations(world.db.releaseForms.all(), ({ id, user }) =>
    findUser(world, user.id) === undefined
      ? [`The release form ${id} refers to user ${user.id}, who does not exist.`]
      : [],
  )
}

function findSharedUsernames({ db }: World): string[] {
  const owners = new Map<string, number>()
  const fans = db.fans.all().filter(({ id, isDeleted }) => !isDeleted && !db.accounts.get(id))
  const users = [...db.accounts.all(), ...fans]
  return findViolations(users, ({ id, username }) => {
    const key = username.toLowerCase()
    const other = owners.get(key)
    owners.set(key, id)
    return other === undefined
      ? []
      : [`The users ${other} and ${id} have the same username ${username}.`]
  })
}

function findFuturePeriods(world: World): string[] {
  const now = world.clock.now()
  return findViolations(world.db.follows.all(), (follow) => {
    const { renewedAt, subscribes } = toFollowedData(world, follow)
    const later = [
      renewedAt,
      ...subscribes.flatMap(({ date, startDate }) => [date, startDate]),
    ].find((time) => time !== null && parseIso(time) > now)
    return later === undefined
      ? []
      : [
          `The follow ${follow.id} has a period that starts at ${later}, but the time is ` +
            `only ${world.clock.iso()}.`,
        ]
  })
}

import type { ChangeListener } from '../../data/change-log.ts'
import { getNextTieNumber } from '../../data/sorted-list.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createApiError, createInvalidParameterError } from '../../errors.ts'
import type { World } from '../world.ts'
import { toFanKey } from '../fans/fans.table.ts'
import type { Fan } from '../fans/fans.table.ts'
import { findSubscription } from '../subscribers/find-subscription.ts'
import type { UserMark } from './users.table.ts'

/**
 * Returns the user with the given id: a fan, a creator or an account.
 * @throws {ApiError} user_unknown
 */
export function requireUser(world: World, userId: number): Fan | Account {
  const user = findUser(world, userId)
  if (user === undefined) throw createApiError('user_unknown', { user: userId })
  return user
}

/**
 * Returns the user on whom the account acts. Rejects the account itself, because an account cannot
 * act on its own profile, and users who deleted their profile.
 * @throws {ApiError} user_unknown, fan_deleted, parameter_invalid
 */
export function requireOtherUser(world: World, accountId: number, userId: number): Fan | Account {
  if (userId === accountId)
    throw createInvalidParameterError(
      'Path parameter',
      'user_id',
      userId,
      'it must not be the id of the account itself',
    )
  requireNotDeleted(world, accountId, userId)
  return requireUser(world, userId)
}

/**
 * Returns the user with the given id: a fan, a creator or an account. Undefined if there is none.
 */
export function findUser(world: World, userId: number): Fan | Account | undefined {
  return world.db.accounts.get(userId) ?? world.db.fans.get(userId)
}

/** True if the user has deleted their profile. */
export function isDeletedUser(world: World, userId: number): boolean {
  return world.db.fans.in('deleted', userId).size > 0
}

/** True if rankings contain the fan, whom the account has not blocked and who is not deleted. */
export function isRankedFan(world: World, accountId: number, fanId: number): boolean {
  return findUserMark(world, accountId, fanId)?.blockedAt == null && !isDeletedUser(world, fanId)
}

/**
 * Checks that the account may change something about the user.
 * @throws {ApiError} fan_deleted if the user has deleted their profile
 */
export function requireNotDeleted(world: World, accountId: number, userId: number): void {
  if (isDeletedUser(world, userId))
    throw createApiError('fan_deleted', { account_id: accountId, user_id: userId })
}

/** Returns the account's marks on a user. Undefined if the account never marked the user. */
export function findUserMark(
  world: World,
  accountId: number,
  userId: number,
): UserMark | undefined {
  return world.db.userMarks.get(toFanKey(accountId, userId))
}

/**
 * Blocks, unblocks or restricts the user, or lifts the restriction. Blocking or restricting again
 * keeps the time of the first mark.
 */
export function setUserMark(
  world: World,
  accountId: number,
  userId: number,
  { mark, isSet }: { mark: 'blocked' | 'restricted'; isSet: boolean },
): void {
  const time = `${mark}At` as const
  if (isSet && findUserMark(world, accountId, userId)?.[time] != null) return
  const now = world.clock.iso()
  const number = getNextTieNumber(world.db.userMarks.in(mark, accountId), now, {
    timeOf: (row) => row[time],
    numberOf: (row) => row[`${mark}Number`],
  })
  setMarks(world, accountId, userId, {
    [time]: isSet ? now : null,
    [`${mark}Number`]: isSet ? number : 0,
  })
}

/** Keeps `isBlocked` and `isRestricted` of subscriptions in sync with marks. */
export function createUserMarkUpdater(world: World): ChangeListener<UserMark> {
  return (before, after) => {
    const mark = after ?? before
    const subscription = mark && findSubscription(world, mark.accountId, mark.userId)
    if (subscription === undefined) return
    const changes = {
      isBlocked: after?.blockedAt != null,
      isRestricted: after?.restrictedAt != null,
    }
    if (
      subscription.isBlocked === changes.isBlocked &&
      subscription.isRestricted === changes.isRestricted
    )
      return
    world.db.subscriptions.update(subscription.id, changes)
  }
}

/** Reports the user. A new report replaces the previous one. */
export function reportUser(world: World, accountId: number, userId: number, reason: string): void {
  setMarks(world, accountId, userId, { reportedAt: world.clock.iso(), reportReason: reason })
}

function setMarks(
  world: World,
  accountId: number,
  userId: number,
  changes: Partial<UserMark>,
): void {
  const id = toFanKey(accountId, userId)
  const known = findUserMark(world, accountId, userId) ?? {
    id,
    accountId,
    userId,
  }
  world.db.userMarks.put({ ...known, ...changes })
}

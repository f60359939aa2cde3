import type { ChangeListener } from '../../data/changes.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { apiError, invalidParameter } from '../../errors.ts'
import type { World } from '../world.ts'
import { fanKey } from '../fans/fans.table.ts'
import type { Fan } from '../fans/fans.table.ts'
import { subscriptionOf } from '../subscribers/lookup.ts'
import type { UserMark } from './marks.table.ts'

/**
 * The user of that id on the platform, known to the account or not: a fan, a creator or an account.
 * @throws {ApiError} user_unknown
 */
export function requireUser(world: World, userId: number): Fan | Account {
  const user = userOf(world, userId)
  if (user === undefined) throw apiError('user_unknown', { user: userId })
  return user
}

/**
 * The user of that id, who must not be the account itself: an account cannot act on its own
 * profile.
 * @throws {ApiError} user_unknown, parameter_invalid
 */
export function requireOtherUser(world: World, accountId: number, userId: number): Fan | Account {
  if (userId === accountId)
    throw invalidParameter(
      'Path parameter',
      'user_id',
      userId,
      'it must be the id of another user than the account itself',
    )
  return requireUser(world, userId)
}

/** The user of that id: a fan, a creator or an account; undefined when there is none. */
export function userOf(world: World, userId: number): Fan | Account | undefined {
  return world.db.accounts.get(userId) ?? world.db.fans.get(userId)
}

/** The account's marks on a user; undefined when it never set any. */
export function marksOf(world: World, accountId: number, userId: number): UserMark | undefined {
  return world.db.userMarks.get(fanKey(accountId, userId))
}

/** Blocks or unblocks the user. A user who is blocked already keeps the time of the first block. */
export function setBlocked(
  world: World,
  accountId: number,
  userId: number,
  isBlocked: boolean,
): void {
  const blockedAt = isBlocked
    ? (marksOf(world, accountId, userId)?.blockedAt ?? world.clock.iso())
    : null
  mark(world, accountId, userId, { blockedAt })
}

/**
 * Restricts the user or lifts the restriction. A user who is restricted already keeps the time of
 * the first restriction.
 */
export function setRestricted(
  world: World,
  accountId: number,
  userId: number,
  isRestricted: boolean,
): void {
  const restrictedAt = isRestricted
    ? (marksOf(world, accountId, userId)?.restrictedAt ?? world.clock.iso())
    : null
  mark(world, accountId, userId, { restrictedAt })
}

/** Keeps `isBlocked` and `isRestricted` of subscriptions up to date with the marks. */
export function watchMarks(world: World): ChangeListener<UserMark> {
  return (before, after) => {
    const mark = after ?? before
    const subscription = mark && subscriptionOf(world, mark.accountId, mark.userId)
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

/** Reports the user. A further report replaces the one before. */
export function reportUser(world: World, accountId: number, userId: number, reason: string): void {
  mark(world, accountId, userId, { reportedAt: world.clock.iso(), reportReason: reason })
}

function mark(world: World, accountId: number, userId: number, changes: Partial<UserMark>): void {
  const id = fanKey(accountId, userId)
  const known = marksOf(world, accountId, userId) ?? {
    id,
    accountId,
    userId,
    blockedAt: null,
    restrictedAt: null,
    reportedAt: null,
    reportReason: null,
  }
  world.db.userMarks.put({ ...known, ...changes })
}

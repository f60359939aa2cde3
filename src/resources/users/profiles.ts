import type { z } from 'zod'
import type { JsonFragment } from '../../lib/json-fragment.ts'
import { createRandom } from '../../world/random.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { toPlatformTime } from '../../lib/time.ts'
import { createApiError, quoteText } from '../../errors.ts'
import { deriveJoinTime } from '../../seed/seed-ids.ts'
import { requireTexts } from '../../seed/texts.ts'
import type { World } from '../world.ts'
import { toChatFilterKey } from '../chats/chats.table.ts'
import { deriveTown } from '../fans/fan-values.ts'
import type { Fan } from '../fans/fans.table.ts'
import { countUnreadNotifications } from '../notifications/notifications.ts'
import { countPosts } from '../posts/statistics/counters.ts'
import { toStateKey } from '../subscribers/subscriptions.table.ts'
import type { CurrentAccount, UserProfile } from './schemas.ts'
import { createUserObject } from './users.ts'

/**
 * Returns the profile with the given username, as seen by the account.
 * @throws {ApiError} user_unknown
 */
export function getProfileByUsername(
  world: World,
  account: Account,
  username: string,
): JsonFragment<UserProfile> {
  const name = username.toLowerCase()
  const other = world.db.accounts.in('byUsername', name).at(0)
  if (other !== undefined) return world.json(createAccountProfile, other, account.id)
  const user = world.db.fans.in('byUsername', name).at(0)
  if (user === undefined) throw createApiError('user_unknown', { user: quoteText(username, 80) })
  return world.json(createFanProfile, user, account.id)
}

/** Returns the account's own profile. */
export function getCurrentAccount(world: World, account: Account): z.infer<typeof CurrentAccount> {
  const notificationsCount = countUnreadNotifications(world, account.id, 'all')
  return {
    ...createAccountProfile(world, account, account.id),
    email: `${account.username}@mail.example`,
    isAuth: account.session === 'active',
    notificationsCount,
    chatMessagesCount: world.db.chats.in('shown', toChatFilterKey(account.id, 'unread')).size,
    subscribersCount: countActive(world, account),
    hasNewAlerts: notificationsCount > 0,
  }
}

/** Counts the posts of a creator, who may or may not be an account of the sandbox. */
export function countCreatorPosts(world: World, userId: number): number {
  const account = world.db.accounts.get(userId)
  if (account !== undefined) return countPosts(world, account).postsCount
  return createRandom(world.options.seed, 'posts', userId).integer(20, 900)
}

/** Returns the profile of an account of the sandbox, as seen by another account or by itself. */
function createAccountProfile(world: World, account: Account, viewerId: number): UserProfile {
  const { streamsCount: _, ...counters } = countPosts(world, account)
  const { about, joinDate } = account
  // Accounts hide these fields from other users by default.
  return {
    ...createUserObject(world, viewerId, account.id),
    about,
    joinDate: toPlatformTime(joinDate),
    ...counters,
    website: null,
    wishlist: null,
    location: null,
    favoritedCount: null,
    favoritesCount: null,
    subscribersCount: countActive(world, account),
  }
}

function createFanProfile(world: World, user: Fan, viewerId: number): UserProfile {
  return { ...createUserObject(world, viewerId, user.id), ...deriveFanProfileFields(world, user) }
}

/** Counts the account's active subscribers, without blocked and deleted fans. */
function countActive(world: World, account: Account): number {
  return world.db.subscriptions.in('byStart', toStateKey(account.id, 'active')).size
}

/** Fraction of fans whose profile shows where they live. */
const locationShare = 0.3

/**
 * Returns the additional fields of a fan's profile, which depend only on the seed and the user. A
 * user who is not a creator has no posts.
 */
function deriveFanProfileFields(
  world: World,
  user: Fan,
): Omit<UserProfile, keyof ReturnType<typeof createUserObject>> {
  const texts = requireTexts(world)
  const random = createRandom(world.options.seed, 'profile', user.id)
  const isCreator = user.subscribePrice > 0
  const ofCreator = (min: number, max: number) => (isCreator ? random.integer(min, max) : 0)
  const [photosCount, videosCount, audiosCount] = [
    ofCreator(50, 2000),
    ofCreator(5, 400),
    ofCreator(0, 12),
  ]
  return {
    about: isCreator ? random.pick(texts.profiles.abouts) : '',
    website: null,
    wishlist: null,
    location: random.chance(locationShare) ? deriveTown(texts, user.id) : null,
    joinDate: toPlatformTime(deriveJoinTime(user.id, world.options.start)),
    postsCount: isCreator ? countCreatorPosts(world, user.id) : 0,
    photosCount,
    videosCount,
    audiosCount,
    mediasCount: photosCount + videosCount + audiosCount,
    archivedPostsCount: ofCreator(0, 40),
    privateArchivedPostsCount: 0,
    favoritedCount: ofCreator(500, 60_000),
    favoritesCount: random.integer(0, 900),
    subscribersCount: null,
  }
}

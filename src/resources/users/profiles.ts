import type { z } from 'zod'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { dayMs, startOfDay, toIso } from '../../engine/time.ts'
import { apiError } from '../../errors.ts'
import { textsOf } from '../../world/texts.ts'
import type { World } from '../../world/world.ts'
import { chatFilterKey } from '../chats/chats.table.ts'
import type { Fan } from '../fans/fans.table.ts'
import { countUnread } from '../notifications/notifications.ts'
import { countPosts } from '../posts/counters.ts'
import { stateKey } from '../subscribers/subscriptions.table.ts'
import type { CurrentAccount, UserProfile } from './schemas.ts'
import { userObject } from './users.ts'

/** The profile of that username as the account sees it. @throws {ApiError} user_unknown */
export function profileByUsername(world: World, account: Account, username: string): UserProfile {
  const name = username.toLowerCase()
  const other = world.db.accounts.in('byUsername', name).at(0)
  if (other !== undefined) return accountProfile(world, account.id, other)
  const user = world.db.fans.in('byUsername', name).at(0)
  if (user === undefined) throw apiError('user_unknown', { user: JSON.stringify(username.slice(0, 80)) })
  return { ...userObject(world, account.id, user.id), ...fanExtras(world, user) }
}

/** The account itself, as its own session sees it. */
export function currentAccount(world: World, account: Account): z.infer<typeof CurrentAccount> {
  const notificationsCount = countUnread(world, account.id, 'all')
  return {
    ...accountProfile(world, account.id, account),
    email: `${account.username}@mail.example`,
    isAuth: account.session === 'active',
    notificationsCount,
    chatMessagesCount: world.db.chats.in('shown', chatFilterKey(account.id, 'unread')).size,
    subscribersCount: countActive(world, account),
    hasNewAlerts: notificationsCount > 0,
  }
}

/** How many posts a user has whom accounts can follow. */
export function postsOf(world: World, userId: number): number {
  const account = world.db.accounts.get(userId)
  return account === undefined ? drawn(world, userId, 1, 20, 900) : countPosts(world, account).postsCount
}

function accountProfile(world: World, viewerId: number, account: Account): UserProfile {
  const { streamsCount: _, ...counters } = countPosts(world, account)
  const { about, joinDate } = account
  // What others see of likes is hidden by default.
  const hidden = { website: null, wishlist: null, location: null, favoritedCount: null, favoritesCount: null }
  return {
    ...userObject(world, viewerId, account.id),
    about,
    joinDate,
    ...counters,
    ...hidden,
    subscribersCount: countActive(world, account),
  }
}

/** Active subscribers, blocked ones left out. */
function countActive(world: World, account: Account): number {
  return world.db.subscriptions.in('byStart', stateKey(account.id, 'active')).size
}

/** What a profile shows besides, the same each time for the same seed and user. Who sells nothing has posted nothing. */
function fanExtras(world: World, user: Fan): Omit<UserProfile, keyof ReturnType<typeof userObject>> {
  const { abouts, places } = textsOf(world).profiles
  const draw = (salt: number, min: number, max: number) => drawn(world, user.id, salt, min, max)
  const isCreator = user.subscribePrice > 0
  const photosCount = isCreator ? draw(2, 50, 2000) : 0
  const videosCount = isCreator ? draw(3, 5, 400) : 0
  const audiosCount = isCreator ? draw(4, 0, 12) : 0
  return {
    about: isCreator ? (abouts[draw(5, 0, abouts.length - 1)] ?? '') : '',
    website: null,
    wishlist: null,
    location: places[draw(6, 0, places.length - 1)] ?? null,
    joinDate: toIso(startOfDay(world.options.start) - draw(7, 800, 2400) * dayMs),
    postsCount: isCreator ? postsOf(world, user.id) : 0,
    photosCount,
    videosCount,
    audiosCount,
    mediasCount: photosCount + videosCount + audiosCount,
    archivedPostsCount: isCreator ? draw(8, 0, 40) : 0,
    privateArchivedPostsCount: 0,
    favoritedCount: isCreator ? draw(9, 500, 60_000) : 0,
    favoritesCount: draw(10, 0, 900),
    subscribersCount: null,
  }
}

/** A whole number, both ends included, that depends on the seed, the user and the salt alone. */
function drawn({ options }: World, userId: number, salt: number, min: number, max: number): number {
  let bits = Math.imul(options.seed ^ 0x9e37_79b9, 0x85eb_ca6b) ^ Math.imul(userId, 0xc2b2_ae35) ^ Math.imul(salt, 0x27d4_eb2f)
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b_3c6d)
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a_2d39)
  return min + (((bits ^ (bits >>> 15)) >>> 0) % (max - min + 1))
}

import type { SortedList } from '../../data/sorted-list.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { dayMs, parseIso, toIsoTime } from '../../lib/time.ts'
import { requireTexts } from '../../seed/texts.ts'
import type { World } from '../world.ts'
import { findChatWith } from '../chats/chats.ts'
import { findSubscription } from '../subscribers/find-subscription.ts'
import { isListed, toStateKey } from '../subscribers/subscriptions.table.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { listActiveFollows } from '../users/follows.ts'

/** Slugs of the system lists, in the platform's order. */
export const systemSlugs = ['fans', 'following', 'recent', 'friends', 'muted', 'tagged'] as const
export type SystemSlug = (typeof systemSlugs)[number]

/** A lazy view of the user ids in a list, newest first. It does not copy the ids. */
export interface MemberList {
  size: number
  slice: (from: number, to: number) => number[]
  has: (userId: number) => boolean
}

/** Fans count as recent for this many days after they subscribed. */
const recentDays = 30

/** True if the slug belongs to a system list. */
export function isSystemList(slug: string): slug is SystemSlug {
  return (systemSlugs as readonly string[]).includes(slug)
}

/** Returns the name and the current members of a system list of the account. */
export function getSystemList(
  world: World,
  account: Account,
  slug: SystemSlug,
): { name: string; members: MemberList } {
  const { subscriptions } = world.db
  const name = requireTexts(world).lists.users[slug]
  const active = subscriptions.in('byStart', toStateKey(account.id, 'active'))
  const isActive = (row: Subscription) => !row.isExpired && isListed(row)
  const ofSubscriptions = (
    list: SortedList<Subscription>,
    holds: (row: Subscription) => boolean,
    size = list.size,
  ) =>
    createListFromRows(list, size, (userId) => {
      const subscription = findSubscription(world, account.id, userId)
      return subscription !== undefined && holds(subscription)
    })
  switch (slug) {
    case 'fans':
      return { name, members: ofSubscriptions(active, isActive) }
    case 'recent': {
      const newest = active.at(0)
      const sinceFor = (now: number) => toIsoTime(now - recentDays * dayMs)
      const sizeFor = (now: number) =>
        active.findPartitionPoint((row) => row.subscribedAt < sinceFor(now))
      const now = world.clock.nowFor(
        sizeFor,
        newest === undefined ? -Infinity : parseIso(newest.subscribedAt) + recentDays * dayMs + 1,
      )
      return {
        name,
        members: ofSubscriptions(
          active,
          (row) => isActive(row) && row.subscribedAt >= sinceFor(now),
          sizeFor(now),
        ),
      }
    }
    case 'muted':
      return { name, members: listMutedUsers(world, account) }
    case 'tagged':
      return {
        name,
        members: ofSubscriptions(subscriptions.in('noted', account.id), (row) => row.notice !== ''),
      }
    case 'following':
      return {
        name,
        members: createListFromIds(
          listActiveFollows(world, account.id).map(({ userId }) => userId),
        ),
      }
    case 'friends':
      return { name, members: createListFromIds(listFriendIds(world, account.id)) }
  }
}

/** Returns the users whom the account follows and who also subscribe to the account. */
function listFriendIds(world: World, accountId: number): number[] {
  return listActiveFollows(world, accountId)
    .map(({ userId }) => userId)
    .filter((userId) => {
      const subscription = findSubscription(world, accountId, userId)
      return subscription !== undefined && !subscription.isExpired && isListed(subscription)
    })
}

/** Creates a member list from ids. */
function createListFromIds(ids: readonly number[]): MemberList {
  return {
    size: ids.length,
    slice: (from, to) => ids.slice(from, to),
    has: (userId) => ids.includes(userId),
  }
}

function listMutedUsers(world: World, account: Account): MemberList {
  const chats = world.db.chats.in('muted', account.id)
  return createListFromRows(
    chats,
    chats.size,
    (userId) => findChatWith(world, account.id, userId)?.isMuted === true,
  )
}

/** Creates a member list from the fans in the first `size` rows. */
function createListFromRows(
  list: { slice: (from: number, to: number) => readonly { fanId: number }[] },
  size: number,
  has: MemberList['has'],
): MemberList {
  return {
    size,
    has,
    slice: (from, to) => list.slice(from, Math.min(to, size)).map(({ fanId }) => fanId),
  }
}

/** Returns the members that the account currently follows. */
export function filterFollowed(world: World, account: Account, members: MemberList): number[] {
  return listActiveFollows(world, account.id)
    .map(({ userId }) => userId)
    .filter((userId) => members.has(userId))
}

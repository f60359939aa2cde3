import { dayMs, fromIso, toIso } from '../../engine/time.ts'
import { append, daysAgo, momentBetween } from '../../world/sowing.ts'
import type { Field, Sower } from '../../world/sowing.ts'
import { fanKey } from '../fans/fans.table.ts'
import type { Fan, Subscription } from '../fans/fans.table.ts'
import { drawFan } from '../fans/new-fan.ts'
import { periodDays } from '../subscribers/subscriptions.ts'

/** Sows what an account does about users: its lists of them, the creators whom it follows, whom it blocked and restricted. */
export function sowUsers(sower: Sower, field: Field, fans: readonly Subscription[]): void {
  sowFollows(sower, field, fans)
  sowLists(sower, field, fans)
  sowMarks(sower, field, fans)
}

/** New creators, and a few of the account's own subscribers who are creators too. */
function sowFollows(sower: Sower, { account, data }: Field, fans: readonly Subscription[]): void {
  const { random, rows } = sower
  const known = new Map(data.following < 4 ? [] : rows.fans.map((fan) => [fan.id, fan]))
  const creators = fans.filter(({ isExpired }) => !isExpired).flatMap(({ fanId }) => known.get(fanId) ?? []).filter(({ subscribePrice }) => subscribePrice > 0)
  const friends = creators.slice(0, Math.floor(data.following / 4))
  for (let place = 0; place < data.following; place += 1) {
    const creator = friends[place] ?? createCreator(sower)
    const subscribedAt = data.equalTimes ? daysAgo(sower, 100) : momentBetween(sower, daysAgo(sower, 500), daysAgo(sower, 1))
    rows.follows.push({
      id: sower.nextId('follows'),
      accountId: account.id,
      userId: creator.id,
      price: creator.subscribePrice,
      subscribedAt: toIso(subscribedAt),
      expiredAt: toIso(subscribedAt + periodDays * random.integer(1, 3) * dayMs),
      isAutoprolong: data.equalTimes || random.chance(0.8),
    })
  }
}

function createCreator(sower: Sower): Fan {
  const { random, rows } = sower
  const fan = drawFan(sower, { id: () => sower.nextId('fans'), lastSeen: () => toIso(momentBetween(sower, daysAgo(sower, 3), sower.now - 60_000)) })
  const creator = { ...fan, subscribePrice: random.pick(sower.texts.prices.creators) }
  rows.fans.push(creator)
  return creator
}

/** Each list begins some fans further on; those who spend most are in the first ones. */
function sowLists(sower: Sower, { account, data }: Field, fans: readonly Subscription[]): void {
  const { rows } = sower
  for (const [index, { name, members }] of data.userLists.entries()) {
    const id = sower.nextId('userLists')
    const createdAt = daysAgo(sower, 300 - index)
    const ids = Array.from({ length: Math.min(members, fans.length) }, (_, place) => fans[(index * 5 + place) % fans.length]?.fanId ?? 0)
    const times = ids.map((_, place) => (data.equalTimes ? createdAt : createdAt + Math.floor(((place + 1) * (sower.now - createdAt)) / (ids.length + 1))))
    append(rows.userListMembers, ids.map((userId, place) => ({ id: `${id}:${userId}`, accountId: account.id, listId: id, userId, addedAt: toIso(times[place] ?? createdAt) })))
    rows.userLists.push({
      id,
      accountId: account.id,
      name,
      order: index + 1,
      isPinnedToFeed: false,
      isPinnedToChat: index === 0,
      createdAt: toIso(createdAt),
      updatedAt: toIso(times.at(-1) ?? createdAt),
    })
  }
}

/** The newest fans are blocked first, those before them restricted. */
function sowMarks(sower: Sower, { account, data }: Field, fans: readonly Subscription[]): void {
  const marked = fans.toReversed().slice(0, data.blocked + data.restricted)
  for (const [place, subscription] of marked.entries()) {
    const isBlocked = place < data.blocked
    const latest = data.equalTimes ? daysAgo(sower, 1) : daysAgo(sower, (place % 40) * 2 + 1)
    const at = toIso(Math.max(latest, fromIso(subscription.subscribedAt)))
    sower.rows.userMarks.push({
      id: fanKey(account.id, subscription.fanId),
      accountId: account.id,
      userId: subscription.fanId,
      blockedAt: isBlocked ? at : null,
      restrictedAt: isBlocked ? null : at,
      reportedAt: null,
      reportReason: null,
    })
    Object.assign(subscription, { isBlocked, isRestricted: !isBlocked })
  }
}

import { toIso } from '../../engine/time.ts'
import { append, daysAgo, ownRows } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import type { UserListSizes } from './sizes.ts'

type Plan = AccountPlan<UserListSizes & AccountSizes>

/** Seeds the lists of users. Each list begins five fans after the one before. The fans who spend most are in the first lists. */
export function seedLists(seeding: Seeding, { account, sizes }: Plan): void {
  const { rows } = seeding
  const fans = ownRows(rows.subscriptions, account)
  for (const [index, { name, members }] of sizes.userLists.entries()) {
    const id = seeding.nextId('userLists')
    const createdAt = daysAgo(seeding, 300 - index)
    const ids = Array.from({ length: Math.min(members, fans.length) }, (_, place) => fans[(index * 5 + place) % fans.length]?.fanId ?? 0)
    const times = ids.map((_, place) =>
      sizes.equalTimes ? createdAt : createdAt + Math.floor(((place + 1) * (seeding.now - createdAt)) / (ids.length + 1)),
    )
    append(
      rows.userListMembers,
      ids.map((userId, place) => ({
        id: `${id}:${userId}`,
        accountId: account.id,
        listId: id,
        userId,
        addedAt: toIso(times[place] ?? createdAt),
      })),
    )
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

import { toCents } from '../../lib/money.ts'
import { readPage } from '../../api/lists/paging.ts'
import type { ListPage, PageQuery } from '../../api/lists/paging.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createApiError } from '../../errors.ts'
import type { World } from '../world.ts'
import { findUser } from '../users/marks.ts'
import { wasSubscribed } from '../subscribers/find-subscription.ts'
import type { Story } from './stories.table.ts'

/** A viewer of a story. */
export interface StoryViewer {
  userId: number
  isLiked: boolean
  hasTips: boolean
  /** True if no other user has tipped more on the story in total. */
  hasTopTips: boolean
}

/**
 * Returns the account's story with the given id, even if the profile no longer shows it.
 * @throws {ApiError} story_unknown
 */
export function requireStory(world: World, account: Account, storyId: number): Story {
  const story = world.db.stories.get(storyId)
  if (story?.accountId !== account.id)
    throw createApiError('story_unknown', { story_id: storyId, account_id: account.id })
  return story
}

/**
 * Returns one page of a story's viewers. All pages together have at most `viewersCount` viewers.
 * The order is: users who tipped (latest tip first), the stored viewers, and then other fans who
 * were subscribed at the time (latest first). The first `likesCount` viewers liked the story.
 */
export function listStoryViewers(
  world: World,
  story: Story,
  { onlyWithTips, ...query }: PageQuery & { onlyWithTips: boolean },
): ListPage<StoryViewer> {
  const tips = sumTipsByUser(world, story)
  const topTips = Math.max(0, ...tips.values())
  const userIds = onlyWithTips
    ? [...tips.keys()].filter((userId) => findUser(world, userId) !== undefined)
    : listViewerIds(world, story, {
        tippers: [...tips.keys()],
        max: query.offset + query.limit + 1,
      })
  const viewers = userIds.map((userId, place) => ({
    userId,
    isLiked: place < story.likesCount,
    hasTips: tips.has(userId),
    hasTopTips: tips.has(userId) && tips.get(userId) === topTips,
  }))
  return readPage(viewers, query)
}

/** Returns the ids of the first `max` viewers. Reads only as many subscriptions as needed. */
function listViewerIds(
  world: World,
  { accountId, createdAt, viewers, viewersCount }: Story,
  { tippers, max }: { tippers: readonly number[]; max: number },
): number[] {
  const named = new Set([...new Set([...tippers, ...viewers])].slice(0, viewersCount))
  const ids = [...named].filter((userId) => findUser(world, userId) !== undefined)
  let left = viewersCount - named.size
  const fans = world.db.subscriptions.in('byAccount', accountId)
  for (const fan of fans.walk(fans.rank((row) => row.subscribedAt <= createdAt))) {
    if (left <= 0 || ids.length >= max) break
    if (named.has(fan.fanId) || !wasSubscribed(fan, createdAt)) continue
    left -= 1
    if (findUser(world, fan.fanId) !== undefined) ids.push(fan.fanId)
  }
  return ids
}

/**
 * Adds up the tips on a story by user, in cents, excluding refunds. Users are sorted by their
 * latest tip, newest first.
 */
function sumTipsByUser(world: World, { id }: Story): Map<number, number> {
  const cents = new Map<number, number>()
  for (const { fanId, status, category, amount } of world.db.transactions
    .in('byStory', id)
    .walk()) {
    if (status !== 'undo' && category === 'tip')
      cents.set(fanId, (cents.get(fanId) ?? 0) + toCents(amount ?? 0))
  }
  return cents
}

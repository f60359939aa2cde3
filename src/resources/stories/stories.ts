import { rankRowsInWindow, readPage } from '../../api/lists/paging.ts'
import type { RankedWindow, ListPage, PageQuery } from '../../api/lists/paging.ts'
import { toCents } from '../../lib/money.ts'
import type { ChangeListener } from '../../data/change-log.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { dayMs } from '../../lib/time.ts'
import type { World } from '../world.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { storyMetrics } from './stories.table.ts'
import type { Story, StoryMetric } from './stories.table.ts'
import { createApiError } from '../../errors.ts'
import { findUser } from '../users/marks.ts'
import { wasSubscribed } from '../subscribers/find-subscription.ts'
import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'

/** The profile shows a story for this time, ms. Its statistics are kept longer. */
export const storyMs = dayMs

/**
 * Returns one page of the account's stories in a window, sorted by the metric, highest first.
 * Stories with equal values are sorted newest first.
 */
export function rankStories(
  world: World,
  account: Account,
  { metric, ...window }: RankedWindow & { metric: StoryMetric },
): ListPage<Story> {
  const field = storyMetrics[metric]
  return rankRowsInWindow(window, {
    byTime: world.db.stories.in('byAccount', account.id),
    ranking: world.db.stories.in(metric, account.id),
    time: (story) => story.createdAt,
    measure: (story) => story[field],
  })
}

/** Returns the tip statistics of a story, excluding refunds. Dollars. */
export function sumStoryTips(rows: Iterable<Transaction>): Pick<Story, 'tipsCount' | 'tipsSumm'> {
  let tipsCount = 0
  let cents = 0
  for (const { status, category, amount } of rows) {
    if (status === 'undo' || category !== 'tip') continue
    tipsCount += 1
    cents += toCents(amount ?? 0)
  }
  return { tipsCount, tipsSumm: cents / 100 }
}

/** Counts the viewers who are known: the stored ones, and the users who tipped. */
function countKnownViewers({ db }: World, { id, viewers }: Story): number {
  const known = new Set(viewers)
  for (const { status, category, fanId } of db.transactions.in('byStory', id).walk())
    if (status !== 'undo' && category === 'tip') known.add(fanId)
  return known.size
}

/**
 * Sets the tip statistics of manually written stories from their payments. Stories without payments
 * keep their values.
 */
export function deriveStoryTipFigures(world: World): void {
  for (const storyId of new Set(world.db.transactions.all().map((row) => row.storyId))) {
    if (storyId !== null) updateTips(world, storyId)
  }
}

/**
 * Keeps the tip statistics of stories in sync with transactions. Seeded and restored rows already
 * have these values.
 */
export function createStoryTipUpdater(world: World): ChangeListener<Transaction> {
  return (before, after) => {
    for (const storyId of new Set([before?.storyId, after?.storyId]))
      if (storyId !== undefined && storyId !== null) updateTips(world, storyId)
  }
}

function updateTips(world: World, storyId: number): void {
  const { stories, transactions } = world.db
  const story = stories.get(storyId)
  if (story === undefined) return
  stories.update(storyId, {
    ...sumStoryTips(transactions.in('byStory', storyId).walk()),
    // A user must view a story to tip on it.
    viewersCount: Math.max(story.viewersCount, countKnownViewers(world, story)),
  })
}

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
  for (const fan of fans.walk(fans.findPartitionPoint((row) => row.subscribedAt <= createdAt))) {
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

export const storyInvariants: readonly Invariant<World>[] = [
  { name: 'the tips of a story match its payments', check: findMiscounted },
  { name: 'the known viewers of a story are within its count', check: findUncounted },
]

function findMiscounted({ db }: World): string[] {
  return findViolations(db.stories.all(), ({ id, tipsCount, tipsSumm }) => {
    const paid = sumStoryTips(db.transactions.in('byStory', id).walk())
    if (tipsCount === paid.tipsCount && tipsSumm === paid.tipsSumm) return []
    return [
      `The story ${id} has ${tipsCount} tips of ${tipsSumm} dollars, but its payments have ` +
        `${paid.tipsCount} of ${paid.tipsSumm}.`,
    ]
  })
}

function findUncounted(world: World): string[] {
  return findViolations(world.db.stories.all(), (story) => {
    const known = countKnownViewers(world, story)
    if (known <= story.viewersCount) return []
    return [`The story ${story.id} has ${story.viewersCount} viewers, but ${known} are known.`]
  })
}

import { toCents } from '../../lib/money.ts'
import type { ListPage } from '../../api/lists/paging.ts'
import type { ChangeListener } from '../../data/changes.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { dayMs } from '../../lib/time.ts'
import { rankRowsInWindow } from '../../api/lists/window-ranking.ts'
import type { RankedWindow } from '../../api/lists/window-ranking.ts'
import type { World } from '../world.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { storyMetrics } from './stories.table.ts'
import type { Story, StoryMetric } from './stories.table.ts'

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
export function countKnownViewers({ db }: World, { id, viewers }: Story): number {
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

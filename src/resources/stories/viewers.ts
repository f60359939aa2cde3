import { toCents } from '../../lib/money.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { apiError } from '../../errors.ts'
import type { World } from '../world.ts'
import { userOf } from '../users/marks.ts'
import type { Story } from './stories.table.ts'

/** A user who saw a story, and what they did there. */
export interface StoryViewer {
  userId: number
  isLiked: boolean
  hasTips: boolean
  /** Whether nobody tipped more for it. */
  hasTopTips: boolean
}

/** The account's story of that id, on the profile or past. @throws {ApiError} story_unknown */
export function requireStory(world: World, account: Account, storyId: number): Story {
  const story = world.db.stories.get(storyId)
  if (story?.accountId !== account.id)
    throw apiError('story_unknown', { story_id: storyId, account_id: account.id })
  return story
}

/**
 * Walks who saw a story: those who tipped for it, the last tip first, those whom its record names,
 * then other fans who had subscribed by then, the latest first, as many as it has viewers. The
 * first of them are those who liked it.
 */
export function* viewersOf(
  world: World,
  story: Story,
  { onlyWithTips }: { onlyWithTips: boolean },
): Generator<StoryViewer> {
  const tips = tipsOf(world, story)
  const most = Math.max(0, ...tips.values())
  let place = 0
  for (const userId of onlyWithTips ? tips.keys() : everyone(world, story, [...tips.keys()])) {
    if (userOf(world, userId) === undefined) continue
    yield {
      userId,
      isLiked: place < story.likesCount,
      hasTips: tips.has(userId),
      hasTopTips: tips.has(userId) && tips.get(userId) === most,
    }
    place += 1
  }
}

function* everyone(
  world: World,
  { accountId, createdAt, viewers, viewersCount }: Story,
  tippers: readonly number[],
): Generator<number> {
  const first = new Set([...tippers, ...viewers])
  yield* first
  let left = viewersCount - first.size
  const fans = world.db.subscriptions.in('byAccount', accountId)
  for (const { fanId } of fans.walk(fans.rank((row) => row.subscribedAt <= createdAt))) {
    if (left <= 0) return
    if (first.has(fanId)) continue
    yield fanId
    left -= 1
  }
}

/** How much each user tipped for a story, in cents, without refunds. The last tip comes first. */
function tipsOf(world: World, { id }: Story): Map<number, number> {
  const cents = new Map<number, number>()
  for (const { fanId, status, category, amount } of world.db.transactions
    .in('byStory', id)
    .walk()) {
    if (status !== 'undo' && category === 'tip')
      cents.set(fanId, (cents.get(fanId) ?? 0) + toCents(amount ?? 0))
  }
  return cents
}

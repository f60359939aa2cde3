import { findPartitionPoint } from '../../lib/iterables.ts'
import { dayMs, parseIso, hourMs, toIsoTime } from '../../lib/time.ts'
import { appendRows, pickTimeBetween } from '../seeding.ts'
import type { AccountPlan, Mutable, SeedContext } from '../seeding.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { createActiveFanCheck, createFanCounter } from '../subscribers/fan-counter.ts'
import { wasSubscribed, createLatestActivityLookup } from '../subscribers/find-subscription.ts'
import { selectMediaForPurpose } from '../vault/files.ts'
import type { VaultMedia } from '../vault/vault.table.ts'
import type { StorySizes } from './stories.table.ts'
import { storyMs, sumStoryTips } from './stories.ts'
import { defineFactory } from '../define.ts'
import { pickPhoto } from '../vault/vault.ts'

type Plan = AccountPlan<StorySizes>

/** The number of stories per day increases during this first part of the history (a fraction). */
const quietShare = 0.7
/** Maximum number of viewer ids that are stored with a story. */
const shownViewers = 3

/**
 * Seeds the stories of an account. Some of the tips on the day of a story become tips on that
 * story.
 */
export function seedStories(seeding: SeedContext, plan: Plan): void {
  const { random, rows } = seeding
  const { account, sizes, since } = plan
  const fans = rows.subscriptions
  const sold = new Set(rows.posts.flatMap(({ price, mediaFiles }) => (price > 0 ? mediaFiles : [])))
  const pictures = selectMediaForPurpose('posts', rows.vaultMedia).filter(
    ({ id, isReady, type }) => isReady && !sold.has(id) && (type === 'photo' || type === 'video'),
  )
  const joined = fans
    .map(({ fanId, subscribedAt }, index) => ({ fanId, index, time: parseIso(subscribedAt) }))
    .toSorted((a, b) => a.time - b.time)
  const subscriptionOf = new Map(fans.map((fan) => [fan.fanId, fan]))
  const crowd = createFanCounter(fans)
  const isActiveFan = createActiveFanCheck(fans, createLatestActivityLookup(seeding, account))
  const tips = listUnplacedTips(seeding)
  const history = Math.max(0, seeding.now - since - 2 * dayMs)
  seeding.requireRoom(sizes.stories)
  const times = Array.from({ length: sizes.stories }, () =>
    pickTimeBetween(
      seeding,
      since + dayMs + Math.floor(random.next() * quietShare * history),
      seeding.now - hourMs,
    ),
  )
  times.sort((a, b) => a - b)
  const stories = times.map((time) => {
    const createdAt = toIsoTime(time)
    const pictureCount = findPartitionPoint(pictures, (picture) => picture.createdAt > createdAt)
    const viewersCount = Math.floor(crowd.at(time) * (0.2 + random.next() * 0.5))
    const fansByThen = findPartitionPoint(joined, (fan) => fan.time > time)
    const shownCount = Math.min(shownViewers, viewersCount)
    const viewers: number[] = []
    for (let newest = fansByThen - 1; newest >= 0 && viewers.length < shownCount; newest -= 1) {
      const fan = joined[newest] as (typeof joined)[number]
      if (isActiveFan(fan.index, time)) viewers.unshift(fan.fanId)
    }
    const known = new Set(viewers)
    const storyTips: Transaction[] = []
    const id = seeding.nextId('stories')
    const firstTip = findPartitionPoint(tips, (tip) => tip.time >= time)
    for (let index = firstTip; index < tips.length; index += 1) {
      const tip = tips[index] as Tip
      if (tip.time >= time + storyMs) break
      if (tip.row.storyId !== null || !random.chance(0.8)) continue
      const fan = subscriptionOf.get(tip.row.fanId)
      if (fan === undefined || !wasSubscribed(fan, createdAt)) continue
      if (!known.has(tip.row.fanId) && known.size >= viewersCount) continue
      known.add(tip.row.fanId)
      tip.row.storyId = id
      storyTips.push(tip.row)
    }
    const { tipsCount, tipsSumm } = sumStoryTips(storyTips)
    return {
      id,
      accountId: account.id,
      createdAt,
      mediaFiles:
        pictureCount === 0
          ? []
          : [(pictures[random.integer(0, pictureCount - 1)] as VaultMedia).id],
      viewersCount,
      viewers,
      likesCount: Math.floor(viewersCount * random.next() * 0.5),
      commentsCount: Math.floor(viewersCount * random.next() * 0.1),
      tipsCount,
      tipsSumm,
      isHighlightCover: random.chance(0.05),
      isLastInHighlight: random.chance(0.05),
    }
  })
  appendRows(rows.stories, stories)
}

/** A tip that does not belong to a story yet. `time` is in epoch ms. */
interface Tip {
  time: number
  row: Mutable<Transaction>
}

/** Returns the account's tips that belong neither to a post nor to a chat, oldest first. */
function listUnplacedTips({ rows }: SeedContext): readonly Tip[] {
  const tips: Tip[] = []
  for (const row of rows.transactions) {
    const isOfNothing =
      row.category === 'tip' &&
      row.status !== 'undo' &&
      row.postId === null &&
      row.messageId === null
    if (isOfNothing && row.transaction_created_at !== null)
      tips.push({ time: parseIso(row.transaction_created_at), row })
  }
  return tips.toSorted((a, b) => a.time - b.time)
}

/**
 * Fills in missing fields of stories. By default, a story shows a photo from the vault if there is
 * one, and has no views.
 */
export const storyFactory = defineFactory({
  name: 'story',
  table: 'stories',
  time: 'createdAt',
  complete(given, context) {
    const accountId = context.accountId(given)
    const { viewers = [], mediaFiles = pickPhoto(context, accountId) } = given
    return {
      accountId,
      createdAt: context.iso,
      mediaFiles: [...mediaFiles],
      viewersCount: viewers.length,
    }
  },
})

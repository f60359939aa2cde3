import { toIso } from '../schemas/time.ts'
import type { Fan } from './fans.ts'
import { purchasesOf, viewsOf } from './mass-messages.ts'
import type { MassMessage } from './mass-messages.ts'
import type { Message } from './messages.ts'
import type { Account } from './organisations.ts'
import { rankPosts } from './post-ranking.ts'
import { leaderboardMetrics } from './posts.ts'
import type { Post } from './posts.ts'
import { rankStories, storyMetrics } from './stories.ts'
import type { Story } from './stories.ts'
import { bestFan } from './top-fans.ts'
import type { FanFigures } from './top-fans.ts'
import { toPlainText } from './text.ts'
import type { VaultMedia } from './vault.ts'
import type { World } from './world.ts'

/** What there are highlights of. */
export const highlightCategories = ['post', 'message', 'stream', 'story', 'fan'] as const
export type HighlightCategory = (typeof highlightCategories)[number]

/** The metrics that something can be best in. */
export const highlightMetrics = ['purchases', 'tips', 'views', 'likes', 'comments'] as const
export type HighlightMetric = (typeof highlightMetrics)[number]

/** A window, epoch ms, both ends inclusive. */
interface HighlightWindow {
  start: number
  end: number
}

/** The figures of a highlight. Sums in dollars. */
export interface HighlightFigures {
  lookCount: number
  uniqueLookCount: number
  likeCount: number
  commentCount: number
  tipCount: number
  tipSum: number
  purchasedCount: number
  purchasedSumm: number
}

/** The best post, message, stream or story by some metric. */
export interface Highlight {
  id: number
  postedAt: string
  rawText: string
  price: number
  figures: HighlightFigures
  media: VaultMedia[]
}

/** The best fan by some metric. */
export interface FanHighlight {
  fan: Fan
  figures: FanFigures
}

/** The best of the window by each metric; null where nothing has any of it, or the category does not know the metric. */
export function findHighlights(world: World, account: Account, category: HighlightCategory, window: HighlightWindow): Record<HighlightMetric, Highlight | FanHighlight | null> {
  const best = finders[category](world, account, window)
  return { purchases: best('purchases'), tips: best('tips'), views: best('views'), likes: best('likes'), comments: best('comments') }
}

type Finder = (world: World, account: Account, window: HighlightWindow) => (metric: HighlightMetric) => Highlight | FanHighlight | null

const finders: Readonly<Record<HighlightCategory, Finder>> = {
  post: (world, account, window) => (metric) => {
    const [post] = rankPosts(world, account, { metric, ...window, offset: 0, limit: 1 }).rows
    return post === undefined || post[leaderboardMetrics[metric]] === 0 ? null : ofPost(world, post)
  },
  stream(world, account, { start, end }) {
    const all = world.db.posts.in('streams', account.id)
    const [first, last] = [toIso(start), toIso(end)]
    const streams = all.slice(
      all.rank((post) => post.postedAt <= last),
      all.rank((post) => post.postedAt < first),
    )
    return (metric) => {
      const stream = highest(streams, (post) => post[leaderboardMetrics[metric]])
      return stream === undefined ? null : ofPost(world, stream)
    }
  },
  story: (world, account, window) => (metric) => {
    if (metric === 'purchases') return null
    const [story] = rankStories(world, account, { metric, ...window, offset: 0, limit: 1 }).rows
    return story === undefined || story[storyMetrics[metric]] === 0 ? null : ofStory(world, story)
  },
  message: (world, account, window) => (metric) => {
    if (metric !== 'purchases' && metric !== 'views') return null
    const mass = highest(sentWithin(world, account, window), (item) => (metric === 'views' ? viewsOf(world, item) : purchasesOf(world, item)))
    if (mass !== undefined) return ofMassMessage(world, mass)
    const sold = metric === 'purchases' ? lastSold(world, account, window) : undefined
    return sold === undefined ? null : ofMessage(world, sold)
  },
  fan: (world, account, window) => (metric) => (metric === 'purchases' || metric === 'tips' ? bestFan(world, account, { metric, ...window }) : null),
}

/** The first of those that have most of it; undefined when none has any. */
function highest<Row>(rows: readonly Row[], measure: (row: Row) => number): Row | undefined {
  let [best, most]: [Row | undefined, number] = [undefined, 0]
  for (const row of rows) {
    const value = measure(row)
    if (value > most) [best, most] = [row, value]
  }
  return best
}

function sentWithin(world: World, account: Account, { start, end }: HighlightWindow): MassMessage[] {
  const sent = world.db.massMessages.in('sent', account.id)
  const [first, last] = [toIso(start), toIso(end)]
  return sent
    .slice(
      sent.rank((item) => (item.sentAt ?? '') <= last),
      sent.rank((item) => (item.sentAt ?? '') < first),
    )
    .filter((item) => item.state === 'sent')
}

/** The message to one fan that was bought last, of those sent in the window. */
function lastSold(world: World, account: Account, { start, end }: HighlightWindow): Message | undefined {
  const [first, last] = [toIso(start), toIso(end)]
  for (const message of world.db.messages.in('directSales', account.id).walk()) {
    // None is bought before it is sent.
    if ((message.purchasedAt ?? '') < first) return undefined
    if (message.createdAt >= first && message.createdAt <= last) return message
  }
  return undefined
}

const noFigures = { lookCount: 0, uniqueLookCount: 0, likeCount: 0, commentCount: 0, tipCount: 0, tipSum: 0, purchasedCount: 0, purchasedSumm: 0 }

function ofPost(world: World, post: Post): Highlight {
  const { id, postedAt, rawText, price } = post
  const { lookCount, uniqueLookCount, likeCount, commentCount, tipCount, tipSum, purchasedCount, purchasedSumm } = post
  return { id, postedAt, rawText, price, figures: { lookCount, uniqueLookCount, likeCount, commentCount, tipCount, tipSum, purchasedCount, purchasedSumm }, media: mediaOf(world, post.mediaFiles) }
}

function ofStory(world: World, story: Story): Highlight {
  const { id, createdAt, viewersCount, likesCount, commentsCount, tipsCount, tipsSumm } = story
  const figures = { ...noFigures, lookCount: viewersCount, uniqueLookCount: viewersCount, likeCount: likesCount, commentCount: commentsCount, tipCount: tipsCount, tipSum: tipsSumm }
  return { id, postedAt: createdAt, rawText: '', price: 0, figures, media: mediaOf(world, story.mediaFiles) }
}

function ofMassMessage(world: World, item: MassMessage): Highlight {
  const [views, purchases] = [viewsOf(world, item), purchasesOf(world, item)]
  const figures = { ...noFigures, lookCount: views, uniqueLookCount: views, purchasedCount: purchases, purchasedSumm: purchases * item.price }
  return { id: item.id, postedAt: item.sentAt ?? item.createdAt, rawText: toPlainText(item.text), price: item.price, figures, media: mediaOf(world, item.mediaFiles) }
}

function ofMessage(world: World, message: Message): Highlight {
  const figures = { ...noFigures, lookCount: 1, uniqueLookCount: 1, purchasedCount: 1, purchasedSumm: message.price }
  return { id: message.id, postedAt: message.createdAt, rawText: toPlainText(message.text), price: message.price, figures, media: mediaOf(world, message.mediaFiles) }
}

/** The media that are still in the vault. */
function mediaOf(world: World, ids: readonly number[]): VaultMedia[] {
  return ids.flatMap((id) => world.db.vaultMedia.get(id) ?? [])
}

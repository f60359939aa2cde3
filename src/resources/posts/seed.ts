import { partition } from '../../engine/store/sorted-list.ts'
import { toPlainText } from '../../engine/text.ts'
import { toIso } from '../../engine/time.ts'
import { append, daysAgo, momentBetween } from '../../world/sowing.ts'
import type { Field, Sower } from '../../world/sowing.ts'
import type { VaultMedia } from '../vault/vault.table.ts'
import { caption } from './caption.ts'
import type { Post } from './posts.table.ts'
import { noStatistics, toPrecise } from './posts.ts'

/** A post while its figures still change. */
export type GrowingPost = { -readonly [Name in keyof Post]: Post[Name] }

const firstPostDays = 729
const hourMs = 3_600_000

/** Sows the posts and labels of an account; returns the published ones, oldest first. */
export function sowPosts(sower: Sower, field: Field, vault: readonly VaultMedia[]): GrowingPost[] {
  const { data, account } = field
  const labels = data.labels.map((name) => ({ id: sower.nextId('postLabels'), accountId: account.id, name }))
  const shelf = { ready: vault.filter((media) => media.isReady), waiting: vault.filter((media) => !media.isReady) }
  const times = postTimes(sower, field, shelf)
  const used = new Set<string>()
  const published = times.map((time, index) => createPost(sower, field, { time, index, shelf, used, labels: labels.map(({ id }) => id) }))
  const scheduled = Array.from({ length: data.scheduledPosts }, (_, index) =>
    Object.assign(createPost(sower, field, { time: sower.now + (index * 31 + 5) * hourMs, index: times.length + index, shelf, used, labels: [] }), {
      status: 'scheduled' as const,
      createdAt: toIso(sower.now - (index + 1) * hourMs),
      bucket: null,
      isPinned: false,
      ...noStatistics,
    }),
  )
  append(sower.rows.postLabels, labels)
  append(sower.rows.posts, [...published, ...scheduled])
  return published
}

function postTimes(sower: Sower, { data }: Field, { waiting }: Shelf): number[] {
  const latest = sower.now - hourMs
  if (data.equalTimes) return Array.from({ length: data.posts }, (_, index) => latest - Math.floor(index / 3) * 24 * hourMs).toReversed()
  const times = Array.from({ length: data.posts }, () => momentBetween(sower, daysAgo(sower, firstPostDays), latest))
  times.sort((a, b) => a - b)
  // The newest post has just gone out, with what is still being transcoded.
  if (waiting.length > 0 && times.length > 0) times[times.length - 1] = sower.now - Math.floor(sower.transcodingMs / 4)
  return times
}

/** The media of a vault, oldest first. */
interface Shelf {
  ready: readonly VaultMedia[]
  waiting: readonly VaultMedia[]
}

interface Slot {
  time: number
  index: number
  shelf: Shelf
  used: Set<string>
  labels: readonly number[]
}

function createPost(sower: Sower, { account, data }: Field, { time, index, shelf, used, labels }: Slot): GrowingPost {
  const { random } = sower
  const media = pickMedia(sower, shelf, { time, index })
  const isPaid = media.length > 0 && random.chance(0.18)
  const bucket = data.archivedPosts && data.posts >= 12 ? archiveOf(index) : null
  const text = caption(sower, data.texts, index)
  return {
    id: sower.nextId('posts'),
    accountId: account.id,
    status: 'published',
    createdAt: toIso(time),
    postedAt: toIso(time),
    postedAtPrecise: freePrecise(time, used),
    text,
    rawText: toPlainText(text),
    bucket,
    labels: bucket === null ? labels.filter((_, place) => index % (place + 2) === 0) : [],
    isPinned: bucket === null && (index === 3 || index === data.posts - 2),
    isStream: media.length === 1 && media[0]?.type === 'video' && random.chance(0.1),
    price: isPaid ? random.pick(sower.texts.prices.posts) : 0,
    mediaFiles: media.map(({ id }) => id),
    mediaTypes: media.map(({ type }) => type),
    preview: isPaid && media.length > 1 ? media.slice(0, 1).map(({ id }) => id) : [],
    rfTag: [],
    rfGuest: [],
    rfPartner: [],
    expireDays: null,
    expiresAt: null,
    canComment: true,
    mediaReadyAt: null,
    ...figures(sower, { time, isVideo: media.some(({ type }) => type === 'video'), isEven: data.equalTimes }),
    countedUntil: toIso(sower.now),
  }
}

/** One kind of post after the other: none, one photo, a video, a set, audio, a GIF, everything at once. */
const shapes = [['photo'], [], ['photo', 'photo', 'photo'], ['video'], ['photo', 'video'], ['photo', 'photo'], ['audio'], ['photo', 'photo', 'photo', 'photo'], ['gif'], ['photo', 'video', 'gif', 'audio']] as const

/** Picks media that were in the vault by then; what is still being transcoded goes with the post that went out since. */
function pickMedia(sower: Sower, { ready, waiting }: Shelf, { time, index }: { time: number; index: number }): VaultMedia[] {
  const { random, now } = sower
  const instant = toIso(time)
  const [newest] = waiting
  if (newest !== undefined && time <= now && instant >= newest.createdAt) return [newest]
  const count = partition(ready, (media) => media.createdAt > instant)
  const picked = new Set<VaultMedia>()
  for (const type of shapes[index % shapes.length] ?? []) {
    const start = random.integer(0, Math.max(0, count - 1))
    for (let step = 0; step < count; step += 1) {
      const media = ready[(start + step) % count]
      if (media === undefined || media.type !== type || picked.has(media)) continue
      picked.add(media)
      break
    }
  }
  return [...picked]
}

function archiveOf(index: number): Post['bucket'] {
  if (index % 17 === 5) return 'archived'
  return index % 29 === 11 ? 'private_archived' : null
}

function figures({ random, now }: Sower, { time, isVideo, isEven }: { time: number; isVideo: boolean; isEven: boolean }) {
  if (now - time < 2 * hourMs) return noStatistics
  // A product of chances gives few posts many views.
  const reach = isEven ? 0.3 : random.next() * random.next()
  const uniqueLookCount = 40 + Math.floor(reach * 4000)
  const lookCount = uniqueLookCount + Math.floor(uniqueLookCount * (isEven ? 0.4 : random.next()))
  return {
    ...noStatistics,
    hasStats: true,
    lookCount,
    uniqueLookCount,
    lookDuration: isVideo ? lookCount * random.integer(4, 40) : lookCount * 2,
    likeCount: isEven ? 120 : Math.floor(uniqueLookCount * (0.05 + random.next() * 0.2)),
  }
}

/** The views of a post that at least so many fans paid for or commented on. */
export function seenBy({ lookCount, uniqueLookCount }: Post, fans: number): Pick<Post, 'hasStats' | 'lookCount' | 'uniqueLookCount'> {
  return { hasStats: true, lookCount: Math.max(lookCount, fans), uniqueLookCount: Math.max(uniqueLookCount, fans) }
}

function freePrecise(time: number, used: Set<string>): string {
  for (let micros = 0; ; micros += 1) {
    const precise = toPrecise(time, micros)
    if (used.has(precise)) continue
    used.add(precise)
    return precise
  }
}

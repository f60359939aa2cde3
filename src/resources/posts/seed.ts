import { partition } from '../../engine/store/sorted-list.ts'
import { toPlainText } from '../../engine/text.ts'
import { toIso } from '../../engine/time.ts'
import { append, daysAgo, momentBetween, ownRows } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import type { LabelSizes } from '../labels/sizes.ts'
import type { VaultMedia } from '../vault/vault.table.ts'
import { caption } from './caption.ts'
import type { Post } from './posts.table.ts'
import { noStatistics, toPrecise } from './posts.ts'
import type { PostSizes } from './sizes.ts'
import type { GrowingPost } from './stats.ts'

type Plan = AccountPlan<PostSizes & AccountSizes & LabelSizes>

const firstPostDays = 729

const hourMs = 3_600_000

/** Seeds the posts and labels of an account. */
export function seedPosts(seeding: Seeding, plan: Plan): void {
  const { account, sizes } = plan
  const labels = sizes.labels.map((name) => ({ id: seeding.nextId('postLabels'), accountId: account.id, name }))
  const vault = ownRows(seeding.rows.vaultMedia, account)
  const atHand = { ready: vault.filter((media) => media.isReady), waiting: vault.filter((media) => !media.isReady) }
  const times = postTimes(seeding, plan, atHand)
  const used = new Set<string>()
  const published = times.map((time, index) => createPost(seeding, plan, { time, index, atHand, used, labels: labels.map(({ id }) => id) }))
  const scheduled = Array.from({ length: sizes.scheduledPosts }, (_, index) =>
    Object.assign(
      createPost(seeding, plan, { time: seeding.now + (index * 31 + 5) * hourMs, index: times.length + index, atHand, used, labels: [] }),
      {
        status: 'scheduled' as const,
        createdAt: toIso(seeding.now - (index + 1) * hourMs),
        bucket: null,
        isPinned: false,
        ...noStatistics,
      },
    ),
  )
  append(seeding.rows.postLabels, labels)
  append(seeding.rows.posts, [...published, ...scheduled])
}

function postTimes(seeding: Seeding, { sizes }: Plan, { waiting }: MediaAtHand): number[] {
  const latest = seeding.now - hourMs
  if (sizes.equalTimes) return Array.from({ length: sizes.posts }, (_, index) => latest - Math.floor(index / 3) * 24 * hourMs).toReversed()
  const times = Array.from({ length: sizes.posts }, () => momentBetween(seeding, daysAgo(seeding, firstPostDays), latest))
  times.sort((a, b) => a - b)
  // The newest post has just gone out, with what is still being transcoded.
  if (waiting.length > 0 && times.length > 0) times[times.length - 1] = seeding.now - Math.floor(seeding.transcodingMs / 4)
  return times
}

/** The media of a vault, oldest first. */
interface MediaAtHand {
  ready: readonly VaultMedia[]
  waiting: readonly VaultMedia[]
}

interface Slot {
  time: number
  index: number
  atHand: MediaAtHand
  used: Set<string>
  labels: readonly number[]
}

function createPost(seeding: Seeding, { account, sizes }: Plan, { time, index, atHand, used, labels }: Slot): GrowingPost {
  const { random } = seeding
  const media = pickMedia(seeding, atHand, { time, index })
  const isPaid = media.length > 0 && random.chance(0.18)
  const bucket = sizes.archivedPosts && sizes.posts >= 12 ? archiveOf(index) : null
  const text = caption(seeding, sizes.texts, index)
  return {
    id: seeding.nextId('posts'),
    accountId: account.id,
    status: 'published',
    createdAt: toIso(time),
    postedAt: toIso(time),
    postedAtPrecise: freePrecise(time, used),
    text,
    rawText: toPlainText(text),
    bucket,
    labels: bucket === null ? labels.filter((_, place) => index % (place + 2) === 0) : [],
    isPinned: bucket === null && (index === 3 || index === sizes.posts - 2),
    isStream: media.length === 1 && media[0]?.type === 'video' && random.chance(0.1),
    price: isPaid ? random.pick(seeding.texts.prices.posts) : 0,
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
    ...figures(seeding, { time, isVideo: media.some(({ type }) => type === 'video'), isEven: sizes.equalTimes }),
    countedUntil: toIso(seeding.now),
  }
}

/** One kind of post after the other: none, one photo, a video, a set, audio, a GIF, everything at once. */
const shapes = [
  ['photo'],
  [],
  ['photo', 'photo', 'photo'],
  ['video'],
  ['photo', 'video'],
  ['photo', 'photo'],
  ['audio'],
  ['photo', 'photo', 'photo', 'photo'],
  ['gif'],
  ['photo', 'video', 'gif', 'audio'],
] as const

/** Picks media that were in the vault by then; what is still being transcoded goes with the post that went out since. */
function pickMedia(seeding: Seeding, { ready, waiting }: MediaAtHand, { time, index }: { time: number; index: number }): VaultMedia[] {
  const { random, now } = seeding
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

function figures({ random, now }: Seeding, { time, isVideo, isEven }: { time: number; isVideo: boolean; isEven: boolean }) {
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

function freePrecise(time: number, used: Set<string>): string {
  for (let micros = 0; ; micros += 1) {
    const precise = toPrecise(time, micros)
    if (used.has(precise)) continue
    used.add(precise)
    return precise
  }
}

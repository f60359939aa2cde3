import { toPlainText } from '../../engine/text.ts'
import { dayMs, toIso, hourMs } from '../../engine/time.ts'
import { manyInUnits, sortInUnits } from '../../engine/work.ts'
import type { Work } from '../../engine/work.ts'
import { append, daysAgo, ownRows } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import type { LabelSizes } from '../labels/sizes.ts'
import type { MediaType, VaultMedia } from '../vault/vault.table.ts'
import { CaptionWriter, edgeCaption } from './caption.ts'
import { MediaPool } from './media-pool.ts'
import type { Post } from './posts.table.ts'
import { noStatistics, toPrecise } from './posts.ts'
import { createRhythm } from './rhythm.ts'
import type { SeededPost } from './seeded-posts.ts'
import { planSeries } from './series-plan.ts'
import type { SeriesPart } from './series-plan.ts'
import type { PostSizes } from './sizes.ts'

type Plan = AccountPlan<PostSizes & AccountSizes & LabelSizes>

/** How many days before the clock start the first post can have gone out. */
const firstPostDays = 729

/** Seeds the posts and labels of an account. */
export function* seedPosts(seeding: Seeding, plan: Plan): Work {
  const { account, sizes } = plan
  const labels = sizes.labels.map((name) => ({ id: seeding.nextId('postLabels'), accountId: account.id, name }))
  const mediaPool = new MediaPool(ownRows(seeding.rows.vaultMedia, account))
  const times = yield* postTimes(seeding, plan, mediaPool)
  const usedCursors = new Set<string>()
  const writing = seeding.branch('captions').random
  const writer = new CaptionWriter(writing, plan.persona)
  const series = planSeries(writing, plan.persona.series, times.length)
  const common = { mediaPool, usedCursors, writer }
  const published = yield* manyInUnits(times.length, (index) =>
    createPost(seeding, plan, { ...common, time: times[index] ?? 0, index, labels: labels.map(({ id }) => id), part: series.get(index) }),
  )
  const scheduled = Array.from({ length: sizes.scheduledPosts }, (_, index) =>
    Object.assign(
      createPost(seeding, plan, {
        ...common,
        time: seeding.now + (index * 31 + 5) * hourMs,
        index: times.length + index,
        labels: [],
      }),
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

/** When the published posts went out, oldest first. */
function* postTimes(seeding: Seeding, { sizes, persona }: Plan, { waiting }: MediaPool): Work<number[]> {
  const latest = seeding.now - hourMs
  if (sizes.equalTimes) return Array.from({ length: sizes.posts }, (_, index) => latest - Math.floor(index / 3) * 24 * hourMs).toReversed()
  // Each post has its share of the time, but a week at least, so that there is a day in it that suits the creator.
  const first = daysAgo(seeding, firstPostDays)
  const share = (latest - first) / sizes.posts
  const spare = Math.max(0, 7 * dayMs - share) / 2
  const draw = createRhythm(seeding.random, persona)
  const drawn = yield* manyInUnits(sizes.posts, (index) =>
    draw(Math.max(first, Math.floor(first + index * share - spare)), Math.min(latest, Math.ceil(first + (index + 1) * share + spare))),
  )
  const times = [...(yield* sortInUnits(drawn, (a, b) => a - b))]
  // The newest post has just gone out, with media that are still being transcoded.
  if (waiting.length > 0 && times.length > 0) times[times.length - 1] = seeding.now - Math.floor(seeding.transcodingMs / 4)
  return times
}

/** A post to make: when it goes out, and its place among the account's posts, oldest first. */
interface PostPlan {
  time: number
  index: number
  mediaPool: MediaPool
  /** The cursors that other posts of the account have: each must be unique. */
  usedCursors: Set<string>
  labels: readonly number[]
  writer: CaptionWriter
  /** The part of a series that it is. */
  part?: SeriesPart
}

function createPost(
  seeding: Seeding,
  { account, sizes, persona }: Plan,
  { time, index, mediaPool, usedCursors, labels, writer, part }: PostPlan,
): SeededPost {
  const { random } = seeding
  const topic = part?.topic ?? writer.drawTopic()
  const media = pickMedia(seeding, mediaPool, { time, index, pictures: persona.topics[topic]?.pictures ?? [] })
  const isPaid = media.length > 0 && random.chance(0.18)
  const bucket = sizes.archivedPosts && sizes.posts >= 12 ? archiveOf(index) : null
  const text =
    sizes.texts === 'edge'
      ? edgeCaption(seeding.texts.captions, index)
      : part === undefined
        ? writer.write({ at: time, topic, media: media.map(({ type }) => type), isPaid })
        : writer.tell(part.phrase, time)
  return {
    id: seeding.nextId('posts'),
    accountId: account.id,
    status: 'published',
    createdAt: toIso(time),
    postedAt: toIso(time),
    postedAtPrecise: freePrecise(time, usedCursors),
    text,
    rawText: toPlainText(text),
    topic,
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
    ...figures(seeding, { time, isVideo: media.some(({ type }) => type === 'video'), isEven: sizes.equalTimes }),
    countedUntil: toIso(seeding.now),
  }
}

/** The media types of a post. Posts take these in turn: one photo, text alone, a set of photos, a video and so on. */
const mediaPatterns: readonly (readonly MediaType[])[] = [
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
]

/** Picks the media of a post. One that went out after the start of a transcoding has that media. */
function pickMedia(
  { random, now }: Seeding,
  pool: MediaPool,
  { time, index, pictures }: { time: number; index: number; pictures: readonly string[] },
): VaultMedia[] {
  const [newest] = pool.waiting
  if (newest !== undefined && time <= now && toIso(time) >= newest.createdAt) return [newest]
  return pool.pick(random, { time, index, pictures, types: mediaPatterns[index % mediaPatterns.length] ?? [] })
}

/** The archive bucket of a post; null for most. */
function archiveOf(index: number): Post['bucket'] {
  if (index % 17 === 5) return 'archived'
  return index % 29 === 11 ? 'private_archived' : null
}

/** The views and likes of a post; none for one of the last two hours. */
function figures({ random, now }: Seeding, { time, isVideo, isEven }: { time: number; isVideo: boolean; isEven: boolean }) {
  if (now - time < 2 * hourMs) return noStatistics
  // The product of two random numbers is mostly small: few posts get many views.
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

/** A cursor for that time that no other post has. */
function freePrecise(time: number, usedCursors: Set<string>): string {
  for (let micros = 0; ; micros += 1) {
    const precise = toPrecise(time, micros)
    if (usedCursors.has(precise)) continue
    usedCursors.add(precise)
    return precise
  }
}

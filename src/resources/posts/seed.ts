import type { Random } from '../../world/random.ts'
import { partition } from '../../data/sorted-list.ts'
import { toPlainText } from '../../lib/text.ts'
import { dayMs, fromIso, toIso, hourMs } from '../../lib/time.ts'
import type { Spike } from '../../seed/audience.ts'
import { edgeText } from '../../seed/edge-texts.ts'
import { givenNames } from '../../seed/given-names.ts'
import { momentOf } from '../../seed/moment.ts'
import type { Moment } from '../../seed/moment.ts'
import { append, daysAgo } from '../../seed/seeding.ts'
import type { AccountPlan, Seeding } from '../../seed/seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import type { LabelSizes } from '../labels/sizes.ts'
import { assetOf } from '../media/signatures.ts'
import { fitOf } from '../media/topics.ts'
import { countFans } from '../subscribers/crowd.ts'
import type { Crowd } from '../subscribers/crowd.ts'
import type { MediaType, VaultMedia } from '../vault/vault.table.ts'
import { CaptionWriter } from './caption.ts'
import { MediaPool } from './media-pool.ts'
import type { Post } from './posts.table.ts'
import { noStatistics, toPrecise } from './posts.ts'
import { createRhythm } from './rhythm.ts'
import type { SeededPost } from './seeded-posts.ts'
import { planSeries } from './series-plan.ts'
import type { SeriesPart } from './series-plan.ts'
import type { PostSizes } from './sizes.ts'

type Plan = AccountPlan<PostSizes & AccountSizes & LabelSizes>

/** How many other topics a post can have in turn. */
const maxTopics = 5

/** How much more often a post with several media has a price. */
const paidSets = 1.6

/** How many days before the clock start the first post can have gone out. */
const firstPostDays = 729

/** Seeds the posts and labels of an account. */
export function seedPosts(seeding: Seeding, plan: Plan): void {
  const { account, sizes, persona } = plan
  seeding.requireRoom(sizes.posts)
  const { texts } = seeding
  const labels = givenNames(sizes.labels, {
    texts,
    isEdge: sizes.texts === 'edge',
    own: Object.keys(persona.names.labels),
    numbered: texts.lists.numberedLabel,
  }).map((name) => ({
    id: seeding.nextId('postLabels'),
    accountId: account.id,
    name,
    isClearInProgress: false,
  }))
  const mediaPool = new MediaPool(seeding.rows.vaultMedia, sizes.posts)
  const times = postTimes(seeding, plan, mediaPool)
  const writing = seeding.branch('captions').random
  const writer = new CaptionWriter(writing, plan.persona)
  const series = planSeries(writing, plan.persona.series, times.length)
  const crowd = countFans(seeding.rows.subscriptions)
  const spikes = new Map(seeding.audienceOf(plan).spikes.map(({ at, cause }) => [at, cause]))
  const topics = seeding.branch('topics').random
  const postedBy = {
    seeding,
    plan,
    mediaPool,
    cursors: new Cursors(),
    topics,
    writer,
    crowd,
    startedAt: toIso(seeding.now),
    labels: labels.map(({ id, name }) => ({ id, topics: persona.names.labels[name] })),
  }
  const published = Array.from({ length: times.length }, (_, index) => {
    const time = times[index] ?? 0
    return createPost(postedBy, { time, index, spike: spikes.get(time), part: series.get(index) })
  })
  const scheduled = Array.from({ length: sizes.scheduledPosts }, (_, index) =>
    Object.assign(
      createPost(postedBy, {
        time: seeding.now + (index * 31 + 5) * hourMs,
        index: times.length + index,
        spike: undefined,
        part: undefined,
      }),
      {
        status: 'scheduled' as const,
        createdAt: toIso(seeding.now - (index + 1) * hourMs),
        bucket: null,
        labels: [],
        isPinned: false,
        ...noStatistics,
      },
    ),
  )
  append(seeding.rows.postLabels, labels)
  append(seeding.rows.posts, [...published, ...scheduled])
}

/** When the published posts went out, oldest first. */
function postTimes(seeding: Seeding, plan: Plan, { waiting }: MediaPool): number[] {
  const { sizes, persona } = plan
  const latest = seeding.now - hourMs
  if (sizes.equalTimes)
    return Array.from(
      { length: sizes.posts },
      (_, index) => latest - Math.floor(index / 3) * 24 * hourMs,
    ).toReversed()
  // Each post has its share of the time, but a week at least, so that there is a day in it that
  // suits the creator.
  const first = daysAgo(seeding, firstPostDays)
  const share = (latest - first) / sizes.posts
  const spare = Math.max(0, 7 * dayMs - share) / 2
  const draw = createRhythm(seeding.random, persona)
  const drawn = Array.from({ length: sizes.posts }, (_, index) =>
    draw(
      Math.max(first, Math.floor(first + index * share - spare)),
      Math.min(latest, Math.ceil(first + (index + 1) * share + spare)),
    ),
  )
  const times = drawn.toSorted((a, b) => a - b)
  // What brings many people at once is the post of that evening.
  for (const { at } of seeding.audienceOf(plan).spikes) {
    const next = partition(times, (time) => time >= at)
    const nearest =
      at - (times[next - 1] ?? -Infinity) < (times[next] ?? Infinity) - at ? next - 1 : next
    if (nearest < times.length) times[nearest] = at
  }
  // The newest post has just gone out, with media that are still being transcoded.
  if (waiting.length > 0 && times.length > 0)
    times[times.length - 1] = seeding.now - Math.floor(seeding.transcodingMs / 4)
  return times
}

/** What all posts of an account are made with. */
interface Posting {
  seeding: Seeding
  plan: Plan
  mediaPool: MediaPool
  cursors: Cursors
  crowd: Crowd
  /** The labels of the account, each with the topics that it is for if the creator has some. */
  labels: readonly { id: number; topics: readonly string[] | undefined }[]
  /** Draws what the posts are about. */
  topics: Random
  writer: CaptionWriter
  /** The time on the clock. */
  startedAt: string
}

/** A post to make: when it goes out, and its place among the account's posts, oldest first. */
interface PostPlan {
  time: number
  index: number
  /** What the post brings many people by. */
  spike: Spike['cause'] | undefined
  /** The part of a series that it is. */
  part: SeriesPart | undefined
}

/**
 * @note One literal with each field: what is spread into another object takes ten times as long in
 * a process that has just begun.
 */
function createPost(posting: Posting, { time, index, spike, part }: PostPlan): SeededPost {
  const { seeding, plan, labels, writer } = posting
  const { account, sizes, persona } = plan
  const { random } = seeding
  const iso = toIso(time)
  const moment = momentOf(persona, time)
  const { topic, media, ofDate } = subjectOf(posting, { time, iso, moment, index, spike, part })
  const mediaFiles = listOf(media.map(({ id }) => id))
  const mediaTypes = listOf(media.map(({ type }) => type))
  const isPaid =
    media.length > 0 &&
    random.chance(persona.money.paidPosts * (media.length > 1 ? paidSets : 1)) &&
    spike === undefined
  const bucket = sizes.archivedPosts && sizes.posts >= 12 ? archiveOf(index) : null
  const text =
    sizes.texts === 'edge'
      ? edgeText(seeding.texts, index)
      : (ofDate ??
        (part === undefined
          ? writer.write({ moment, topic, media: mediaTypes, isPaid })
          : writer.tell(part.phrase, moment)))
  const id = seeding.nextId('posts')
  const isStream =
    media.length === 1 && mediaTypes[0] === 'video' && (random.chance(0.16) || spike === 'stream')
  const price = isPaid ? random.pick(persona.money.posts) : 0
  const { hasStats, lookCount, uniqueLookCount, lookDuration, likeCount } = figuresOf(posting, {
    time,
    isVideo: mediaTypes.includes('video'),
    isViral: spike === 'viral',
  })
  return {
    id,
    accountId: account.id,
    status: 'published',
    createdAt: iso,
    postedAt: iso,
    postedAtPrecise: posting.cursors.next(time),
    text,
    rawText: toPlainText(text),
    topic,
    bucket,
    labels: bucket === null ? listOf(labelsOf(labels, topic, index)) : none,
    isPinned: bucket === null && (index === 3 || index === sizes.posts - 2),
    isStream,
    price,
    mediaFiles,
    mediaTypes,
    preview: isPaid && media.length > 1 ? mediaFiles.slice(0, 1) : none,
    rfTag: none,
    rfGuest: none,
    rfPartner: none,
    expireDays: null,
    expiresAt: null,
    canComment: true,
    hasStats,
    lookCount,
    uniqueLookCount,
    lookDuration,
    likeCount,
    commentCount: 0,
    tipCount: 0,
    tipSum: 0,
    purchasedCount: 0,
    purchasedSumm: 0,
    countedUntil: posting.startedAt,
  }
}

/**
 * The list of what a post has none of: one of its own for each of many posts would take more memory
 * than the post.
 */
const none = Object.freeze([]) as readonly never[] as never[]

function listOf<Item>(items: Item[]): Item[] {
  return items.length === 0 ? none : items
}

/** What a post is about and shows. What is said of a date is about no topic, and shows nothing. */
interface Subject {
  topic: string
  media: readonly VaultMedia[]
  ofDate?: string
}

function subjectOf(
  posting: Posting,
  { time, iso, moment, index, spike, part }: PostPlan & { iso: string; moment: Moment },
): Subject {
  const { seeding, plan, mediaPool, writer } = posting
  const { random, now } = seeding
  const { persona, sizes } = plan
  const isOpen = part === undefined && spike === undefined
  const ofDate = isOpen && sizes.texts !== 'edge' ? writer.writeOfDate(moment) : undefined
  if (ofDate !== undefined) return { topic: '', media: [], ofDate }
  let topic = part === undefined ? writer.drawTopic(posting.topics) : part.topic
  // One that went out after the start of a transcoding has that media.
  const [waiting] = mediaPool.waiting
  if (waiting !== undefined && time <= now && time >= fromIso(waiting.createdAt))
    return shownBy(waiting, { persona, topic })
  const types: readonly MediaType[] =
    spike === 'stream' ? ['video'] : (mediaPatterns[index % mediaPatterns.length] ?? [])
  const season = moment.value('season')
  const pick = () =>
    mediaPool.pick(random, {
      instant: iso,
      index,
      pictures: persona.topics[topic]?.pictures ?? [],
      types,
      season,
      isAnyRight: spike === 'stream',
    })
  let media = pick()
  // Where all that shows the topic was shown lately, the post is about another one.
  for (
    let draws = part === undefined ? 0 : maxTopics;
    draws < maxTopics && media.length < Math.min(1, types.length);
    draws += 1
  ) {
    topic = writer.drawTopic(posting.topics)
    media = pick()
  }
  return { topic, media }
}

/** The topic that a medium shows best; where it shows none, the one that was drawn. */
function shownBy(
  media: VaultMedia,
  { persona: { topics }, topic }: { persona: Plan['persona']; topic: string },
): Subject {
  const asset = assetOf(media)
  let best = { topic, fit: fitOf(asset, topics[topic]?.pictures ?? []) }
  for (const [name, { pictures }] of Object.entries(topics)) {
    const fit = fitOf(asset, pictures)
    if (fit > best.fit) best = { topic: name, fit }
  }
  return { topic: best.topic, media: [media] }
}

/** Of so many posts the creator forgets to label one. */
const forgottenEach = 6

/**
 * The labels of a post: those for its topic; of those that are for no topic, each stands on fewer
 * posts than the one before.
 */
function labelsOf(labels: Posting['labels'], topic: string, index: number): number[] {
  const isLabelled = ({ topics }: Posting['labels'][number], place: number) =>
    topics === undefined
      ? index % (place + 2) === 0
      : index % forgottenEach !== 0 && topics.includes(topic)
  return labels.filter(isLabelled).map(({ id }) => id)
}

/**
 * The media types of a post. Posts take these in turn: one photo, text alone, a set of photos, a
 * video and so on.
 */
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
  ['photo'],
]

/** The archive bucket of a post; null for most. */
function archiveOf(index: number): Post['bucket'] {
  if (index % 17 === 5) return 'archived'
  return index % 29 === 11 ? 'private_archived' : null
}

/** The figures that views and likes make. */
type Figures = Pick<
  Post,
  'hasStats' | 'lookCount' | 'uniqueLookCount' | 'lookDuration' | 'likeCount'
>

/** The same figures for posts that are to have equal ones. */
const evenFigures = { lookCount: 168, uniqueLookCount: 120, likeCount: 60 }

/**
 * The views and likes of a post; none for one of the last two hours. Those see it who are
 * subscribed when it goes out, and some of those who come later; one that goes round has visitors
 * too.
 */
function figuresOf(
  { seeding: { random, now }, plan, crowd }: Posting,
  { time, isVideo, isViral }: { time: number; isVideo: boolean; isViral: boolean },
): Figures {
  if (now - time < 2 * hourMs) return noStatistics
  const here = drawSeen(random, crowd.at(time), 0.7 * (1 - Math.exp((time - now) / dayMs)))
  const later = drawSeen(random, crowd.between(time, Math.min(now, time + 90 * dayMs)), 0.35)
  const visitors = isViral
    ? crowd.at(time) + Math.floor((1 + random.next()) * crowd.until(time))
    : 0
  const unique = here + later + visitors
  const looks = unique + Math.floor(unique * (0.1 + 0.8 * random.next()))
  const { lookCount, uniqueLookCount, likeCount } = plan.sizes.equalTimes
    ? evenFigures
    : {
        lookCount: looks,
        uniqueLookCount: unique,
        likeCount: Math.floor(unique * (0.12 + random.next() * 0.3)),
      }
  return {
    hasStats: true,
    lookCount,
    uniqueLookCount,
    lookDuration: isVideo ? lookCount * random.integer(4, 40) : lookCount * 2,
    likeCount,
  }
}

/**
 * Draws how many of so many people see something, of whom that share does at most, and nearly a
 * third of it at least.
 */
function drawSeen(random: Random, people: number, share: number): number {
  return Math.floor(people * share * random.next() + people * share * 0.3)
}

/** The cursors of posts that come in the order of time: no two of an account have the same one. */
class Cursors {
  #lastMicros = 0
  next(time: number): string {
    this.#lastMicros = Math.max(time * 1000, this.#lastMicros + 1)
    return toPrecise(Math.floor(this.#lastMicros / 1000), this.#lastMicros % 1000)
  }
}

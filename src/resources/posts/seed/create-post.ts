import { emptyList } from '../../../data/rows.ts'
import { toPlainText } from '../../../lib/text.ts'
import { toIsoTime, parseIso, dayMs, hourMs } from '../../../lib/time.ts'
import { getEdgeCaseText } from '../../../seed/given-names.ts'
import { toLocalDate, getSeason } from '../../../seed/local-time.ts'
import { createRandom } from '../../../world/random.ts'
import type { Random } from '../../../world/random.ts'
import type { Mutable } from '../../seeding.ts'
import type { MediaType, VaultMedia } from '../../vault/vault.table.ts'
import type { Post } from '../posts.table.ts'
import type { PostPlan, PostingContext, PostsPlan, SeededPost } from './posting.ts'
import { getMediaAsset } from '../../media/media-links.ts'
import { scoreTopicMatch } from '../../media/topics.ts'
import { busyHours } from '../../../seed/audience.ts'
import { mostFansOfSmallAccount } from '../../subscribers/find-subscription.ts'
import { noStatistics } from '../posts.ts'

/** Factor for the probability that a post with several media is paid. */
const paidSets = 1.6
/** Factor that compensates for posts that cannot be paid because their media are not new. */
const newMedia = 1.5

/**
 * Creates a post.
 * @note Lists all fields explicitly, because a spread takes ten times as long in a new process.
 */
export function createSeededPost(
  posting: PostingContext,
  { time, index, spike }: PostPlan,
): SeededPost {
  const { seeding, plan, labels, writer } = posting
  const { account, sizes, persona } = plan
  const { random } = seeding
  const iso = toIsoTime(time)
  const local = toLocalDate(persona, time)
  const { topic: about, media } = pickPostSubject(posting, {
    time,
    iso,
    local,
    index,
    spike,
  })
  const mediaFiles = toOptionalList(media.map(({ id }) => id))
  const mediaTypes = toOptionalList(media.map(({ type }) => type))
  const areNew = posting.mediaPool.areNew(media)
  const isPaid =
    media.length > 0 &&
    areNew &&
    random.chance(persona.money.paidPosts * newMedia * (media.length > 1 ? paidSets : 1)) &&
    spike === undefined
  const bucket = sizes.archivedPosts && sizes.posts >= 12 ? selectArchiveBucket(index) : null
  const isStream =
    media.length === 1 &&
    mediaTypes[0] === 'video' &&
    areNew &&
    ((time <= seeding.now && random.chance(0.16)) || spike === 'stream')
  const own = sizes.texts === 'edge' ? getEdgeCaseText(seeding.texts, index) : undefined
  const { text, isPlain } =
    own === undefined
      ? writer.write({ local, topic: about, media: mediaTypes, isPaid, isStream })
      : { text: own, isPlain: false }
  // Fans do not comment on a topic that the caption does not mention.
  const topic = isPlain ? '' : about
  const shown = media.length > 0 ? about : topic
  const id = seeding.nextId('posts')
  // A recorded stream is not used for other posts.
  posting.mediaPool.use(media, isPaid || isStream)
  if (isStream) setStreamLength(random, media[0] as VaultMedia)
  const price = isPaid ? drawPostPrice(random, persona.money.posts, mediaTypes) : 0
  const { hasStats, lookCount, uniqueLookCount, lookDuration, likeCount } = pickViewStatistics(
    posting,
    {
      time,
      isVideo: mediaTypes.includes('video'),
      isViral: spike === 'viral',
    },
  )
  return {
    id,
    accountId: account.id,
    status: 'published',
    createdAt: iso,
    postedAt: iso,
    postedAtPrecise: posting.nextCursor(time),
    text,
    rawText: toPlainText(text),
    topic,
    bucket,
    labels: bucket === null ? toOptionalList(drawLabels(labels, shown, index)) : emptyList,
    isPinned: bucket === null && (index === 3 || index === sizes.posts - 2),
    isStream,
    price,
    mediaFiles,
    mediaTypes,
    preview: isPaid && media.length > 1 ? mediaFiles.slice(0, 1) : emptyList,
    rfTag: emptyList,
    rfGuest: emptyList,
    rfPartner: emptyList,
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
 * Minimum and maximum length of a stream in seconds, and the size in bytes of one second of its
 * recording.
 */
const streams = { least: 20 * 60, most: 110 * 60, bytesPerSecond: 410_000 }

/** Turns a video into the recording of a stream. The served file is a shorter clip. */
function setStreamLength(random: Random, media: Mutable<VaultMedia>): void {
  media.duration = streams.least + Math.floor((streams.most - streams.least) * random.next() ** 1.6)
  media.size = media.duration * streams.bytesPerSecond + random.integer(0, 400_000)
}

/** Picks a random price for a post. Posts with a video or several media are more expensive. */
function drawPostPrice(
  random: Random,
  prices: readonly number[],
  types: readonly MediaType[],
): number {
  const half = prices.length >> 1
  const isLarge = types.length > 1 || types.includes('video')
  return random.pick(isLarge ? prices.slice(half) : prices.slice(0, half + 1))
}

function toOptionalList<Item>(items: Item[]): Item[] {
  return items.length === 0 ? emptyList : items
}

/** One in this many posts lacks the label for its topic. */
const forgottenEach = 6

/**
 * Returns the labels of a post: the labels for its topic, and some labels without a topic. On
 * average, labels near the end of the list are on fewer posts.
 */
function drawLabels(labels: PostingContext['labels'], topic: string, index: number): number[] {
  const isLabelled = ({ topics }: PostingContext['labels'][number], place: number) =>
    topics === undefined
      ? createRandom(0, 'label', index, place).chance(1 / (place + 2))
      : index % forgottenEach !== 0 && topics.includes(topic)
  return labels.filter(isLabelled).map(({ id }) => id)
}

/** Returns the archive bucket of a post. Null for most posts. */
function selectArchiveBucket(index: number): Post['bucket'] {
  if (index % 17 === 5) return 'archived'
  return index % 29 === 11 ? 'private_archived' : null
}

/** Maximum number of alternative topics to try. */
const maxTopics = 16

/** The media types of posts, in a cycle: one photo, only text, three photos, a video and so on. */
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

/** The topic and the media of a post. */
interface Subject {
  topic: string
  media: readonly VaultMedia[]
}

/** Picks a random subject for a post. */
function pickPostSubject(
  posting: PostingContext,
  { time, iso, local, index, spike }: PostPlan & { iso: string; local: Date },
): Subject {
  const { seeding, plan, mediaPool, writer } = posting
  const { random, now } = seeding
  const { persona } = plan
  let topic = writer.drawTopic(posting.topics)
  // Prefers media that are still being transcoded when the post is published.
  const [waiting] = mediaPool.waiting
  if (waiting !== undefined && time <= now && time >= parseIso(waiting.createdAt))
    return getMediaSubject(waiting, { persona, topic })
  const types: readonly MediaType[] =
    spike === 'stream' ? ['video'] : (mediaPatterns[index % mediaPatterns.length] ?? [])
  const season = getSeason(local)
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
  // Tries another topic if all pictures of the current topic were used recently.
  for (let draws = 0; draws < maxTopics && media.length < Math.min(1, types.length); draws += 1) {
    topic = writer.drawTopic(posting.topics)
    media = pick()
  }
  return { topic, media }
}

/** Returns the main topic of a media item. If the item has no topic, returns the chosen topic. */
function getMediaSubject(
  media: VaultMedia,
  { persona: { topics }, topic }: { persona: PostsPlan['persona']; topic: string },
): Subject {
  const asset = getMediaAsset(media)
  let best = { topic, fit: scoreTopicMatch(asset, topics[topic]?.pictures ?? []) }
  for (const [name, { pictures }] of Object.entries(topics)) {
    const fit = scoreTopicMatch(asset, pictures)
    if (fit > best.fit) best = { topic: name, fit }
  }
  return { topic: best.topic, media: [media] }
}

/** Statistics of a post that depend on views and likes. */
type ViewStatistics = Pick<
  Post,
  'hasStats' | 'lookCount' | 'uniqueLookCount' | 'lookDuration' | 'likeCount'
>

/** Statistics of every post in an account with `equalTimes`. */
const evenStatistics = { lookCount: 168, uniqueLookCount: 120, likeCount: 60 }

/**
 * Picks random numbers of views and likes for a post. Some posts are seen by few people, others by
 * many. A post of the last two hours has no views. Viewers are fans who were subscribed when the
 * post was published, and some fans who subscribed later. Fans who join months later view only a
 * few older posts. A viral post also has viewers who are not fans.
 */
function pickViewStatistics(
  { seeding: { now }, viewRandom: random, plan, crowd }: PostingContext,
  { time, isVideo, isViral }: { time: number; isVideo: boolean; isViral: boolean },
): ViewStatistics {
  if (now - time < 2 * hourMs) return noStatistics
  const appeal = drawAppeal(random) * computeBusyness(time)
  const age = 1 - Math.exp((time - now) / dayMs)
  const here = drawViewerCount(random, crowd.at(time), Math.min(0.96, 0.74 * appeal) * age)
  const old = Math.min(now, time + oldDays * dayMs)
  const later =
    drawViewerCount(random, crowd.between(time, old), Math.min(0.9, 0.42 * appeal)) +
    drawViewerCount(random, crowd.between(old, now), shareOfOld(crowd.between(old, now)) * appeal)
  const visitors = isViral ? Math.floor((0.6 + 0.4 * random.next()) * crowd.until(time)) : 0
  const present = crowd.at(time)
  // At most the fans of a small account and its team view a post.
  const isSmall = present < mostFansOfSmallAccount
  const viewers = isSmall ? Math.min(here + later, present + team) : here + later
  const unique = viewers + visitors
  const perViewer = (isVideo ? 1.5 : 1.15) + 1.7 * random.next() ** 2 * Math.sqrt(appeal)
  const looks = Math.floor(unique * perViewer)
  const { lookCount, uniqueLookCount, likeCount } = plan.sizes.equalTimes
    ? evenStatistics
    : {
        lookCount: looks,
        uniqueLookCount: unique,
        likeCount: roundRandomly(
          random,
          unique * Math.min(0.6, (0.07 + random.next() * 0.24) * Math.sqrt(appeal)),
        ),
      }
  return {
    hasStats: true,
    lookCount,
    uniqueLookCount,
    lookDuration: Math.floor(
      lookCount * (isVideo ? 4 + 36 * random.next() : 1.2 + random.next() * 2.6),
    ),
    likeCount,
  }
}

/** Number of people besides fans who view the posts of a small account. */
const team = 1
/**
 * Age in days at which a post counts as old, and the fraction of later subscribers who still view
 * an old post.
 */
const oldDays = 90
const oldShare = 0.04
/** In a small account, new fans view more of the older posts. */
const shareOfOld = (newcomers: number) => oldShare + 0.5 / (1 + newcomers / 6)

/** Fractions of posts with few or with many views, each with the factor for the number of views. */
const fates = { flops: 0.13, flopFactor: 0.42, hits: 0.1, hitFactor: 1.45 }

/**
 * Picks a random factor for the number of views of a post. For an ordinary post, its average is 1.
 */
function drawAppeal(random: Random): number {
  const fate = random.next()
  const factor = fate < fates.flops ? fates.flopFactor : fate > 1 - fates.hits ? fates.hitFactor : 1
  return factor * (0.72 + 0.5 * random.next())
}

const busiest = Math.max(...busyHours)

/**
 * Returns the factor for the number of views of a post, based on the hour and weekday of
 * publication.
 */
function computeBusyness(time: number): number {
  const date = new Date(time)
  const isWeekend = date.getUTCDay() === 0 || date.getUTCDay() === 6
  return (isWeekend ? 1.05 : 0.96) * (0.88 + (0.2 * (busyHours[date.getUTCHours()] ?? 0)) / busiest)
}

/** Picks a random number of people who see an item. The number varies around the expected value. */
function drawViewerCount(random: Random, people: number, share: number): number {
  return roundRandomly(random, people * Math.min(0.97, share * (0.85 + 0.3 * random.next())))
}

/**
 * Rounds up or down at random. The average result equals the given number, so that small numbers do
 * not always become 0.
 */
function roundRandomly(random: Random, number: number): number {
  return Math.floor(number + random.next())
}

import { findPartitionPoint } from '../../lib/iterables.ts'
import { dayMs, parseIso, toIsoTime, hourMs, minuteMs, getStartOfUtcDay } from '../../lib/time.ts'
import { chooseNames } from '../../seed/given-names.ts'
import { reassignIdsByTime } from '../../seed/seed-ids.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import { TextPicker } from '../../seed/text-picker.ts'
import { appendRows, shuffle } from '../seeding.ts'
import type { SeedContext } from '../seeding.ts'
import { createFanCounter } from '../subscribers/fan-counter.ts'
import { selectMediaForPurpose } from '../vault/files.ts'
import { CaptionWriter } from './caption.ts'
import { noStatistics, toCursor } from './posts.ts'
import { createSeededPost } from './seed/create-post.ts'
import { MediaPool } from './seed/media-pool.ts'
import type { PostingContext, PostsPlan } from './seed/posting.ts'
import { createPostTimePicker } from './seed/posting.ts'
import { toPlainText } from '../../lib/text.ts'
import { defineFactory } from '../define.ts'
import { toLocalDate } from '../../seed/local-time.ts'
import { getPersona, requireTexts } from '../../seed/texts.ts'
import { pickPhoto } from '../vault/vault.ts'
import { findUnusedCursor } from './writes.ts'

/** Number of hours between the start of an account's history and the first possible post. */
const firstPostHours = 30
/** Average number of hours between scheduled posts. */
const scheduledEachHours = 34

/** Seeds the posts and labels of an account. */
export function seedPosts(seeding: SeedContext, plan: PostsPlan): void {
  const { account, sizes, persona } = plan
  seeding.requireRoom(sizes.posts)
  const { texts } = seeding
  const labels = chooseNames(sizes.labels, {
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
  const mediaPool = new MediaPool(
    selectMediaForPurpose('posts', seeding.rows.vaultMedia),
    sizes.posts,
  )
  const times = drawPostTimes(seeding, plan, mediaPool)
  const writing = seeding.branch('captions').random
  const writer = new CaptionWriter(writing, {
    texts: { captions: selectOwnCaptions(seeding) },
    persona,
    picker: new TextPicker(writing, seeding.fakers),
  })
  const crowd = createFanCounter(seeding.rows.subscriptions)
  const spikes = new Map(seeding.getAudience(plan).spikes.map(({ at, cause }) => [at, cause]))
  const topics = seeding.branch('topics').random
  const posting: PostingContext = {
    seeding,
    plan,
    mediaPool,
    nextCursor: createCursors(),
    viewRandom: seeding.branch('figures').random,
    topics,
    writer,
    crowd,
    startedAt: toIsoTime(seeding.now),
    labels: labels.map(({ id, name }) => ({ id, topics: persona.names.labels[name] })),
  }
  const published = Array.from({ length: times.length }, (_, index) => {
    const time = times[index] ?? 0
    return createSeededPost(posting, {
      time,
      index,
      spike: spikes.get(time),
    })
  })
  const planning = seeding.branch('scheduled').random
  const plannedTime = createPostTimePicker(planning, persona)
  const scheduled = Array.from({ length: sizes.scheduledPosts }, (_, index) =>
    Object.assign(
      createSeededPost(posting, {
        time: toFullMinute(
          plannedTime(
            seeding.now + (index * scheduledEachHours + 3) * hourMs,
            seeding.now + (index + 1) * scheduledEachHours * hourMs,
          ),
        ),
        index: times.length + index,
        spike: undefined,
      }),
      {
        status: 'scheduled' as const,
        createdAt: toIsoTime(seeding.now - planning.integer(hourMs, 60 * hourMs)),
        bucket: null,
        labels: [],
        isPinned: false,
        ...noStatistics,
      },
    ),
  )
  appendRows(seeding.rows.postLabels, labels)
  const posts = [...published, ...scheduled]
  if (!sizes.equalTimes) reassignIdsByTime(posts, ({ createdAt }) => createdAt)
  appendRows(seeding.rows.posts, posts)
}

/** Maximum number of accounts whose plain captions are different. */
const maxDecks = 2

/** Returns the plain captions of the account. Accounts share them only if there are many accounts. */
function selectOwnCaptions(seeding: SeedContext): SeedTexts['captions'] {
  const { captions } = seeding.texts
  const decks = Math.min(maxDecks, seeding.accounts.length)
  const { random } = seeding.alike('plain captions')
  const select = <Item>(captions: readonly Item[]) =>
    shuffle(random, captions).filter((_, index) => index % decks === seeding.index % decks)
  return { ...captions, plain: select(captions.plain), streams: select(captions.streams) }
}

function toFullMinute(time: number): number {
  return Math.ceil(time / minuteMs) * minuteMs
}

/** Picks random times for the published posts, oldest first. */
function drawPostTimes(seeding: SeedContext, plan: PostsPlan, { waiting }: MediaPool): number[] {
  const { sizes, persona, since } = plan
  const latest = seeding.now - hourMs
  if (sizes.equalTimes)
    return Array.from(
      { length: sizes.posts },
      (_, index) => latest - Math.floor(index / 3) * 24 * hourMs,
    ).toReversed()
  // The history is divided into equal periods, one per post. A period lasts at least a week, so
  // that it contains a day on which the creator posts.
  const first = since + firstPostHours * hourMs
  const share = (latest - first) / sizes.posts
  const spare = Math.max(0, 7 * dayMs - share) / 2
  const draw = createPostTimePicker(seeding.random, persona)
  const drawn = Array.from({ length: sizes.posts }, (_, index) =>
    draw(
      Math.max(first, Math.floor(first + index * share - spare)),
      Math.min(latest, Math.ceil(first + (index + 1) * share + spare)),
    ),
  )
  const times = drawn.toSorted((a, b) => a - b)
  // A post on the evening when a spike starts is the cause of the spike.
  for (const { at } of seeding.getAudience(plan).spikes) {
    const next = findPartitionPoint(times, (time) => time >= at)
    const nearest =
      at - (times[next - 1] ?? -Infinity) < (times[next] ?? Infinity) - at ? next - 1 : next
    if (nearest < times.length) times[nearest] = at
  }
  // The newest post of the first account was published just before the clock start, and its media
  // are still being transcoded. This does not apply if the post must have many comments.
  const isFirst = seeding.index === 0
  if (isFirst && waiting.length > 0 && times.length > 0 && sizes.comments === 'spread')
    times[times.length - 1] = parseIso(waiting[0]?.createdAt ?? '') + 41_300
  return times
}

/** Returns a function that converts increasing times to unique cursors. */
function createCursors(): (time: number) => string {
  let lastMicros = 0
  return (time) => {
    lastMicros = Math.max(time * 1000, lastMicros + 1)
    return toCursor(Math.floor(lastMicros / 1000), lastMicros % 1000)
  }
}

/**
 * Fills in missing fields of posts. By default, a post is free and has no media. Posts with a
 * future time are scheduled, and other posts are published. A paid post gets one picture.
 */
export const postFactory = defineFactory({
  name: 'post',
  table: 'posts',
  time: 'postedAt',
  isPlannable: true,
  complete(given, context) {
    const { at, iso, world } = context
    const accountId = context.accountId(given)
    const now = world.clock.now()
    const texts = requireTexts(world)
    const persona = getPersona(texts, world.db.accounts.get(accountId))
    const writer = new CaptionWriter(context.random, {
      texts,
      persona,
      picker: new TextPicker(context.random),
    })
    const topic = given.topic ?? (given.text === undefined ? writer.drawTopic() : '')
    const {
      price = 0,
      mediaFiles = price > 0 ? pickPhoto(context, accountId) : [],
      expireDays = null,
      likeCount = 0,
      uniqueLookCount = Math.max(given.lookCount ?? 0, likeCount),
      lookCount = uniqueLookCount,
    } = given
    const mediaTypes = mediaFiles.flatMap((id) => world.db.vaultMedia.get(id)?.type ?? [])
    const text =
      given.text ??
      writer.write({
        local: toLocalDate(persona, at),
        topic,
        media: mediaTypes,
        isPaid: price > 0,
      }).text
    return {
      accountId,
      status: at > now ? ('scheduled' as const) : ('published' as const),
      createdAt: toIsoTime(Math.min(at, now)),
      postedAt: iso,
      postedAtPrecise: findUnusedCursor(world, accountId, at),
      text,
      rawText: toPlainText(text),
      topic,
      mediaFiles: [...mediaFiles],
      mediaTypes,
      expiresAt: expireDays === null ? null : toIsoTime(at + expireDays * dayMs),
      ...noStatistics,
      hasStats: lookCount > 0,
      lookCount,
      uniqueLookCount,
      countedUntil: toIsoTime(Math.max(at, now)),
    }
  },
})

/**
 * Fills in missing fields of removed posts. Removed posts are stored because a page of the feed can
 * still start after a removed post.
 */
export const removedPostFactory = defineFactory({
  name: 'removedPost',
  table: 'removedPosts',
  time: 'removedAt',
  complete(given, context) {
    const { at, iso, random, world } = context
    const accountId = context.accountId(given)
    return {
      // An unused post id.
      id: given.id ?? world.sequences.next('posts', random),
      accountId,
      postedAtPrecise: findUnusedCursor(world, accountId, at - dayMs),
      likeCount: 0,
      tipSum: 0,
      removedAt: iso,
    }
  },
})

/** Fills in missing statistics of a post on one UTC day. By default, the statistics are 0. */
export const postDayFactory = defineFactory({
  name: 'postDay',
  table: 'postDays',
  time: 'date',
  complete(given, context) {
    const { world, at } = context
    const accountId = context.accountId(given)
    const postId =
      given.postId ??
      context.only(
        'postId',
        world.db.posts.in('published', accountId).walk(),
        `published post of the account ${accountId}`,
      )
    const date = toIsoTime(getStartOfUtcDay(at))
    return { id: `${postId}:${date}`, accountId, postId, date }
  },
})

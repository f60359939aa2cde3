import type { Mutable, SeedContext, AccountPlan } from '../seeding.ts'
import { builtInLists } from './vault.table.ts'
import type { VaultMedia } from './vault.table.ts'
import { listPublishedPosts } from '../posts/seed/posting.ts'
import { dayMs, parseIso, hourMs, minuteMs, toIsoTime } from '../../lib/time.ts'
import type { Random } from '../../world/random.ts'
import { moveBeforeBedtime } from '../../seed/local-time.ts'
import { reassignIdsByTime } from '../../seed/seed-ids.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import type { Message } from '../messages/messages.table.ts'
import type { Post } from '../posts/posts.table.ts'
import type { Story } from '../stories/stories.table.ts'
import { createFileNames } from './files.ts'

/** The bit of each built-in list. */
const bits = {
  stories: 1,
  posts: 2,
  messages: 4,
  streams: 8,
  media_stickers: 16,
} as const satisfies Record<(typeof builtInLists)[number], number>

/**
 * Adds the media of an account to the built-in lists. Runs after posts, messages and stories are
 * seeded.
 */
export function seedBuiltInLists({ rows }: SeedContext): void {
  /** Bit mask of the lists that contain each media item. */
  const listsOf = new Map<number, number>()
  for (const { mediaFiles, isStream } of rows.posts)
    addToList(listsOf, mediaFiles, isStream ? bits.posts | bits.streams : bits.posts)
  for (const { mediaFiles, isFromFan } of rows.messages) {
    if (mediaFiles.length > 0 && !isFromFan) addToList(listsOf, mediaFiles, bits.messages)
  }
  for (const { mediaFiles } of rows.stories) addToList(listsOf, mediaFiles, bits.stories)
  const idOf = new Map<string, number>(rows.vaultLists.map(({ id, type }) => [type, id]))
  for (const media of rows.vaultMedia as Mutable<VaultMedia>[]) {
    if (media.senderId !== undefined) continue
    const lists = listsOf.get(media.id) ?? 0
    // Media that are in no other list count as uploaded. So does every fifth item.
    const isUploaded = media.id % 5 === 2 || lists === 0
    const listIds: number[] = []
    for (const type of builtInLists) {
      const id =
        (lists & bits[type]) !== 0 || (isUploaded && type === 'media_stickers')
          ? idOf.get(type)
          : undefined
      if (id !== undefined) listIds.push(id)
    }
    media.listIds = listIds.concat(media.listIds)
  }
}

/** Sets the bit of a list for the given media. */
function addToList(listsOf: Map<number, number>, ids: readonly number[], list: number): void {
  for (const id of ids) listsOf.set(id, (listsOf.get(id) ?? 0) | list)
}

/** Adds up the likes and tips of the posts that contain each media item of the account. */
export function seedMediaEngagement({ rows }: SeedContext): void {
  const byId = new Map<number, Mutable<VaultMedia>>()
  for (const media of rows.vaultMedia) byId.set(media.id, media)
  for (const { mediaFiles, likeCount, tipSum } of listPublishedPosts(rows.posts)) {
    for (const id of mediaFiles) {
      const media = byId.get(id)
      if (media === undefined) continue
      media.likesCount += likeCount
      media.tipsSumm += tipSum
    }
  }
}

/** Only vaults with at least this many media get a failed and a locked media item. */
const leastMedia = 80

/**
 * In a large vault, makes the transcoding of one media item fail, and locks another item. Chooses
 * the newest unused media.
 */
export function seedBrokenMedia({ rows }: SeedContext): void {
  if (rows.vaultMedia.length < leastMedia) return
  const shown = new Set<number>()
  for (const list of [rows.posts, rows.messages, rows.massMessages, rows.stories])
    for (const { mediaFiles } of list)
      if (mediaFiles.length > 0) for (const id of mediaFiles) shown.add(id)
  const unused = (rows.vaultMedia as Mutable<VaultMedia>[])
    .filter(({ id, isReady, senderId }) => isReady && senderId === undefined && !shown.has(id))
    .toReversed()
  const [failed, locked] = [unused.find(({ type }) => type === 'video') ?? unused[0], unused.at(-1)]
  if (failed !== undefined) failed.hasError = true
  if (locked !== undefined && locked !== failed) locked.canView = false
}

/**
 * Probability that a media item is uploaded in the same batch as the previous item. This is
 * possible only if the time between their first uses is at most `mostMs`.
 */
const sameBatch = { chance: 0.6, mostMs: 6 * dayMs }
/**
 * Average and minimum time from an upload to the first use of the media. The recording of a stream
 * is saved at the end of the stream, at most `recording` before its post.
 */
const lead = { mean: 18 * hourMs, least: 20 * minuteMs, recording: 9 * minuteMs }
/**
 * Minimum and maximum processing time by type, as multiples of the transcoding time. Each minute of
 * a video adds `perMinute`.
 */
const processing = {
  photo: [0.04, 0.2],
  gif: [0.1, 0.4],
  audio: [0.1, 0.5],
  video: [0.5, 1.3],
} as const
const perMinute = 0.6
const maxProcessing = 3

/** Picks a random time that the platform needs to process an uploaded media item, ms. */
function drawProcessing(random: Random, { type, duration }: VaultMedia, usual: number): number {
  const [least, most] = processing[type]
  const share = least + (most - least) * random.next() + (perMinute * duration) / 60
  return Math.floor(usual * Math.min(maxProcessing, share))
}

/** Minimum and maximum time between two uploads of a batch, ms. */
const pause = { least: 8_000, most: 95_000 }

/**
 * Sets the upload times of media. Media are uploaded in batches, shortly before their first use in
 * a post, message or story. Media that are never used are uploaded together with other media.
 */
export function seedUploadTimes(
  seeding: SeedContext,
  { sizes, since, persona }: AccountPlan<AccountSizes>,
): void {
  if (sizes.equalTimes) return
  const { random, rows, transcodingMs } = seeding
  const firstUse = findFirstUses(rows)
  const own = (rows.vaultMedia as Mutable<VaultMedia>[]).filter(
    ({ isReady, senderId }) => isReady && senderId === undefined,
  )
  const used = own
    .filter(({ id }) => firstUse.has(id))
    .toSorted((a, b) => (firstUse.get(a.id) ?? 0) - (firstUse.get(b.id) ?? 0) || a.id - b.id)
  const recordings = new Set(
    rows.posts.flatMap(({ isStream, mediaFiles }) => (isStream ? mediaFiles : [])),
  )
  const batches: { at: number; next: number }[] = []
  const upload = (media: Mutable<VaultMedia>, at: number) => {
    media.createdAt = toIsoTime(at)
    media.readyAt = toIsoTime(at + drawProcessing(random, media, transcodingMs))
  }
  let before = -Infinity
  for (const media of used) {
    const usedAt = firstUse.get(media.id) ?? 0
    const latest = usedAt - maxProcessing * transcodingMs - minuteMs
    if (recordings.has(media.id)) {
      upload(media, latest - random.integer(0, lead.recording))
      continue
    }
    let batch = batches.at(-1)
    const isShownTogether = usedAt === before
    before = usedAt
    const canJoin =
      batch !== undefined && batch.next < latest && usedAt - batch.at < sameBatch.mostMs
    if (batch === undefined || !canJoin || !(isShownTogether || random.chance(sameBatch.chance))) {
      const early = lead.least - lead.mean * Math.log(1 - random.next())
      const at = Math.floor(
        Math.max(since, moveBeforeBedtime(persona, latest - early, 3 * random.next())),
      )
      batch = { at, next: at }
      batches.push(batch)
    }
    upload(media, Math.min(batch.next, latest))
    batch.next += random.integer(pause.least, pause.most)
  }
  if (batches.length === 0) return
  for (const media of own) {
    if (firstUse.has(media.id)) continue
    const batch = random.pick(batches)
    upload(media, batch.next)
    batch.next += random.integer(pause.least, pause.most)
  }
  renameMedia(rows, createFileNames(random, persona))
}

/** Reassigns media ids and file names, both in the order of upload. */
function renameMedia(
  { vaultMedia, posts, messages, massMessages, stories }: SeedContext['rows'],
  nameFile: ReturnType<typeof createFileNames>,
): void {
  const media: Mutable<VaultMedia>[] = vaultMedia
  const renamed = reassignIdsByTime(media, ({ createdAt }) => createdAt)
  for (const each of media.toSorted((a, b) => a.id - b.id))
    if (each.senderId === undefined) each.fileName = nameFile(each)
  const lists = new Map<readonly number[], number[]>()
  const rename = (ids: readonly number[]): number[] => {
    const known = lists.get(ids)
    if (known !== undefined) return known
    const list = ids.length === 0 ? (ids as number[]) : ids.map((id) => renamed.get(id) ?? id)
    lists.set(ids, list)
    return list
  }
  for (const post of posts as Mutable<Post>[]) {
    post.mediaFiles = rename(post.mediaFiles)
    post.preview = rename(post.preview)
  }
  for (const records of [messages, massMessages] as Mutable<Message>[][])
    for (const message of records) {
      message.mediaFiles = rename(message.mediaFiles)
      message.previews = rename(message.previews)
    }
  for (const story of stories as Mutable<Story>[]) story.mediaFiles = rename(story.mediaFiles)
}

/** Returns the time when each media item was first used, epoch ms. */
function findFirstUses({ posts, messages, massMessages, stories }: SeedContext['rows']) {
  const firstUse = new Map<number, number>()
  for (const records of [posts, messages, massMessages, stories])
    for (const { mediaFiles, createdAt } of records) {
      if (mediaFiles.length === 0) continue
      const at = parseIso(createdAt)
      for (const id of mediaFiles) if (at < (firstUse.get(id) ?? Infinity)) firstUse.set(id, at)
    }
  return firstUse
}

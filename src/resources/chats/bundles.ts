import type { Random } from '../../world/random.ts'
import { partitionPoint } from '../../lib/partition-point.ts'
import { dayMs, fromIso } from '../../lib/time.ts'
import { mediaFacts } from '../../seed/moment.ts'
import type { Persona } from '../../seed/persona.ts'
import type { AccountPlan, Seeding } from '../../seed/seeding.ts'
import { assetOf } from '../media/signatures.ts'
import { fitOf } from '../media/topics.ts'
import type { MediaType, VaultMedia } from '../vault/vault.table.ts'

/** Media that a creator sells together in chats. All fans get the same offer. */
export interface Bundle {
  /** Creation time, epoch ms. */
  at: number
  mediaIds: number[]
  /** Facts that phrases can require of its media, such as `video`. */
  facts: readonly string[]
  /** Words for it in dialogues: `what` it is, what it is `about`, and its name once `bought`. */
  words: Readonly<Record<'what' | 'about' | 'bought', string>>
  /** Returns its price in dollars at a time (epoch ms). Some bundles get a higher price once. */
  priceAt: (at: number) => number
}

/** Combinations of media types, each with its weight. */
const patterns: readonly (readonly [readonly MediaType[], number])[] = [
  [['video'], 26],
  [['photo', 'photo', 'photo'], 20],
  [['photo', 'photo'], 12],
  [['photo', 'video'], 14],
  [['video', 'photo', 'photo'], 10],
  [['photo', 'photo', 'photo', 'photo'], 10],
  [['audio'], 8],
]

/** Value of one media item by type, as a multiple of the price of a usual message. */
const worth = { photo: 0.45, video: 1.05, gif: 0.1, audio: 0.6 } as const

/** Price range of a message, dollars. */
const prices = { min: 3, max: 200 }

/** Average days between two bundles. */
const daysApart = 5
/** Number of the newest media to pick from. */
const newestMedia = 14
/** Share of bundles whose price rises, and the rise in dollars. */
const raised = { share: 0.55, by: 5 }

/** Creates the bundles that an account sells in chats, oldest first. */
export function createBundles(seeding: Seeding, { persona, since }: AccountPlan): Bundle[] {
  const { random, rows, now } = seeding
  const ready = rows.vaultMedia.filter(({ isReady, hasError }) => isReady && !hasError)
  const known = new Set<string>()
  const bundles: Bundle[] = []
  for (
    let at = since + 3 * dayMs;
    at < now;
    at += dayMs * daysApart * (0.4 + 1.2 * random.next())
  ) {
    const count = partitionPoint(ready, ({ createdAt }) => fromIso(createdAt) > at)
    const newest = ready.slice(Math.max(0, count - newestMedia), count)
    const media = pickMedia(random, newest, random.weighted(patterns))
    const key = media.map(({ id }) => id).join()
    if (media.length === 0 || known.has(key)) continue
    known.add(key)
    bundles.push(toBundle(random, media, { at, persona }))
  }
  return bundles
}

function pickMedia(
  random: Random,
  newest: readonly VaultMedia[],
  types: readonly MediaType[],
): VaultMedia[] {
  const picked: VaultMedia[] = []
  for (const type of types) {
    const left = newest.filter((media) => media.type === type && !picked.includes(media))
    if (left.length > 0) picked.push(random.pick(left))
  }
  return picked
}

function toBundle(
  random: Random,
  media: readonly VaultMedia[],
  { at, persona }: { at: number; persona: Persona },
): Bundle {
  const value = media.reduce((sum, { type }) => sum + worth[type], 0)
  const { min, max } = prices
  const usual = Math.round(random.pick(persona.money.messages) * Math.min(2.2, value))
  const price = Math.min(max, Math.max(min, usual))
  const raisedAt = random.chance(raised.share) ? at + random.integer(14, 70) * dayMs : Infinity
  const about = aboutOf(media[0] as VaultMedia, persona)
  const types = media.map(({ type }) => type)
  return {
    at,
    mediaIds: media.map(({ id }) => id),
    facts: mediaFacts(types),
    words: { what: describeMedia(media), about, bought: `the ${about} ${nounOf(types)}` },
    priceAt: (time) => (time < raisedAt ? price : Math.min(max, price + raised.by)),
  }
}

/** Returns the creator's word for the main subject of a media item. */
function aboutOf(media: VaultMedia, { topics }: Persona): string {
  const asset = assetOf(media)
  let best = { called: '', fit: -1 }
  for (const [name, { called, pictures }] of Object.entries(topics)) {
    const fit = fitOf(asset, pictures)
    if (fit > best.fit) best = { called: called ?? name, fit }
  }
  return best.called
}

function nounOf(types: readonly MediaType[]): string {
  if (types.includes('video')) return 'clip'
  if (types.includes('audio')) return 'recording'
  return types.length === 1 ? 'photo' : 'photos'
}

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six'] as const

/** Describes media in words, such as `three photos and a clip of 14 seconds`. */
export function describeMedia(media: readonly Pick<VaultMedia, 'type' | 'duration'>[]): string {
  const photos = media.filter(({ type }) => type === 'photo').length
  const parts = photos === 0 ? [] : [photos === 1 ? 'one photo' : `${numbers[photos]} photos`]
  for (const { type, duration } of media) {
    if (type === 'video') parts.push(`a clip of ${lengthOf(duration)}`)
    if (type === 'audio') parts.push(`a recording of ${lengthOf(duration)}`)
  }
  return parts.length < 2
    ? (parts[0] ?? '')
    : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** Describes a duration in words: in minutes from 90 seconds on, otherwise in seconds. */
export function lengthOf(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} seconds` : `${Math.round(seconds / 60)} minutes`
}

import type { Random } from '../../world/random.ts'
import { findPartitionPoint } from '../../lib/iterables.ts'
import { dayMs, toIsoTime, parseIso } from '../../lib/time.ts'
import type { Persona } from '../../seed/persona.ts'
import type { AccountPlan, SeedContext, Rows } from '../seeding.ts'
import { getMediaAsset } from '../media/media-links.ts'
import { getScene, scoreTopicMatch } from '../media/topics.ts'
import type { MassMessageSizes } from '../mass-messages/mass-messages.table.ts'
import { selectMediaForPurpose } from '../vault/files.ts'
import type { Purpose } from '../vault/files.ts'
import type { MediaType, VaultMedia } from '../vault/vault.table.ts'

/** A set of media that a creator sells in chats. All fans are offered the same price. */
export interface Bundle {
  /** Creation time, epoch ms. */
  at: number
  mediaIds: number[]
  /** The values of an offer in texts: `offer.content`, such as `3 photos`, and `offer.topic`. */
  values: readonly (readonly [string, string])[]
  /** Price in dollars at a given time (epoch ms). Some bundles have one price increase. */
  priceAt: (at: number) => number
}

/** Combinations of media types in a bundle, with weights. */
const patterns: readonly (readonly [readonly MediaType[], number])[] = [
  [['video'], 26],
  [['photo', 'photo', 'photo'], 20],
  [['photo', 'photo'], 12],
  [['photo', 'video'], 14],
  [['video', 'photo', 'photo'], 10],
  [['photo', 'photo', 'photo', 'photo'], 10],
  [['audio'], 8],
]

/** Value of each media type, as a multiple of a typical message price. */
const worth = { photo: 0.65, video: 0.95, gif: 0.1, audio: 0.7 } as const
/** Additional value of each second of a video. */
const worthPerSecond = 0.012
/** Maximum value of the media without the seconds, and with them. */
const maxWorth = { media: 1.5, all: 2.1 } as const

/** Average number of media in a bundle. */
const mediaPerBundle = 2.2
/** Number of most recent media items from which a bundle's media are picked. */
const newestMedia = 14
/** Fraction of bundles whose price increases once, to the next price step. */
const raisedShare = 0.55

/** Possible prices of offers, dollars. */
const priceSteps = [
  5, 8, 9, 10, 12, 14, 15, 18, 20, 22, 25, 28, 30, 35, 40, 45, 50, 60, 70, 75, 85, 100,
] as const

/**
 * Creates the bundles that an account sells in chats, oldest first. A media item is in at most one
 * bundle.
 */
export function createBundles(
  seeding: SeedContext,
  { persona, since, sizes }: AccountPlan<MassMessageSizes>,
): Bundle[] {
  const { random, rows, now } = seeding
  const aboutOf = createTopicLookup(persona)
  const purposes: readonly Purpose[] =
    sizes.massMessages > 0 ? ['offers'] : ['offers', 'massMessages']
  const left = purposes
    .flatMap((purpose) => selectMediaForPurpose(purpose, rows.vaultMedia))
    .filter((media) => isSellable(media, aboutOf))
    .toSorted((a, b) => a.id - b.id)
  const gap = ((now - since) * mediaPerBundle) / Math.max(1, left.length)
  const bundles: Bundle[] = []
  for (let at = since + 3 * dayMs; at < now; at += gap * (0.4 + 1.2 * random.next())) {
    const instant = toIsoTime(at)
    const count = findPartitionPoint(left, ({ createdAt }) => createdAt > instant)
    const newest = left.slice(Math.max(0, count - newestMedia), count)
    const drawn = pickMedia(random, newest, { types: random.pickWeighted(patterns), aboutOf })
    // Few creators have sellable media of each type at each time.
    const media = drawn.length > 0 ? drawn : newest.slice(-1)
    if (media.length === 0) continue
    for (const each of media) left.splice(left.indexOf(each), 1)
    bundles.push(toBundle(random, media, { at, persona, about: aboutOf(media[0] as VaultMedia) }))
  }
  return bundles
}

/** True if the media item can be sold: it is not a GIF, and shows one of the creator's topics. */
export function isSellable(media: VaultMedia, aboutOf: TopicLookup): boolean {
  return media.isReady && !media.hasError && media.type !== 'gif' && aboutOf(media) !== ''
}

function pickMedia(
  random: Random,
  newest: readonly VaultMedia[],
  { types, aboutOf }: { types: readonly MediaType[]; aboutOf: TopicLookup },
): VaultMedia[] {
  const picked: VaultMedia[] = []
  // All media of a bundle have the same topic as the first item. They show different pictures, if
  // possible from the same scene.
  const isAlike = (media: VaultMedia) =>
    picked[0] === undefined || aboutOf(media) === aboutOf(picked[0])
  for (const type of types) {
    const left = newest.filter(
      (media) =>
        media.type === type && !picked.some(({ asset }) => asset === media.asset) && isAlike(media),
    )
    const first = picked[0]
    const sameScene =
      first === undefined
        ? []
        : left.filter(({ asset }) => getScene(asset) === getScene(first.asset))
    if (left.length > 0) picked.push(random.pick(sameScene.length > 0 ? sameScene : left))
  }
  return picked
}

/**
 * Picks a random price step for the given media and returns its index. Videos and larger sets of
 * media cost more.
 */
function drawPriceStep(random: Random, { money }: Persona, media: readonly VaultMedia[]): number {
  let [value, seconds] = [0, 0]
  for (const { type, duration } of media) {
    value += worth[type]
    if (type === 'video') seconds += duration
  }
  value = Math.min(maxWorth.all, Math.min(maxWorth.media, value) + seconds * worthPerSecond)
  return findNearestPriceStep(random.pick(money.messages) * value)
}

/** Picks a random price for the given media, dollars. */
export function pickPrice(random: Random, persona: Persona, media: readonly VaultMedia[]): number {
  return priceSteps[drawPriceStep(random, persona, media)] ?? priceSteps[0]
}

function toBundle(
  random: Random,
  media: readonly VaultMedia[],
  { at, persona, about }: { at: number; persona: Persona; about: string },
): Bundle {
  const step = drawPriceStep(random, persona, media)
  const raisedAt = random.chance(raisedShare) ? at + random.integer(14, 70) * dayMs : Infinity
  return {
    at,
    mediaIds: media.map(({ id }) => id),
    values: listOfferValues(media, about),
    priceAt: (time) =>
      priceSteps[time < raisedAt ? step : step + 1] ?? priceSteps[priceSteps.length - 1] ?? 0,
  }
}

/** Returns the index of the price step nearest to an amount in dollars. */
function findNearestPriceStep(amount: number): number {
  const index = findPartitionPoint(priceSteps, (price) => price > amount)
  const [below = 0, above = Infinity] = [priceSteps[index - 1], priceSteps[index]]
  return amount - below < above - amount ? Math.max(0, index - 1) : index
}

/** Returns the creator's term for the main topic of a media item. Empty for other topics. */
export type TopicLookup = (media: VaultMedia) => string

/** Creates a lookup of topics that searches once for each asset. */
export function createTopicLookup(persona: Persona): TopicLookup {
  const known = new Map<string, string>()
  return (media) => {
    const about = known.get(media.asset) ?? findAbout(media, persona)
    known.set(media.asset, about)
    return about
  }
}

function findAbout(media: VaultMedia, { topics }: Persona): string {
  const asset = getMediaAsset(media)
  let best = ''
  let bestFit = 0
  for (const [name, { called, pictures }] of Object.entries(topics)) {
    const fit = scoreTopicMatch(asset, pictures)
    if (fit <= bestFit) continue
    best = called ?? name
    bestFit = fit
  }
  return best
}

/** Returns the values with which texts describe offered media. */
export function listOfferValues(
  media: readonly VaultMedia[],
  about: string,
): (readonly [string, string])[] {
  return [
    ['offer.content', describeMedia(media)],
    ['offer.topic', about],
  ]
}

/** Offers mention the duration only of clips and recordings with at least this many seconds. */
const leastMentioned = 60

/** Describes media, such as `3 photos and a clip` or `a 3 min video`. */
function describeMedia(media: readonly VaultMedia[]): string {
  const photos = media.filter(({ type }) => type === 'photo').length
  const parts = photos === 0 ? [] : [photos === 1 ? '1 photo' : `${photos} photos`]
  for (const { id, type, duration } of media) {
    const length = duration < leastMentioned ? 'a' : withArticle(formatDuration(duration))
    // People use both words.
    if (type === 'video') parts.push(`${length} ${id % 3 === 0 ? 'video' : 'clip'}`)
    if (type === 'audio') parts.push(`${length} recording`)
  }
  return parts.length < 2
    ? (parts[0] ?? '')
    : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** Adds the article to a duration: `an 8 min`, `a 14 min`. */
function withArticle(duration: string): string {
  return `${/^(8|11\b|18\b)/.test(duration) ? 'an' : 'a'} ${duration}`
}

/** Formats a duration, such as `14 sec`. Durations of at least 90 seconds are given in minutes. */
function formatDuration(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} sec` : `${Math.round(seconds / 60)} min`
}

/** Offers are picked from this many of the newest bundles. A larger exponent favours newer ones. */
const newestBundles = 5
const newestFirst = 2
/**
 * Exponent by which the probability of a purchase falls with the price, and the maximum factor for
 * cheap offers.
 */
const priceEffect = 0.6
const maxDemand = 1.5
/** Names of weekdays in personas, starting with Sunday. */
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
/** Creators send a photo free of charge until it is this old. */
const oldGiftMs = 120 * dayMs
/** Fans who buy at least this fraction of their offers count as good customers. */
const goodCustomer = 0.44

/** The media of an account, the creator's prices, and how much the fan buys. */
export interface OfferInput {
  random: Random
  persona: Persona
  /** The bundles that the account sells, oldest first. */
  bundles: readonly Bundle[]
  /** The photos that the account sends free of charge, oldest first. */
  gifts: readonly Gift[]
  /** Probability that the fan buys an offer. */
  buys: number
}

/**
 * Picks the media that a creator offers to one fan or sends free of charge. Keeps track of the
 * media that the fan has already seen and bought. All times are epoch ms.
 */
export class OfferPicker {
  readonly #input: OfferInput
  readonly #offered = new Set<Bundle>()
  readonly #given = new Set<Gift>()

  constructor(input: OfferInput) {
    this.#input = input
  }

  /**
   * Picks one of the newest bundles that have not been offered to the fan, and prefers the newest
   * ones. Undefined if there are no bundles.
   */
  draw(at: number): Bundle | undefined {
    const { random, bundles, buys } = this.#input
    const newest: Bundle[] = []
    for (let index = bundles.length - 1; index >= 0 && newest.length < newestBundles; index -= 1) {
      const bundle = bundles[index]
      if (bundle !== undefined && bundle.at < at && !this.#offered.has(bundle)) newest.push(bundle)
    }
    if (newest.length === 0) return undefined
    const pick = () => newest[Math.floor(newest.length * random.next() ** newestFirst)] as Bundle
    const first = pick()
    if (buys <= goodCustomer) return first
    // Good customers get more expensive offers.
    const other = pick()
    return other.priceAt(at) > first.priceAt(at) ? other : first
  }

  /** Returns the newest free photo that the fan does not have. Undefined if all others are old. */
  findGift(at: number): Gift | undefined {
    const { gifts } = this.#input
    let index = findPartitionPoint(gifts, (gift) => gift.at > at) - 1
    for (; index >= 0; index -= 1) {
      const gift = gifts[index] as Gift
      if (at - gift.at > oldGiftMs) return undefined
      if (!this.#given.has(gift)) return gift
    }
    return undefined
  }

  markOffered(bundle: Bundle): void {
    this.#offered.add(bundle)
  }

  markGiven(gift: Gift): void {
    this.#given.add(gift)
  }

  /**
   * Returns a factor for the probability of a purchase. A high price lowers the probability, and
   * fans spend more on some weekdays.
   */
  getDemand(bundle: Bundle, at: number): number {
    const { messages, days } = this.#input.persona.money
    const weekday = weekdays[new Date(at).getUTCDay()] ?? 'sun'
    const usual = messages[messages.length >> 1] ?? 20
    return days[weekday] * Math.min(maxDemand, (usual / bundle.priceAt(at)) ** priceEffect)
  }
}

/** A photo that a creator sends free of charge in chats. */
export interface Gift {
  /** Time of the upload, epoch ms. */
  at: number
  mediaId: number
  /** The picture. Several media may have the same one. */
  asset: string
  /** The creator's term for the topic. */
  about: string
}

/** Returns the photos that an account sends free of charge in chats, oldest first. */
export function listGifts({ vaultMedia }: Pick<Rows, 'vaultMedia'>, persona: Persona): Gift[] {
  const aboutOf = createTopicLookup(persona)
  return selectMediaForPurpose('gifts', vaultMedia)
    .filter((media) => media.type === 'photo' && isSellable(media, aboutOf))
    .map((media) => ({
      at: parseIso(media.createdAt),
      mediaId: media.id,
      asset: media.asset,
      about: aboutOf(media),
    }))
}

import type { Random } from '../../world/random.ts'
import { dayMs, parseIso, toIsoTime, hourMs } from '../../lib/time.ts'
import type { VisitorSpike } from '../../seed/audience.ts'
import { getEdgeCaseText } from '../../seed/given-names.ts'
import { reassignIdsByTime } from '../../seed/seed-ids.ts'
import { getTimeDaysAgo } from '../seeding.ts'
import type { AccountPlan, Mutable, SeedContext } from '../seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import { createTopicLookup, isSellable, pickPrice } from '../chats/seeded-bundles.ts'
import type { TopicLookup } from '../chats/seeded-bundles.ts'
import type { Chat } from '../chats/chats.table.ts'
import type { Message } from '../messages/messages.table.ts'
import { getPlannedPayments } from '../payments/seeded-transactions.ts'
import type { PaymentSizes } from '../payments/transactions.table.ts'
import { createLatestActivityLookup } from '../subscribers/find-subscription.ts'
import { selectMediaForPurpose } from '../vault/files.ts'
import type { MediaType, VaultMedia } from '../vault/vault.table.ts'
import type { MassMessage, MassMessageSizes } from './mass-messages.table.ts'
import {
  createReplyWriter,
  canSellTo,
  deliverCopies,
  drawBuyers,
  sortByLikelihood,
} from './copies.seed.ts'
import type { RecipientData } from './copies.seed.ts'
import { writeMassMessage, createRecipientPicker } from './seeded-recipients.ts'
import { TextPicker } from '../../seed/text-picker.ts'
import type { ListReference } from './schemas.ts'
import type { AudienceKind, Recipients } from './seeded-recipients.ts'

/** An account to seed, the writer of its messages, and the topics of its media. */
type Plan = AccountPlan<MassMessageSizes & PaymentSizes & AccountSizes> & {
  picker: TextPicker
  aboutOf: TopicLookup
}

const audiences: readonly (readonly ListReference[])[] = [
  ['recent'],
  ['fans'],
  ['fans', 'following'],
  ['friends'],
]

/** Number of subscribers who join before the first mass message. */
const firstSubscribers = 5
/** Maximum delay of a mass message, as a fraction of the average interval between messages. */
const maxDelay = 0.95
/** Exponent of the times of mass messages. Above 1, creators send more of them later. */
const growth = 1.3

/**
 * Seeds the mass messages of an account: sent messages with their copies and purchases, queued
 * messages and cancelled messages.
 */
export function seedMassMessages(
  seeding: SeedContext,
  given: Omit<Plan, 'picker' | 'aboutOf'>,
): void {
  const { account, sizes, persona } = given
  if (sizes.massMessages === 0 && sizes.queuedMassMessages === 0) return
  const plan: Plan = {
    ...given,
    picker: new TextPicker(seeding.branch('texts').random, seeding.fakers),
    aboutOf: createTopicLookup(persona),
  }
  const vault = [...selectMediaForPurpose('massMessages', seeding.rows.vaultMedia)]
  const fans = seeding.rows.subscriptions
  const recipientsAt = createRecipientPicker(seeding)
  const chats: Mutable<Chat>[] = seeding.rows.chats
  const data: RecipientData = {
    weights: new Map(
      getPlannedPayments(seeding.rows).spenders.map(({ fan, weight }) => [fan.fanId, weight]),
    ),
    withSetPurchases: new Set(fans.slice(0, sizes.transactionsPerFan.length)),
    lastActiveAt: createLatestActivityLookup(seeding, account),
    chatOf: new Map(chats.map((chat) => [chat.fanId, chat])),
    addReplies: createReplyWriter(seeding, plan),
  }
  const times = drawSendTimes(seeding, plan)
  for (const [index, sentAt] of times.entries())
    send(seeding, plan, { index, sentAt, recipients: recipientsAt(sentAt), vault, data })
  for (let index = 0; index < sizes.queuedMassMessages; index += 1)
    addUnsent(seeding, plan, { index, state: 'queued', vault })
  for (let index = 0; index < Math.ceil(sizes.queuedMassMessages / 4); index += 1)
    addUnsent(seeding, plan, { index, state: 'cancelled', vault })
  const renamed = reassignIdsByTime(seeding.rows.massMessages, ({ createdAt }) => createdAt)
  for (const message of seeding.rows.messages as Mutable<Message>[])
    if (message.queueId !== null) message.queueId = renamed.get(message.queueId) ?? message.queueId
}

/**
 * Returns random send times of mass messages, oldest first, epoch ms. All times are different. The
 * first message is sent when the account has a few subscribers. Messages are sent in the creator's
 * evening, or at a peak in the number of visitors.
 */
function drawSendTimes(seeding: SeedContext, plan: Plan): number[] {
  const { random, now, rows } = seeding
  const { sizes } = plan
  const { drawEvening, spikes } = seeding.getAudience(plan)
  const joined = rows.subscriptions.map(({ subscribedAt }) => subscribedAt).toSorted()
  const first = joined[Math.min(firstSubscribers, joined.length) - 1]
  const since = first === undefined ? plan.since : parseIso(first)
  const gap = (now - since) / sizes.massMessages
  const times: number[] = []
  const announced = new Set<VisitorSpike>()
  for (let index = 0; index < sizes.massMessages; index += 1) {
    const delay = index === 0 ? 0 : maxDelay * random.next()
    const age = ((index + delay) / sizes.massMessages) ** growth
    const latest = Math.floor(now - 5 * hourMs - (now - since) * age)
    const evening = drawEvening(random, latest)
    const time = gap < 2 * dayMs ? latest : evening > latest ? evening - dayMs : evening
    // A campaign or a stream is announced two hours before it begins.
    const spike = spikes.find((each) => Math.abs(each.at - time) < gap / 2 && !announced.has(each))
    if (spike !== undefined) announced.add(spike)
    times.push(
      Math.min(spike === undefined ? time : spike.at - 2 * hourMs, (times.at(-1) ?? now) - 1),
    )
  }
  return times.toReversed()
}

/**
 * A mass message to send. `index` is its position among the account's mass messages, oldest first.
 */
interface MessagePlan {
  index: number
  /** Epoch ms. */
  sentAt: number
  recipients: Recipients
  /** Media that have not been used in a mass message. */
  vault: VaultMedia[]
  data: RecipientData
}

/** Adds a sent mass message with its copies. */
function send(
  seeding: SeedContext,
  plan: Plan,
  { index, sentAt, recipients, vault, data }: MessagePlan,
): void {
  const { random, rows } = seeding
  const { account } = plan
  const { kind, fans, userLists, userIds } = recipients
  const isSmall = fans.length < fewRecipients
  // Most messages have paid media, but not messages to former and new fans.
  const isPaid =
    index % (isSmall ? 2 : 6) !== 0 &&
    kind !== 'lapsed' &&
    kind !== 'recent' &&
    canSellTo(rows, fans, data)
  const content = drawContent(seeding, plan, {
    at: sentAt,
    vault: isPaid ? vault : [],
    audience: kind,
  })
  const hasPhoto = kind === 'lapsed' || kind === 'recent'
  const photo = hasPhoto
    ? takePhoto(vault, { before: toIsoTime(sentAt), aboutOf: plan.aboutOf })
    : undefined
  const createdAt = toIsoTime(sentAt)
  const message: MassMessage = {
    ...createUnsentFields(account.id, seeding.nextId('massMessages')),
    ...content,
    ...(photo === undefined ? {} : { mediaFiles: [photo.id] }),
    state: 'sent',
    userLists,
    userIds,
    createdAt,
    sentAt: createdAt,
    sentCount: fans.length,
  }
  rows.massMessages.push(message)
  // Rounding must not make the share of a few recipients small. Some fans see it and do not buy.
  const seen = Math.max(
    Math.ceil(fans.length / 3),
    message.price === 0 ? 0 : 2,
    Math.floor(fans.length * drawShare(random, kind === 'lapsed' ? [0.4, 0.5] : [0.42, 0.78])),
  )
  const buyers =
    message.price === 0 ? 0 : drawBuyers(random, fans.length, drawDemand(random, message.price))
  // The best spenders buy first.
  const sorted = sortByLikelihood(random, fans, data.weights)
  deliverCopies(
    seeding,
    plan,
    {
      message,
      fans: sorted,
      seen,
      buyers,
      canReply: kind !== 'lapsed',
    },
    data,
  )
}

/** Combinations of media types in a paid message, with weights. */
const patterns: readonly (readonly [readonly MediaType[], number])[] = [
  [['video'], 40],
  [['photo', 'photo', 'photo'], 22],
  [['photo', 'photo'], 12],
  [['photo'], 14],
  [['audio'], 12],
]
/** A media item is picked from this number of the most recent media items of its type. */
const newestMedia = 6

/**
 * Picks media of one topic that were in the vault at a given time. Skips a media type if the vault
 * had no media of this type.
 */
function pickMedia(
  random: Random,
  vault: readonly VaultMedia[],
  { before, aboutOf }: { before: string; aboutOf: TopicLookup },
): VaultMedia[] {
  const picked: VaultMedia[] = []
  const isAlike = (media: VaultMedia) =>
    picked[0] === undefined || aboutOf(media) === aboutOf(picked[0])
  for (const type of random.pickWeighted(patterns)) {
    const fitting = vault.filter(
      (media) =>
        media.type === type &&
        isSellable(media, aboutOf) &&
        media.createdAt < before &&
        !picked.some(({ asset }) => asset === media.asset) &&
        isAlike(media),
    )
    if (fitting.length > 0) picked.push(random.pick(fitting.slice(-newestMedia)))
  }
  return picked
}

/** Removes the newest photo from the vault. Free messages to new and former fans have a photo. */
function takePhoto(
  vault: VaultMedia[],
  { before, aboutOf }: { before: string; aboutOf: TopicLookup },
): VaultMedia | undefined {
  const place = vault.findLastIndex(
    (media) => media.type === 'photo' && media.createdAt < before && isSellable(media, aboutOf),
  )
  return place === -1 ? undefined : vault.splice(place, 1)[0]
}

/** Of the messages to fewer recipients, only every second one is paid. */
const fewRecipients = 14
/** Minimum and maximum fraction of recipients who would buy a message if it were free of charge. */
const boughtShares = [0.12, 0.19] as const
/**
 * Price at which the fraction of buyers is halved (dollars), and minimum fraction of buyers at any
 * price.
 */
const demand = { halfAt: 55, least: 0.025 }

/**
 * Returns the random fraction of recipients who buy the message. The fraction decreases with the
 * price.
 */
function drawDemand(random: Random, price: number): number {
  return Math.max(demand.least, drawShare(random, boughtShares) * 2 ** (-price / demand.halfAt))
}

function drawShare(random: Random, [min, max]: readonly [number, number]): number {
  return min + (max - min) * random.next()
}

/**
 * Adds a mass message that was never sent, because it is still queued or was cancelled in the
 * queue.
 */
function addUnsent(
  seeding: SeedContext,
  plan: Plan,
  { index, state, vault }: Pick<MessagePlan, 'index' | 'vault'> & { state: 'queued' | 'cancelled' },
): void {
  const { account } = plan
  const { drawEvening } = seeding.getAudience(plan)
  const isPaid = state === 'queued' && index % 2 === 0
  const at = Math.max(
    drawEvening(seeding.random, seeding.now + index * 2 * dayMs),
    seeding.now + (index + 1) * hourMs,
  )
  const content = drawContent(seeding, plan, { at, vault: isPaid ? vault : [] })
  seeding.rows.massMessages.push({
    ...createUnsentFields(account.id, seeding.nextId('massMessages')),
    ...content,
    state,
    userLists: [...(audiences[index % audiences.length] ?? [])],
    excludedLists: index % 2 === 0 ? [] : ['muted'],
    createdAt: toIsoTime(getTimeDaysAgo(seeding, 1 + index) - seeding.random.integer(0, dayMs / 2)),
    scheduledDate: toIsoTime(at),
  })
}

/** Fields of a mass message that was not sent. */
export function createUnsentFields(accountId: number, id: number) {
  return {
    id,
    accountId,
    userLists: [],
    userIds: [],
    excludedLists: [],
    excludedIds: [],
    scheduledDate: null,
    sentAt: null,
    sentCount: 0,
    goneViews: 0,
  } satisfies Partial<MassMessage>
}

/** Creates random content for a mass message. If a vault is given, the message has paid media. */
function drawContent(
  { random, texts, rows, now }: SeedContext,
  { account, picker, aboutOf, persona, sizes }: Plan,
  { at, vault, audience }: { at: number; vault: VaultMedia[]; audience?: AudienceKind },
) {
  const before = toIsoTime(Math.min(at, now))
  const media = vault.length === 0 ? [] : pickMedia(random, vault, { before, aboutOf })
  for (const each of media) vault.splice(vault.indexOf(each), 1)
  const [first] = media
  const mediaFiles = media.map(({ id }) => id)
  const text = writeMassMessage(texts, { picker, persona, account, at, media, audience })
  return {
    text: sizes.texts === 'edge' ? getEdgeCaseText(texts, rows.massMessages.length) : text,
    lockedText: false,
    price: first === undefined ? 0 : pickPrice(random, persona, media),
    mediaFiles,
    previews: mediaFiles.slice(0, -1),
    giphyId: null,
    rfTag: [],
    rfPartner: [],
    rfGuest: [],
  }
}

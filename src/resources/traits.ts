import { z } from 'zod'
import { checkInput } from '../api/check-input.ts'
import { dayMs, parseIso, toIsoTime } from '../lib/time.ts'
import { FactoryContext } from '../world/factory.ts'
import type { FieldsToMake } from '../world/factory.ts'
import type { RecordOf, tableDefinitions, TableName } from './all-tables.ts'
import { findChatWith } from './chats/chats.ts'
import { resolveAccountId } from './subscribers/find-subscription.ts'
import { toStateKey } from './subscribers/subscriptions.table.ts'
import { listPeriodStarts, periodDays } from './subscribers/subscriptions.ts'
import type { TrialLink } from './trial-links/trial-links.table.ts'
import { toVaultKey } from './vault/vault.table.ts'
import type { World } from './world.ts'

/** Fields of a record to create. Missing fields get defaults. */
export type FieldsOf<Name extends TableName> = FieldsToMake<(typeof tableDefinitions)[Name]>

/** Fields of a fan with a trait, and the account to which the fan subscribes. */
type FanFields = FieldsOf<'fans'> & {
  /** Account to which the fan subscribes. @default the only account */
  accountId?: number | undefined
}

/** Makes a record and all records that belong to it, and returns the stored record. */
type Trait<Name extends TableName, Fields = FieldsOf<Name>> = (
  world: World,
  fields: Fields,
) => RecordOf<Name>

/** A trait of any table. */
type AnyTrait = (world: World, fields: never) => object

const fans = {
  /** A subscriber for 200 days, who sent ten large tips. */
  whale(world, fields) {
    const subscriber = makeSubscriber(world, fields, { since: -200, periods: 7 })
    const random = world.random.branch('whale', subscriber.fanId)
    for (let days = 190; days > 0; days -= 19)
      world.make('transactions', {
        ...subscriber,
        category: 'tip',
        amount: random.integer(10, 40) * 5,
        at: daysFromNow(world, -days),
      })
    return getRecord(world, 'fans', subscriber.fanId)
  },
  /** A former subscriber, whose subscription expired ten days ago. */
  lapsed(world, fields) {
    const { fanId } = makeSubscriber(world, fields, { since: -70, periods: 2, lastSeen: -11 })
    return getRecord(world, 'fans', fanId)
  },
  /** A subscriber who joined two days ago through a free trial of seven days. */
  trial(world, { accountId, ...fields }) {
    const link = findOrMakeTrialLink(world, resolveAccount(world, 'fan', { accountId }))
    const { id: fanId } = world.make('fans', fields)
    const at = daysFromNow(world, -2)
    world.make('subscriptions', {
      accountId: link.accountId,
      fanId,
      at,
      price: 0,
      expiredAt: toIsoTime(at + link.subscribeDays * dayMs),
      isAutoprolong: false,
      trialLinkId: link.id,
    })
    return getRecord(world, 'fans', fanId)
  },
  /** A subscriber for 50 days, who has never written, tipped or bought anything. */
  silent(world, fields) {
    const { fanId } = makeSubscriber(world, fields, { since: -50, periods: 2, lastSeen: -49 })
    return getRecord(world, 'fans', fanId)
  },
} satisfies Record<string, Trait<'fans', FanFields>>

const posts = {
  /** A post with a price of 15 dollars and a picture. */
  paid(world, fields) {
    const accountId = resolveAccount(world, 'post', fields)
    const { mediaFiles = [findOrMakePhoto(world, accountId)] } = fields
    return world.make('posts', { price: 15, ...fields, accountId, mediaFiles })
  },
  /** A post that is scheduled for tomorrow. */
  scheduled: (world, fields) =>
    world.make('posts', { at: fields.postedAt ?? daysFromNow(world, 1), ...fields }),
  /** A post of three days ago with a picture, many views and likes, ten comments and five tips. */
  viral(world, fields) {
    const accountId = resolveAccount(world, 'post', fields)
    const { mediaFiles = [findOrMakePhoto(world, accountId)] } = fields
    const { id: postId, postedAt } = world.make('posts', {
      at: fields.postedAt ?? daysFromNow(world, -3),
      lookCount: 48_000,
      uniqueLookCount: 31_000,
      likeCount: 4_200,
      ...fields,
      accountId,
      mediaFiles,
    })
    const since = parseIso(postedAt)
    const interval = (world.clock.now() - since) / 11
    const viewers = listSubscribers(world, accountId)
    for (let number = 1; number <= 10; number += 1) {
      const fanId = viewers[number - 1]?.fanId ?? fans.silent(world, { accountId }).id
      const reaction = { accountId, fanId, postId, at: since + number * interval }
      world.make('comments', reaction)
      if (number % 2 === 0) world.make('transactions', { ...reaction, category: 'tip' })
    }
    return getRecord(world, 'posts', postId)
  },
} satisfies Record<string, Trait<'posts'>>

const messages = {
  /** A message of the creator with a price of 20 dollars and a picture, which the fan has not bought. */
  paid(world, fields) {
    const chat = findOrMakeChat(world, fields)
    const { mediaFiles = [findOrMakePhoto(world, chat.accountId)] } = fields
    return world.make('messages', { price: 20, ...fields, chatId: chat.id, mediaFiles })
  },
  /** A message of the fan that the creator has not read. */
  unread(world, fields) {
    const { id: chatId } = findOrMakeChat(world, fields)
    return world.make('messages', { isFromFan: true, ...fields, chatId })
  },
} satisfies Record<string, Trait<'messages'>>

const traits = { fans, posts, messages }

/** Options of a record to make: its trait, and the fields that the trait adds. */
export type TraitOptions<Name extends TableName> = Name extends keyof typeof traits
  ? {
      /** Named variant of the record. Makes all records that belong to it. */
      trait?: keyof (typeof traits)[Name]
    } & (Name extends 'fans' ? Pick<FanFields, 'accountId'> : unknown)
  : unknown

/**
 * Makes a record with a trait, and all records that belong to it.
 * @throws {SandboxError} if the trait is unknown
 */
export function makeWithTrait(
  world: World,
  { name, table }: { name: string; table: string },
  { trait, ...fields }: Readonly<Record<string, unknown>>,
): object {
  const known: Readonly<Record<string, AnyTrait>> = Object.hasOwn(traits, table)
    ? traits[table as keyof typeof traits]
    : {}
  const names = Object.keys(known)
  const schema =
    names.length > 0 ? z.enum(names) : z.never(`only fans, posts and messages have traits`)
  const chosen = checkInput(schema, trait, { verb: `make the ${name}`, place: 'trait' })
  return (known[chosen] as AnyTrait)(world, fields as never)
}

/** Period of a subscription, in days relative to now. */
interface Stay {
  since: number
  /** Number of periods of 30 days. */
  periods: number
  /** Last visit of the fan. @default 0 */
  lastSeen?: number
}

/** Makes a fan with a subscription, and a payment for each of its periods. */
function makeSubscriber(
  world: World,
  { accountId: given, ...fields }: FanFields,
  { since, periods, lastSeen = 0 }: Stay,
): { accountId: number; fanId: number } {
  const accountId = resolveAccount(world, 'fan', { accountId: given })
  const { id: fanId } = world.make('fans', {
    at: fields.lastSeen ?? daysFromNow(world, lastSeen),
    ...fields,
  })
  const subscription = world.make('subscriptions', {
    accountId,
    fanId,
    at: daysFromNow(world, since),
    expiredAt: toIsoTime(daysFromNow(world, since + periods * periodDays)),
  })
  const { price, spans } = subscription
  for (const at of price > 0 ? spans.flatMap(listPeriodStarts) : [])
    world.make('transactions', {
      accountId,
      fanId,
      category:
        toIsoTime(at) === subscription.subscribedAt ? 'new_subscription' : 'recurring_subscription',
      amount: price,
      at,
    })
  return { accountId, fanId }
}

/** Returns an unlimited trial link of seven days. Makes one if the account has none. */
function findOrMakeTrialLink(world: World, accountId: number): TrialLink {
  const at = daysFromNow(world, -2)
  const isSuitable = (link: TrialLink) =>
    link.subscribeDays === 7 &&
    link.subscribeCounts === 0 &&
    link.expiredAt === null &&
    link.finishedAt === null &&
    link.createdAt <= toIsoTime(at)
  for (const link of world.db.trialLinks.in('byAccount', accountId).walk())
    if (isSuitable(link)) return link
  return world.make('trialLinks', { accountId, at })
}

/** Returns the newest photo of the vault that is ready. Makes one if there is none. */
function findOrMakePhoto(world: World, accountId: number): number {
  const photos = world.db.vaultMedia.in('recent', toVaultKey({ accountId }, 'photo'))
  for (const { id, isReady } of photos.walk()) if (isReady) return id
  return world.make('vaultMedia', { accountId }).id
}

/** Returns the chat of a message. Makes it if needed, with a new subscriber if no fan is given. */
function findOrMakeChat(world: World, given: FieldsOf<'messages'>): RecordOf<'chats'> {
  if (given.chatId !== undefined) return getRecord(world, 'chats', given.chatId)
  const accountId = resolveAccount(world, 'message', given)
  const fanId = given.fanId ?? fans.silent(world, { accountId }).id
  return findChatWith(world, accountId, fanId) ?? world.make('chats', { accountId, fanId })
}

/** Returns up to ten active subscribers, latest active first. */
function listSubscribers(world: World, accountId: number): readonly RecordOf<'subscriptions'>[] {
  return world.db.subscriptions.in('byActivity', toStateKey(accountId, 'active')).slice(0, 10)
}

/** Returns the account of a record, as its factory does. */
function resolveAccount(
  world: World,
  name: 'fan' | 'post' | 'message',
  given: { accountId?: number | undefined; fanId?: number | undefined },
): number {
  const context = new FactoryContext(world, { name, table: `${name}s` }, { at: 0, id: undefined })
  return resolveAccountId(context, given)
}

function daysFromNow(world: World, days: number): number {
  return world.clock.now() + days * dayMs
}

/** Returns a record that exists. */
function getRecord<Name extends TableName>(world: World, table: Name, id: number): RecordOf<Name> {
  return world.db[table].get(id) as RecordOf<Name>
}

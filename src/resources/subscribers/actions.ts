import { z } from 'zod'
import { lazyStrictObject } from '../../lib/fields.ts'
import {
  chooseFan,
  pickRow,
  getFanName,
  createMissingRecordError,
  fanId,
  status,
} from '../effects/pick-records.ts'
import {
  addLinkClicks,
  createFan,
  endSubscription,
  subscribeNewFan,
  renewFanSubscription,
} from '../effects/fan-activity.ts'
import {
  accountId,
  createDollarsSchema,
  requireAccount,
  createUnknownIdError,
} from '../../api/action.ts'
import { formatPrice } from '../../lib/money.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createInputError, quoteText } from '../../errors.ts'
import { defineAction } from '../define.ts'
import type { World } from '../world.ts'
import { isDeletedLink, isClosedLink, getPlatformLinkName } from '../links/links.ts'
import type { Link } from '../links/links.ts'
import { findSubscription } from './find-subscription.ts'
import { toStateKey } from './subscriptions.table.ts'
import type { Subscription } from './subscriptions.table.ts'

const newFan = () => ({
  fan_id: z
    .int()
    .optional()
    .describe('The id of a user who never subscribed to the account. Default: a new user.'),
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe('The name of the new user. Default: a random value.'),
  username: z
    .string()
    .max(50)
    .regex(/^[\w.-]{1,50}$/, {
      error: 'it must be 1 to 50 letters, digits, dots, hyphens and underscores',
    })
    .optional()
    .describe('The username of the new user. Default: a random value.'),
})
const links = () => ({
  tracking_link_id: z
    .int()
    .optional()
    .describe('The id of the tracking link that the fan joins through.'),
  trial_link_id: z
    .int()
    .optional()
    .describe('The id of the trial link that the fan joins through. The trial is free.'),
})
const price = () => createDollarsSchema(0, 1000).optional()
const oneLink = [
  (input: LinkInput) => input.tracking_link_id === undefined || input.trial_link_id === undefined,
  { error: 'it must have only one of tracking_link_id and trial_link_id' },
] as const
const oneUser = [
  (input: UserInput) =>
    input.fan_id === undefined || (input.name === undefined && input.username === undefined),
  { error: 'name and username are for a new user: leave out fan_id, or both of them' },
] as const

export const newSubscriber = defineAction({
  type: 'subscriber.new',
  summary: 'A new fan subscribes and makes a first payment, unless the subscription is free',
  schema: z.lazy(() =>
    z
      .strictObject({
        account_id: accountId,
        ...newFan(),
        price: price().describe("Dollars per month. 0: free. Default: the account's price."),
        ...links(),
        status,
      })
      .refine(...oneLink)
      .refine(...oneUser)
      .refine(
        ({ price: asked, trial_link_id }) => asked === undefined || trial_link_id === undefined,
        {
          error: 'price is not allowed with trial_link_id, because a trial is free',
        },
      ),
  ),
  effect(world, { account_id, price: asked, status: paid, ...input }) {
    const account = requireAccount(world, account_id)
    return subscribeUser(world, account, {
      ...input,
      price: asked ?? account.subscribePrice,
      status: paid,
      link: findInputLink(world, account, input),
    })
  },
})

export const claimLink = defineAction({
  type: 'link.claim',
  summary: 'Users click on a tracking or trial link, and a new fan subscribes through it',
  schema: z.lazy(() =>
    z
      .strictObject({
        account_id: accountId,
        tracking_link_id: links().tracking_link_id.describe(
          'The id of the tracking link. Default without trial_link_id: a random tracking link.',
        ),
        trial_link_id: links().trial_link_id,
        ...newFan(),
        clicks: z
          .int()
          .min(1)
          .max(1_000_000)
          .default(1)
          .describe("Total number of clicks on the link, including the fan's."),
        status,
      })
      .refine(...oneLink)
      .refine(...oneUser),
  ),
  effect(world, { account_id, clicks, status: paid, ...input }) {
    const account = requireAccount(world, account_id)
    const link =
      findInputLink(world, account, input) ??
      pickRow(
        world,
        world.db.trackingLinks.in('byAccount', account.id),
        (each) => !isClosedLink(each) && !each.isHidden,
      )
    if (link === undefined)
      throw createMissingRecordError(account, 'tracking link: create one through the API')
    const joined = subscribeUser(world, account, {
      ...input,
      price: account.subscribePrice,
      status: paid,
      link,
    })
    if (clicks > 1) addLinkClicks(world, link, clicks - 1)
    return joined
  },
})

export const renewSubscriber = defineAction({
  type: 'subscriber.renew',
  summary:
    'A fan renews for another 30 days, which start after the current period, or now if the ' +
    'subscription has ended',
  schema: lazyStrictObject(() => ({
    account_id: accountId,
    fan_id: fanId.describe(
      'The user id of a fan of the account. Blocked and deleted fans are not accepted. ' +
        'Default: the fan whose subscription ends next.',
    ),
    price: price().describe('Dollars. Default: the previous price of the fan.'),
    status,
  })),
  effect(world, { account_id, fan_id, price: asked, status: paid }) {
    const account = requireAccount(world, account_id)
    const running = world.db.subscriptions.in('byExpiry', toStateKey(account.id, 'active'))
    const next = running.at(running.size - 1)
    const subscription = chooseFan(world, account, { fan_id: fan_id ?? next?.fanId })
    const amount = asked ?? getRenewalPrice(account, subscription)
    const { subscription: renewed, transaction } = renewFanSubscription(world, subscription, {
      price: amount,
      status: paid,
    })
    const { fanId: fan, expiredAt } = renewed
    return {
      happened:
        `${getFanName(world, fan)} renewed for ${formatPrice(amount)}, until ` +
        expiredAt.slice(0, 10),
      ids: { account: account.id, fan, subscription: renewed.id, transaction: transaction?.id },
    }
  },
})

export const expireSubscriber = defineAction({
  type: 'subscriber.expire',
  summary: "End a fan's subscription now, without renewal",
  schema: lazyStrictObject(() => ({ account_id: accountId, fan_id: fanId })),
  effect(world, { account_id, fan_id }) {
    const account = requireAccount(world, account_id)
    const subscription = chooseFan(world, account, { fan_id })
    if (subscription.isExpired)
      throw createInputError(
        { fan_id: subscription.fanId },
        `but the subscription ended on ` +
          `${subscription.expiredAt.slice(0, 10)}. Choose a fan with an active subscription.`,
      )
    endSubscription(world, subscription)
    const { id, fanId: fan } = subscription
    return {
      happened: `The subscription of ${getFanName(world, fan)} to ${account.username} ended`,
      ids: { account: account.id, fan, subscription: id },
    }
  },
})

/** Returns the price of the previous period, or the account's price after a free trial. */
function getRenewalPrice(
  { subscribePrice }: Account,
  { trialLinkId, price: lastPrice }: Subscription,
): number {
  return trialLinkId !== null && lastPrice === 0 ? subscribePrice : lastPrice
}

/** The tracking or trial link in the input of an action. */
interface LinkInput {
  tracking_link_id?: number | undefined
  trial_link_id?: number | undefined
}

/** An existing user, or the names of a new one, in the input of an action. */
interface UserInput {
  fan_id?: number | undefined
  name?: string | undefined
  username?: string | undefined
}

/** Input for subscribing an existing user or a new one. */
interface JoinInput extends UserInput {
  price: number
  status: 'done' | 'loading'
  link: Link | undefined
}

/** Subscribes a user to the account, and describes the result in words. */
function subscribeUser(
  world: World,
  account: Account,
  { fan_id, name, username, ...joining }: JoinInput,
) {
  const fan =
    fan_id === undefined ? createNamedUser(world, { name, username }) : world.db.fans.get(fan_id)
  if (fan === undefined)
    throw createUnknownIdError(
      { field: 'fan_id', id: fan_id ?? 0, thing: 'user' },
      world.db.fans.slice(0, 11),
    )
  if (fan.isDeleted === true)
    throw createInputError(
      { fan_id: fan.id },
      'but that user has deleted their profile. Choose another user.',
    )
  if (findSubscription(world, account.id, fan.id) !== undefined)
    throw createInputError(
      { fan_id: fan.id },
      `but that user is already a fan of ${account.username}. Use subscriber.renew.`,
    )
  const { subscription, transaction } = subscribeNewFan(world, account.id, fan.id, joining)
  const { link } = joining
  const through = link === undefined ? '' : ` through ${getPlatformLinkName(link)}`
  return {
    happened:
      `${fan.name} subscribed to ${account.username} ` +
      `${describePrice(link, subscription.price)}${through}`,
    ids: {
      account: account.id,
      fan: fan.id,
      subscription: subscription.id,
      transaction: transaction?.id,
    },
  }
}

function describePrice(link: Link | undefined, paid: number): string {
  if (link?.kind === 'trial') return 'for a free trial'
  return paid === 0 ? 'for free' : `for ${formatPrice(paid)}`
}

/** Creates a new user. Throws if the username is taken. */
function createNamedUser(world: World, { name, username }: UserInput) {
  const key = username?.toLowerCase() ?? ''
  const taken =
    world.db.accounts.in('byUsername', key).at(0) ?? world.db.fans.in('byUsername', key).at(0)
  if (taken !== undefined)
    throw createInputError(
      { username: quoteText(username ?? '', 80) },
      `but user ${taken.id} has that username. Choose another.`,
    )
  return createFan(world, {
    ...(name === undefined ? {} : { name }),
    ...(username === undefined ? {} : { username }),
  })
}

/**
 * Returns the link from an action's input. Undefined if the input has no link. Throws if the link
 * accepts no claims.
 */
function findInputLink(
  world: World,
  account: Account,
  { tracking_link_id, trial_link_id }: LinkInput,
): Link | undefined {
  if (tracking_link_id !== undefined) {
    const link = world.db.trackingLinks.get(tracking_link_id)
    if (link?.accountId === account.id && !isDeletedLink(link)) return link
    throw createUnknownIdError(
      {
        field: 'tracking_link_id',
        id: tracking_link_id,
        thing: `tracking link of ${account.username}`,
      },
      world.db.trackingLinks
        .list('byAccount', account.id)
        .filter((each) => !isDeletedLink(each))
        .slice(0, 11),
    )
  }
  if (trial_link_id === undefined) return undefined
  const link = world.db.trialLinks.get(trial_link_id)
  if (link?.accountId !== account.id)
    throw createUnknownIdError(
      { field: 'trial_link_id', id: trial_link_id, thing: `trial link of ${account.username}` },
      world.db.trialLinks.in('byAccount', account.id).slice(0, 11),
    )
  if (isClosedLink(link))
    throw createInputError(
      { trial_link_id },
      'but that link is finished. Choose a link that is not finished.',
    )
  return link
}

import { z } from 'zod'
import { lazyStrictObject } from '../../lib/fields.ts'
import {
  chooseFan,
  choosePost,
  getFanName,
  createMissingRecordError,
  fanId,
  postId,
  status,
} from '../effects/pick-records.ts'
import { hasUnlocked, recordTip, unlockMessage, unlockPost } from '../effects/purchases.ts'
import type { TipTarget } from '../effects/purchases.ts'
import {
  accountId,
  createDollarsSchema,
  requireAccount,
  createUnknownIdError,
} from '../../api/action.ts'
import { createInputError } from '../../errors.ts'
import { formatPrice } from '../../lib/money.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { toHtml } from '../../lib/text.ts'
import { defineAction } from '../define.ts'
import { requireTexts } from '../../seed/texts.ts'
import type { World } from '../world.ts'
import { isLocked } from '../messages/messages.table.ts'
import type { Message } from '../messages/messages.table.ts'
import type { Post } from '../posts/posts.table.ts'
import { findSubscription } from '../subscribers/find-subscription.ts'
import { isListed } from '../subscribers/subscriptions.table.ts'
import { tipTerms } from './fees.ts'

export const giveTip = defineAction({
  type: 'tip',
  summary: 'A fan tips on a post, in the chat with a message, or on the profile',
  schema: z.lazy(() =>
    z
      .strictObject({
        account_id: accountId,
        fan_id: fanId,
        amount: createDollarsSchema(tipTerms.min, tipTerms.max)
          .optional()
          .describe('Dollars. Default: a random typical amount.'),
        on: z
          .enum(['post', 'chat', 'profile'])
          .optional()
          .describe('Default: post if post_id is set, chat if text is set, otherwise profile.'),
        post_id: postId.describe(
          'The id of the post. Default if on is post: one of the newest, chosen at random.',
        ),
        text: z
          .string()
          .min(1)
          .max(1000)
          .optional()
          .describe("The fan's chat message with the tip, as plain text."),
        status,
      })
      .refine(({ on = 'post', post_id }) => post_id === undefined || on === 'post', {
        error: 'post_id is allowed only with on: post',
      })
      .refine(
        ({ on = 'chat', post_id, text }) =>
          text === undefined || (on === 'chat' && post_id === undefined),
        {
          error: 'text is allowed only with on: chat',
        },
      ),
  ),
  effect(world, { account_id, fan_id, amount, on, post_id, text, status: paymentStatus }) {
    const account = requireAccount(world, account_id)
    const place = on ?? getDefaultTipPlace({ post_id, text })
    const post = place === 'post' ? choosePost(world, account, { post_id }) : undefined
    const fan = chooseFan(world, account, { fan_id }).fanId
    const {
      id,
      amount: tipped,
      messageId,
    } = recordTip(world, account.id, toTipTarget(place, post, text), {
      fanId: fan,
      amount: amount ?? Math.max(tipTerms.min, world.random.pick(requireTexts(world).prices.tips)),
      status: paymentStatus,
    })
    return {
      happened:
        `${getFanName(world, fan)} tipped ${formatPrice(tipped ?? 0)} ` +
        describePlace(place, post, account),
      ids: {
        account: account.id,
        fan,
        transaction: id,
        post: post?.id,
        message: messageId ?? undefined,
      },
    }
  },
})

/**
 * Returns the default of `on`, which says where a tip is given. The default depends on post_id and
 * text.
 */
function getDefaultTipPlace({
  post_id,
  text,
}: {
  post_id?: number | undefined
  text?: string | undefined
}): 'post' | 'chat' | 'profile' {
  if (post_id !== undefined) return 'post'
  return text === undefined ? 'profile' : 'chat'
}

function toTipTarget(
  place: 'post' | 'chat' | 'profile',
  post: Post | undefined,
  text: string | undefined,
): TipTarget {
  if (post !== undefined) return { post }
  if (place === 'chat') return { chat: text === undefined ? {} : { text: toHtml(text) } }
  return 'profile'
}

function describePlace(
  place: 'post' | 'chat' | 'profile',
  post: Post | undefined,
  { username }: Account,
): string {
  if (post !== undefined) return `on post ${post.id}`
  return place === 'chat' ? 'in the chat' : `on the profile of ${username}`
}

export const unlockOnePost = defineAction({
  type: 'post.unlock',
  summary: 'A fan unlocks a paid post for its price',
  schema: lazyStrictObject(() => ({
    account_id: accountId,
    post_id: postId.describe(
      'The id of a published post with a price. Default: one of the newest, chosen at random.',
    ),
    fan_id: fanId,
    status,
  })),
  effect(world, { account_id, post_id, fan_id, status: paymentStatus }) {
    const account = requireAccount(world, account_id)
    const isOpen = (post: Post) =>
      post.price > 0 &&
      (fan_id === undefined || post_id !== undefined || !hasUnlocked(world, post, fan_id))
    const post = choosePost(world, account, {
      post_id,
      what: 'published post with a price',
      accepts: isOpen,
    })
    const { fanId: fan } = chooseFan(world, account, {
      fan_id,
      accepts: (candidate) => !hasUnlocked(world, post, candidate.fanId),
    })
    if (hasUnlocked(world, post, fan))
      throw createInputError(
        { fan_id: fan },
        `but that fan has already unlocked post ${post.id}. Choose another fan or post.`,
      )
    const { id } = unlockPost(world, post, { fanId: fan, status: paymentStatus })
    return {
      happened: `${getFanName(world, fan)} unlocked post ${post.id} for ${formatPrice(post.price)}`,
      ids: { account: account.id, fan, post: post.id, transaction: id },
    }
  },
})

export const unlockOneMessage = defineAction({
  type: 'message.unlock',
  summary: 'A fan unlocks a paid message of the creator for its price',
  schema: lazyStrictObject(() => ({
    account_id: accountId,
    message_id: z
      .int()
      .optional()
      .describe(
        'The id of a locked paid message from the creator. Default: one of the newest, ' +
          'chosen at random.',
      ),
    fan_id: z.int().optional().describe('Only messages to this fan. Default: any fan.'),
    status,
  })),
  effect(world, { account_id, message_id, fan_id, status: paymentStatus }) {
    const account = requireAccount(world, account_id)
    if (fan_id !== undefined) chooseFan(world, account, { fan_id })
    const message =
      message_id === undefined
        ? drawLocked(world, account, fan_id)
        : requireLocked(world, account, message_id)
    if (fan_id !== undefined && message.fanId !== fan_id)
      throw createInputError(
        { message_id: message.id },
        `but that message was sent to fan ${message.fanId}. Leave fan_id out.`,
      )
    chooseFan(world, account, { fan_id: message.fanId })
    const { id } = unlockMessage(world, message, { status: paymentStatus })
    return {
      happened:
        `${getFanName(world, message.fanId)} unlocked a message for ` + formatPrice(message.price),
      ids: { account: account.id, fan: message.fanId, message: message.id, transaction: id },
    }
  },
})

function requireLocked(world: World, account: Account, messageId: number): Message {
  const message = world.db.messages.get(messageId)
  if (message?.accountId !== account.id)
    throw createUnknownIdError(
      { field: 'message_id', id: messageId, thing: `message of ${account.username}` },
      listLockedMessages(world, account, { max: 11 }),
    )
  if (isLocked(message)) return message
  throw createInputError(
    { message_id: messageId },
    `but ${explainNotLocked(message)}. Choose a locked paid message of the creator.`,
  )
}

function explainNotLocked({ isFromFan, price }: Message): string {
  if (isFromFan) return 'the fan wrote that message'
  return price === 0 ? 'that message is free' : 'that message is already unlocked'
}

function drawLocked(world: World, account: Account, fanId: number | undefined): Message {
  // Considers only the newest message of each chat, because fans buy recent messages.
  const newest = listLockedMessages(world, account, { max: 20, fanId, maxOfChat: 1 })
  if (newest.length === 0)
    throw createMissingRecordError(
      account,
      `locked paid message${fanId === undefined ? '' : ` to fan ${fanId}`}: send one through ` +
        `the API`,
    )
  return world.random.pick(newest)
}

/**
 * Returns locked messages. The most recently used chats come first, and each chat's messages are
 * sorted newest first.
 */
function listLockedMessages(
  world: World,
  account: Account,
  { max, fanId, maxOfChat = max }: { max: number; fanId?: number; maxOfChat?: number },
): Message[] {
  const found: Message[] = []
  for (const chat of world.db.chats.in('byAccount', account.id).walk()) {
    if (found.length >= max) break
    if (fanId !== undefined && chat.fanId !== fanId) continue
    const subscription = findSubscription(world, account.id, chat.fanId)
    if (subscription === undefined || !isListed(subscription)) continue
    found.push(...world.db.messages.in('locked', chat.id).slice(0, maxOfChat))
  }
  return found.slice(0, max)
}

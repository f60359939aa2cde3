import { findChatWith } from '../chats/chats.ts'
import { createComment } from '../comments/comments.ts'
import type { Comment } from '../comments/comments.table.ts'
import type { Fan } from '../fans/fans.table.ts'
import { markFanSeen } from '../fans/fan-values.ts'
import { createRandomFan, createUsernameReserver, createLateNameSource } from '../fans/names.ts'
import type { Link } from '../links/links.ts'
import type { Message } from '../messages/messages.table.ts'
import { markMessagesReadByFan, addFanMessage } from '../messages/messages.ts'
import { notices, addNotification } from '../notifications/notifications.ts'
import { addEngagement, addFanView, hasLiked } from '../posts/statistics/engagement.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import type { Post } from '../posts/posts.table.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { renewSubscription, startSubscription } from '../subscribers/subscriptions.ts'
import { getTextSources, requireTexts } from '../../seed/texts.ts'
import type { World } from '../world.ts'
import { recordPurchase } from './purchases.ts'
import type { Purchase } from './purchases.ts'

/**
 * Creates a new user of the platform. If the name or username is omitted, a random one is picked.
 */
export function createFan(world: World, fields: Partial<Pick<Fan, 'name' | 'username'>> = {}): Fan {
  const drawn = createRandomFan(getTextSources(world), {
    id: () => world.nextId('fans'),
    lastSeen: () => world.clock.iso(),
    reserve: createUsernameReserver(world),
    name: createLateNameSource(requireTexts(world)),
  })
  return world.db.fans.insert({
    ...drawn,
    name: fields.name ?? drawn.name,
    username: fields.username ?? drawn.username,
  })
}

/**
 * Terms of a first subscription. A trial link makes the subscription free and determines its
 * length.
 */
export interface SubscriptionTerms {
  /** The price of a subscription period, dollars. */
  price: number
  /** The link through which the fan subscribes. */
  link?: Link
  /** The status of the payment. @default 'done' */
  status?: Purchase['status']
}

/** A subscription that was started or renewed, and its payment, if any. */
export interface PaidSubscription {
  subscription: Subscription
  transaction?: Transaction
}

/**
 * Subscribes a fan for the first time. Records the first payment, and a claim of the link and a
 * click on it.
 */
export function subscribeNewFan(
  world: World,
  accountId: number,
  fanId: number,
  { price, link, status }: SubscriptionTerms,
): PaidSubscription {
  if (link?.kind === 'trial') {
    addLinkClicks(world, link, 1)
    const subscription = startSubscription(world, accountId, fanId, {
      price: 0,
      days: link.subscribeDays,
      trialLinkId: link.id,
      isAutoprolong: false,
    })
    markFanSeen(world, fanId)
    addNotification(world, accountId, { ...notices.startedTrial(), fanId })
    return { subscription }
  }
  if (link !== undefined) addLinkClicks(world, link, 1)
  const subscription = startSubscription(world, accountId, fanId, {
    price,
    trackingLinkId: link?.id ?? null,
  })
  if (price > 0) {
    return {
      subscription,
      transaction: recordPurchase(world, {
        accountId,
        fanId,
        category: 'new_subscription',
        amount: price,
        status,
      }),
    }
  }
  markFanSeen(world, fanId)
  addNotification(world, accountId, { ...notices.subscribed(0), fanId })
  return { subscription }
}

/** Adds clicks to the count of a link. */
export function addLinkClicks(world: World, link: Link, count: number): void {
  if (link.kind === 'trial') {
    const { clicksCounts } = world.db.trialLinks.get(link.id) ?? link
    world.db.trialLinks.update(link.id, { clicksCounts: clicksCounts + count })
    return
  }
  const { countTransitions } = world.db.trackingLinks.get(link.id) ?? link
  world.db.trackingLinks.update(link.id, { countTransitions: countTransitions + count })
}

/**
 * Renews a subscription at a price. The new period begins after the current one, or now if the
 * subscription has ended.
 */
export function renewFanSubscription(
  world: World,
  subscription: Subscription,
  { price, status }: { price: number; status?: Purchase['status'] },
): PaidSubscription {
  const { accountId, fanId } = subscription
  const renewed = renewSubscription(world, subscription, { price, isAutoprolong: true })
  if (price > 0) {
    const transaction = recordPurchase(world, {
      accountId,
      fanId,
      category: 'recurring_subscription',
      amount: price,
      status,
    })
    return { subscription: renewed, transaction }
  }
  markFanSeen(world, fanId)
  addNotification(world, accountId, { ...notices.renewed(0), fanId })
  return { subscription: renewed }
}

/**
 * Ends a subscription now, without renewal. Prepaid periods remain in its history, with a length of
 * 0.
 */
export function endSubscription(world: World, subscription: Subscription): void {
  const expiredAt = world.clock.iso()
  const cut = (time: string) => (time < expiredAt ? time : expiredAt)
  const spans = subscription.spans
    .filter(({ from, paidAt }, index) => index === 0 || from < expiredAt || paidAt !== undefined)
    .map((span) => ({ ...span, from: cut(span.from), until: cut(span.until) }))
  world.db.subscriptions.update(subscription.id, {
    expiredAt,
    spans,
    isExpired: true,
    isAutoprolong: false,
  })
}

/**
 * Writes a message from the fan, as HTML, in the chat. Notifies the account unless it has muted the
 * chat.
 */
export function sendFanMessage(
  world: World,
  accountId: number,
  fanId: number,
  text: string,
): Message {
  const message = addFanMessage(world, accountId, fanId, { text })
  if (findChatWith(world, accountId, fanId)?.isMuted !== true)
    addNotification(world, accountId, { ...notices.wrote(), fanId })
  return message
}

/**
 * Marks all free messages from the creator as read by the fan. Returns the number of messages that
 * were unread.
 */
export function markFreeMessagesAsRead(world: World, accountId: number, fanId: number): number {
  const chat = findChatWith(world, accountId, fanId)
  markFanSeen(world, fanId)
  return chat === undefined ? 0 : markMessagesReadByFan(world, chat)
}

/** Views a post as the fan and adds a comment in plain text. */
export function commentAsFan(world: World, post: Post, fanId: number, text: string): Comment {
  addFanView(world, post, fanId)
  const id = world.nextId('comments')
  const made = world.db.comments.insert(
    createComment(post, { id, fanId, text, postedAt: world.clock.iso() }),
  )
  markFanSeen(world, fanId)
  addNotification(world, post.accountId, { ...notices.commented(text), fanId })
  return made
}

/**
 * Likes a post as the fan, and as a number of other users. A fan likes a post only once. The
 * creator gets only one notification. Returns the number of new likes.
 */
export function likeAsFan(world: World, post: Post, fanId: number, others = 0): number {
  const likers = hasLiked(world, post, fanId) ? [] : [fanId]
  const likes = likers.length + others
  markFanSeen(world, fanId)
  if (likes === 0) return 0
  addEngagement(world, post, { likes, likers })
  addNotification(world, post.accountId, { ...notices.liked(others), fanId })
  return likes
}

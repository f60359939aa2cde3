import { toPrice } from '../../engine/money.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import type { Notice } from './notifications.ts'

const longestQuote = 100

/** What the notification page says about the deeds of fans: how seeds and events word them alike. */
export const notices = {
  subscribed: (price: number): Notice =>
    price === 0
      ? { type: 'subscribed', subType: 'new_subscriber', text: 'subscribed to your profile for free' }
      : { type: 'subscribed', subType: 'new_subscriber', text: 'subscribed to your profile for {PRICE}', replacePairs: { '{PRICE}': toPrice(price) } },
  startedTrial: (): Notice => ({ type: 'subscribed', subType: 'new_subscriber_trial', text: 'started a free trial of your profile' }),
  renewed: (price: number): Notice => ({ type: 'subscribed', subType: 'returning_subscriber', text: 'renewed their subscription for {PRICE}', replacePairs: { '{PRICE}': toPrice(price) } }),
  tipped: (amount: number, place: 'post' | 'chat' | 'profile'): Notice => ({
    type: 'tip',
    subType: `tip_${place}`,
    text: { post: 'tipped {AMOUNT} on your post', chat: 'sent you a {AMOUNT} tip in the chat', profile: 'sent you a {AMOUNT} tip' }[place],
    replacePairs: { '{AMOUNT}': toPrice(amount) },
  }),
  unlocked: (amount: number, thing: 'post' | 'message'): Notice => ({ type: 'purchases', subType: `${thing}_unlocked`, text: `purchased your ${thing} for {PRICE}`, replacePairs: { '{PRICE}': toPrice(amount) } }),
  bought: (amount: number): Notice => ({ type: 'purchases', text: 'made a purchase of {PRICE}', replacePairs: { '{PRICE}': toPrice(amount) } }),
  commented: (text: string): Notice => ({ type: 'commented', subType: 'new_comment', text: 'commented on your post: {TEXT}', replacePairs: { '{TEXT}': text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text } }),
  liked: (others: number): Notice =>
    others === 0
      ? { type: 'favorited', subType: 'post_liked', text: 'liked your post' }
      : { type: 'favorited', subType: 'post_liked', text: 'and {COUNT} others liked your post', replacePairs: { '{COUNT}': String(others) } },
  statement: (): Notice => ({ type: 'system', subType: 'monthly_statement', text: 'Your statement for the last month is ready.' }),
  wrote: (): Notice => ({ type: 'message', subType: 'new_message', text: 'sent you a message' }),
} as const satisfies Record<string, (...values: never[]) => Notice>

/** What is said about a payment. */
export function noticeOf({ category, amount, postId, messageId }: Pick<Transaction, 'category' | 'postId' | 'messageId'> & { amount: number }): Notice {
  if (category === 'new_subscription') return notices.subscribed(amount)
  if (category === 'recurring_subscription') return notices.renewed(amount)
  if (category === 'tip') return notices.tipped(amount, postId !== null ? 'post' : messageId !== null ? 'chat' : 'profile')
  if (category === 'unlock') return notices.unlocked(amount, 'post')
  return category === 'message' ? notices.unlocked(amount, 'message') : notices.bought(amount)
}

import { formatPrice } from '../../lib/money.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import type { Notice } from './notifications.ts'

/** Maximum length of a quoted comment, characters. */
const maxQuoteLength = 100

/** Notices about the activity of fans, for seeds and actions. */
export const notices = {
  subscribed: (price: number): Notice =>
    price === 0
      ? { type: 'subscribed', subType: 'new_subscriber', line: 'subscribedForFree' }
      : {
          type: 'subscribed',
          subType: 'new_subscriber',
          line: 'subscribed',
          replacePairs: { '{PRICE}': formatPrice(price) },
        },
  startedTrial: (): Notice => ({
    type: 'subscribed',
    subType: 'new_subscriber_trial',
    line: 'startedTrial',
  }),
  renewed: (price: number): Notice => ({
    type: 'subscribed',
    subType: 'returning_subscriber',
    line: 'renewed',
    replacePairs: { '{PRICE}': formatPrice(price) },
  }),
  tipped: (amount: number, place: 'post' | 'chat' | 'profile'): Notice => ({
    type: 'tip',
    subType: `tip_${place}`,
    line: ({ post: 'tippedOnPost', chat: 'tippedInChat', profile: 'tippedOnProfile' } as const)[
      place
    ],
    replacePairs: { '{AMOUNT}': formatPrice(amount) },
  }),
  unlocked: (amount: number, thing: 'post' | 'message'): Notice => ({
    type: 'purchases',
    subType: `${thing}_unlocked`,
    line: ({ post: 'unlockedPost', message: 'unlockedMessage' } as const)[thing],
    replacePairs: { '{PRICE}': formatPrice(amount) },
  }),
  bought: (amount: number): Notice => ({
    type: 'purchases',
    line: 'bought',
    replacePairs: { '{PRICE}': formatPrice(amount) },
  }),
  commented: (text: string): Notice => ({
    type: 'commented',
    subType: 'new_comment',
    line: 'commented',
    replacePairs: {
      '{TEXT}': text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength)}…` : text,
    },
  }),
  liked: (others: number): Notice =>
    others === 0
      ? { type: 'favorited', subType: 'post_liked', line: 'liked' }
      : {
          type: 'favorited',
          subType: 'post_liked',
          line: 'likedAmongOthers',
          replacePairs: { '{COUNT}': String(others) },
        },
  statement: (): Notice => ({ type: 'system', subType: 'monthly_statement', line: 'statement' }),
  wrote: (): Notice => ({ type: 'message', subType: 'new_message', line: 'wrote' }),
} as const satisfies Record<string, (...values: never[]) => Notice>

/** Returns the notice about a payment. */
export function toNotice({
  category,
  amount,
  postId,
  messageId,
}: Pick<Transaction, 'category' | 'postId' | 'messageId'> & { amount: number }): Notice {
  if (category === 'new_subscription') return notices.subscribed(amount)
  if (category === 'recurring_subscription') return notices.renewed(amount)
  if (category === 'tip') return notices.tipped(amount, getTipPlace({ postId, messageId }))
  if (category === 'unlock') return notices.unlocked(amount, 'post')
  return category === 'message' ? notices.unlocked(amount, 'message') : notices.bought(amount)
}

function getTipPlace({
  postId,
  messageId,
}: Pick<Transaction, 'postId' | 'messageId'>): 'post' | 'chat' | 'profile' {
  if (postId !== null) return 'post'
  return messageId === null ? 'profile' : 'chat'
}

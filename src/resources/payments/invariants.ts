import { findBroken } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'
import { toCents } from '../../lib/money.ts'
import type { World } from '../world.ts'
import { tipTerms } from './tip-terms.ts'

/** What always holds of payments. */
export const paymentInvariants: readonly Invariant<World>[] = [
  { name: 'a payment is not older than the post or message that it is for', check: findEarly },
  { name: 'a payment was made by now', check: findLater },
  { name: 'no tip is below the least tip', check: findSmallTips },
  { name: 'what a fan spent is the sum of its parts', check: findUnequalSums },
]

function findEarly({ db }: World): string[] {
  return findBroken(db.transactions.all(), (payment) => {
    const { id, postId, messageId, transaction_created_at: time } = payment
    if (time === null) return []
    const broken: string[] = []
    const post = db.posts.get(postId ?? 0)
    if (post !== undefined && time < post.postedAt)
      broken.push(`The payment ${id} is of ${time}, but its post ${post.id} of ${post.postedAt}.`)
    const message = db.messages.get(messageId ?? 0)
    if (message !== undefined && time < message.createdAt)
      broken.push(
        `The payment ${id} is of ${time}, but its message ${message.id} of ` +
          `${message.createdAt}.`,
      )
    return broken
  })
}

function findLater({ db, clock }: World): string[] {
  const now = clock.iso()
  return findBroken(db.transactions.all(), ({ id, transaction_created_at: time }) =>
    time !== null && time > now ? [`The payment ${id} is of ${time}, but it is ${now}.`] : [],
  )
}

function findSmallTips({ db }: World): string[] {
  return findBroken(db.transactions.all(), ({ id, category, amount }) =>
    category === 'tip' && amount !== null && amount < tipTerms.min
      ? [`The tip ${id} is of ${amount} dollars; ${tipTerms.min} are the least.`]
      : [],
  )
}

function findUnequalSums({ db }: World): string[] {
  return findBroken(db.fanSpend.all(), (spend) => {
    const { id, total, tips, subscribes, messages, posts, streams, others } = spend
    const parts = [tips, subscribes, messages, posts, streams, others].reduce(
      (cents, part) => cents + toCents(part),
      0,
    )
    return parts === toCents(total)
      ? []
      : [`The fan ${id} spent ${total} dollars, but the parts sum to ${parts / 100}.`]
  })
}

import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'
import { toCents } from '../../lib/money.ts'
import type { World } from '../world.ts'
import { tipTerms } from './fees.ts'

export const paymentInvariants: readonly Invariant<World>[] = [
  { name: 'no payment is older than its post or message', check: findEarly },
  { name: 'no payment is in the future', check: findFuture },
  { name: 'no tip is below the minimum', check: findSmallTips },
  { name: "the parts of a fan's spending add up to the total", check: findUnequalSums },
]

function findEarly({ db }: World): string[] {
  return findViolations(db.transactions.all(), (payment) => {
    const { id, postId, messageId, transaction_created_at: time } = payment
    if (time === null) return []
    const broken: string[] = []
    const post = db.posts.get(postId ?? 0)
    if (post !== undefined && time < post.postedAt)
      broken.push(
        `The payment ${id} was made at ${time}, but post ${post.id} was published at ` +
          `${post.postedAt}.`,
      )
    const message = db.messages.get(messageId ?? 0)
    if (message !== undefined && time < message.createdAt)
      broken.push(
        `The payment ${id} was made at ${time}, but message ${message.id} was sent at ` +
          `${message.createdAt}.`,
      )
    return broken
  })
}

function findFuture({ db, clock }: World): string[] {
  const now = clock.iso()
  return findViolations(db.transactions.all(), ({ id, transaction_created_at: time }) =>
    time !== null && time > now
      ? [`The payment ${id} was made at ${time}, but the current time is ${now}.`]
      : [],
  )
}

function findSmallTips({ db }: World): string[] {
  return findViolations(db.transactions.all(), ({ id, category, amount }) =>
    category === 'tip' && amount !== null && amount < tipTerms.min
      ? [`The tip ${id} is ${amount} dollars. The minimum is ${tipTerms.min}.`]
      : [],
  )
}

function findUnequalSums({ db }: World): string[] {
  return findViolations(db.fanSpend.all(), (spend) => {
    const { id, total, tips, subscribes, messages, posts, streams, others } = spend
    const parts = [tips, subscribes, messages, posts, streams, others].reduce(
      (cents, part) => cents + toCents(part),
      0,
    )
    return parts === toCents(total)
      ? []
      : [`The fan ${id} spent ${total} dollars, but the parts add up to ${parts / 100}.`]
  })
}

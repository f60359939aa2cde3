import type { Invariant } from '../../engine/invariant.ts'
import { toCents } from '../../engine/money.ts'
import type { World } from '../../world/world.ts'
import { tipTerms } from './tip-terms.ts'

/** What always holds of payments. */
export const paymentInvariants: readonly Invariant<World>[] = [
  { name: 'a payment is not older than the post or message that it is for', check: findEarly },
  { name: 'a payment was made by now', check: findLater },
  { name: 'no tip is below the least tip', check: findSmallTips },
  { name: 'what a fan spent is the sum of its parts', check: findUnequalSums },
]

function* findEarly({ db }: World): Generator<string> {
  for (const { id, postId, messageId, transaction_created_at: time } of db.transactions.all()) {
    if (time === null) continue
    const post = db.posts.get(postId ?? 0)
    if (post !== undefined && time < post.postedAt)
      yield `The payment ${id} is of ${time}, but its post ${post.id} of ${post.postedAt}.`
    const message = db.messages.get(messageId ?? 0)
    if (message !== undefined && time < message.createdAt)
      yield (
        `The payment ${id} is of ${time}, but its message ${message.id} of ` +
          `${message.createdAt}.`
      )
  }
}

function* findLater({ db, clock }: World): Generator<string> {
  const now = clock.iso()
  for (const { id, transaction_created_at: time } of db.transactions.all())
    if (time !== null && time > now) yield `The payment ${id} is of ${time}, but it is ${now}.`
}

function* findSmallTips({ db }: World): Generator<string> {
  for (const { id, category, amount } of db.transactions.all())
    if (category === 'tip' && amount !== null && amount < tipTerms.min)
      yield `The tip ${id} is of ${amount} dollars; ${tipTerms.min} are the least.`
}

function* findUnequalSums({ db }: World): Generator<string> {
  for (const {
    id,
    total,
    tips,
    subscribes,
    messages,
    posts,
    streams,
    others,
  } of db.fanSpend.all()) {
    const parts = [tips, subscribes, messages, posts, streams, others].reduce(
      (cents, part) => cents + toCents(part),
      0,
    )
    if (parts !== toCents(total))
      yield `The fan ${id} spent ${total} dollars, but the parts sum to ${parts / 100}.`
  }
}

import type { ActionInput } from 'creator-api-sandbox'
import fc from 'fast-check'

const status = fc.constantFrom('done', 'loading')
const count = fc.integer({ min: 1, max: 5000 })
const amount = fc.integer({ min: 500, max: 20_000 }).map((cents) => cents / 100)
const price = fc.constantFrom(0, 9.99, 25)
const clicks = fc.integer({ min: 1, max: 50 })
const anyOf = (...types: ActionInput['type'][]) => fc.constantFrom(...types)

/** Generates any action on the account. Most fields are omitted, so that the world chooses them. */
export function generateActions(account: number): fc.Arbitrary<ActionInput> {
  const account_id = fc.constant(account)
  return fc.oneof(
    fc.record({ type: anyOf('subscriber.new'), account_id, price, status }),
    fc.record({ type: anyOf('link.claim'), account_id, clicks }),
    fc.record({
      type: anyOf('subscriber.renew', 'post.unlock', 'message.unlock'),
      account_id,
      status,
    }),
    fc.record({
      type: anyOf(
        'subscriber.expire',
        'message.from_fan',
        'message.read',
        'post.comment',
        'transaction.settle',
        'media.ready',
        'user.delete',
      ),
      account_id,
    }),
    fc.record({
      type: anyOf('tip'),
      account_id,
      amount,
      on: fc.constantFrom('post', 'chat', 'profile'),
      status,
    }),
    fc.record({ type: anyOf('post.publish'), account_id, price: fc.constantFrom(0, 5, 12.5) }),
    fc.record({ type: anyOf('post.like', 'post.view'), account_id, count }),
    fc.record({
      type: anyOf('transaction.reverse'),
      account_id,
      to: fc.constantFrom('pending_return', 'undo'),
    }),
    fc.record({ type: anyOf('clock.advance'), by: fc.constantFrom('90s', '7h', '3d', '31d') }),
  ) as fc.Arbitrary<ActionInput>
}

import { SandboxError } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { expectResponsesMatchRecords } from '../support/invariants.ts'
import { createFreshSandbox } from '../support/client.ts'
import { getRunOptions } from '../support/run-options.ts'
import { expectSameText } from '../support/expectations.ts'

type Action = Exclude<Parameters<Sandbox['act']>[0], readonly unknown[]>

const account_id = fc.constant(100200300)
const status = fc.constantFrom('done', 'loading')
const count = fc.integer({ min: 1, max: 5000 })
const amount = fc.integer({ min: 500, max: 20_000 }).map((cents) => cents / 100)
const price = fc.constantFrom(0, 9.99, 25)
const clicks = fc.integer({ min: 1, max: 50 })
const anyOf = (...types: Action['type'][]) => fc.constantFrom(...types)

/** Generates any action on the account. Most fields are omitted, so that the world chooses them. */
const action = fc.oneof(
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
) as fc.Arbitrary<Action>

/** Applies the actions, except actions that need a fan that does not exist in the world. */
function play(sandbox: Sandbox, actions: readonly Action[]): void {
  for (const each of actions) {
    try {
      sandbox.act(each)
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error
      expect(error.message).toContain('has no ')
    }
  }
}

it('keeps all figures consistent after any actions', async () => {
  const base = await createFreshSandbox('solo')
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 25 }), async (actions) => {
      const sandbox = base.fork()
      play(sandbox, actions)
      await expectResponsesMatchRecords(sandbox)

      // Converting the snapshot to JSON must not lose data.
      const snapshot = JSON.stringify(sandbox.snapshot())
      await sandbox.restore(JSON.parse(snapshot))
      expectSameText(JSON.stringify(sandbox.snapshot()), snapshot, 'the snapshot')
    }),
    getRunOptions(8, 200),
  )
})

it('produces the same bytes for the same seed and actions', async () => {
  const base = await createFreshSandbox('solo')
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
      const [one, two] = [base.fork(), base.fork()]
      play(one, actions)
      play(two, actions)
      expectSameText(
        JSON.stringify(one.snapshot()),
        JSON.stringify(two.snapshot()),
        'the second world',
      )
    }),
    getRunOptions(8, 200),
  )
})

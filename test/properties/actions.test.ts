import { SandboxError } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { expectResponsesMatchRecords } from '../support/invariants.ts'
import { createFreshSandbox } from '../support/client.ts'
import { getRunOptions } from '../support/run-options.ts'
import { expectSameText } from '../support/expectations.ts'

type Action = Parameters<Sandbox['act']>[0]

const account_id = 100200300
const status = fc.constantFrom('done' as const, 'loading' as const)
const count = fc.integer({ min: 1, max: 5000 })
const amount = fc.integer({ min: 500, max: 20_000 }).map((cents) => cents / 100)

/** Generates any action on the account. Most fields are omitted, so that the world chooses them. */
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    type: fc.constant('subscriber.new' as const),
    account_id: fc.constant(account_id),
    price: fc.constantFrom(0, 9.99, 25),
    status,
  }),
  fc.record({
    type: fc.constantFrom('link.claim' as const),
    account_id: fc.constant(account_id),
    clicks: fc.integer({ min: 1, max: 50 }),
  }),
  fc.record({
    type: fc.constantFrom(
      'subscriber.renew' as const,
      'post.unlock' as const,
      'message.unlock' as const,
    ),
    account_id: fc.constant(account_id),
    status,
  }),
  fc.record({
    type: fc.constantFrom(
      'subscriber.expire' as const,
      'message.from_fan' as const,
      'message.read' as const,
      'post.comment' as const,
      'transaction.settle' as const,
      'media.ready' as const,
      'user.delete' as const,
    ),
    account_id: fc.constant(account_id),
  }),
  fc.record({
    type: fc.constant('tip' as const),
    account_id: fc.constant(account_id),
    amount,
    on: fc.constantFrom('post' as const, 'chat' as const, 'profile' as const),
    status,
  }),
  fc.record({
    type: fc.constant('post.publish' as const),
    account_id: fc.constant(account_id),
    price: fc.constantFrom(0, 5, 12.5),
  }),
  fc.record({
    type: fc.constantFrom('post.like' as const, 'post.view' as const),
    account_id: fc.constant(account_id),
    count,
  }),
  fc.record({
    type: fc.constant('transaction.reverse' as const),
    account_id: fc.constant(account_id),
    to: fc.constantFrom('pending_return' as const, 'undo' as const),
  }),
  fc.record({
    type: fc.constant('clock.advance' as const),
    by: fc.constantFrom('90s', '7h', '3d', '31d'),
  }),
)

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

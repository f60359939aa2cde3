import { SandboxError } from 'creator-api-sandbox'
import type { ActionInput, Sandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { generateActions } from '../support/random-actions.ts'
import { expectResponsesMatchRecords } from '../support/invariants.ts'
import { createFreshSandbox } from '../support/client.ts'
import { getRunOptions } from '../support/run-options.ts'
import { expectSameText } from '../support/expectations.ts'

const action = generateActions(100_200_300)

/** Applies the actions, except actions that need a fan that does not exist in the world. */
function play(sandbox: Sandbox, actions: readonly ActionInput[]): void {
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

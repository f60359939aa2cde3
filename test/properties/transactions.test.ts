import { createSandbox, SandboxError } from 'creator-api-sandbox'
import type { ActionInput, Sandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { getTable } from '../../src/data/tables.ts'
import { parseScenario } from '../../src/scenario/parse.ts'
import { tableDefinitions, tableNames } from '../../src/resources/all-tables.ts'
import { expectNoViolations } from '../support/invariants.ts'
import { generateActions } from '../support/random-actions.ts'
import { getRunOptions } from '../support/run-options.ts'
import type { IndexDefinition } from '../../src/data/table-index.ts'

const account_id = 100_200_300
const action: fc.Arbitrary<ActionInput> = fc.oneof(
  { weight: 7, arbitrary: generateActions(account_id) },
  fc.constant<ActionInput>({ type: 'account.disconnect', account_id }),
  fc.constant<ActionInput>({ type: 'note', text: 'Undone' }),
)
const bad: ActionInput = { type: 'tip', account_id: 1 }

const versions = ({ db }: Sandbox) => tableNames.map((name) => getTable(db, name).version)

/**
 * Returns the complete state of a world: its JSON, each table with its indexes, and its actions.
 */
function readCompleteState({ db, control }: Sandbox): string[] {
  const tables = tableNames.map((name) => {
    const table = getTable(db, name)
    const indexes = Object.entries<IndexDefinition<never>>(tableDefinitions[name].indexes)
    const groups = indexes.map(([index, { group }]) => {
      const ids = new Set(table.all().flatMap((row) => group(row as never) ?? []))
      return [index, [...ids].map((id) => [id, table.in(index, id).slice()])]
    })
    return JSON.stringify([name, table.all(), groups])
  })
  return [JSON.stringify(control.snapshot()), JSON.stringify(control.happenings()), ...tables]
}

function expectSame(actual: readonly string[], expected: readonly string[]): void {
  expect(
    actual.filter((part, place) => part !== expected[place]).map((part) => part.slice(0, 200)),
  ).toEqual([])
}

function attempt(sandbox: Sandbox, actions: readonly ActionInput[]): void {
  try {
    sandbox.act(actions)
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
  }
}

const account = 'account_id: 100200300'
const story = await parseScenario(
  `{ extends: solo, name: story, timeline: [{ chapter: One }, { at: 1m, do: { type: tip, ${account} } }, { at: 2m, do: { type: ` +
    `post.unlock, ${account}, post_id: 5 } }, { at: 5h, chapter: Two, do: [{ type: message.from_fan, ${account} }, { type: ` +
    'clock.advance, by: 1h }] }] }',
  'story.yaml',
)

it.each([
  ['without a story', 'solo'],
  ['with a story', story],
] as const)(
  'restores tables, indexes, derived tables and versions if the last action of a batch fails, %s',
  async (_, scenario) => {
    const base = createSandbox({ scenario })
    await base.ready
    await fc.assert(
      fc.property(
        fc.array(action, { maxLength: 8 }),
        fc.array(action, { minLength: 1, maxLength: 6 }),
        (first, failing) => {
          const [sandbox, twin] = [base.fork(), base.fork()]
          // From this point on, the story creates snapshots, even within a batch.
          sandbox.control.replay()
          for (const each of first) {
            attempt(sandbox, [each])
            attempt(twin, [each])
          }
          for (const each of [sandbox, twin]) each.control.happenings()
          const before = versions(sandbox)
          expect(() => sandbox.act([...failing, bad])).toThrow(SandboxError)
          const after = versions(sandbox)
          expect(after.filter((version, place) => version !== before[place])).toEqual([])
          expectSame(readCompleteState(sandbox), readCompleteState(twin))
          // The world must continue as if the failed attempt had not happened.
          for (const each of [...failing, ...first]) {
            attempt(sandbox, [each])
            attempt(twin, [each])
          }
          expect(JSON.stringify(sandbox.snapshot()) === JSON.stringify(twin.snapshot())).toBe(true)
          expectNoViolations(sandbox)
        },
      ),
      getRunOptions(5, 100),
    )
  },
)

import type { Sandbox } from 'creator-api-sandbox'
import { runAction, runAllActions } from './actions.ts'
import { readAllTables } from './data.ts'
import type { Exchange, Observation } from './exchange.ts'
import { exceedFileLimit } from './media.ts'
import type { Operation } from './operations.ts'
import type { Subject } from './subject.ts'
import { runAllReads, runAllWrites } from './writes.ts'

/** Observes longer runs in one sandbox. Makes changes, and then reads all routes and tables. */
export async function* observeStories(
  { sandbox, account }: Subject,
  operations: readonly Operation[],
): AsyncGenerator<Observation> {
  const advance = (by: string) => (fork: Sandbox) => [
    runAction(fork, { type: 'clock.advance', by }),
  ]
  const stories: [string, [string, (fork: Sandbox) => Exchange[] | Promise<Exchange[]>][]][] = [
    [
      'writes',
      [
        ['all writes', (fork) => runAllWrites(fork, operations, account)],
        ['2 hours later', advance('2h')],
        ['30 days later', advance('30d')],
      ],
    ],
    [
      'actions',
      [
        ['all actions', (fork) => runAllActions(fork, account)],
        ['a day later', advance('1d')],
        ['reset', async (fork) => (await fork.reset(), [])],
      ],
    ],
    ['media', [['every file is opened', (fork) => exceedFileLimit(fork, account)]]],
    ['time', [['400 days later', advance('400d')]]],
    ['variation', [['all answers vary', applyAllVariations]]],
    ['snapshot', [['restored', restore]]],
  ]
  for (const [story, steps] of stories) {
    using fork = sandbox.fork()
    for (const [step, run] of steps) {
      const name = `${story}: ${step}`
      yield { name, exchanges: await run(fork) }
      yield { name: `${name}, tables`, exchanges: readAllTables(fork) }
      yield { name: `${name}, reads`, exchanges: await runAllReads(fork, operations, account) }
    }
  }
}

/** Applies all variations except the variation that waits in real time. */
function applyAllVariations(sandbox: Sandbox): Exchange[] {
  const only = [
    'absent-fields',
    'null-fields',
    'unknown-keys',
    'open-values',
    'key-order',
    'time-forms',
    'large-ids',
    'short-pages',
    'moving-counts',
    'error-texts',
  ]
  return [runAction(sandbox, { type: 'variation.set', seed: 3, only })]
}

async function restore(sandbox: Sandbox): Promise<Exchange[]> {
  const snapshot = sandbox.snapshot()
  const moved = runAction(sandbox, { type: 'clock.advance', by: '3d' })
  await sandbox.restore(JSON.parse(JSON.stringify(snapshot)))
  return [moved]
}

import { createSandbox } from 'creator-api-sandbox'
import { observeActions } from './actions.ts'
import { observeControl } from './control.ts'
import { readTable, listTables } from './data.ts'
import type { Observation } from './exchange.ts'
import { observeOperation } from './operation-cases.ts'
import { readOperations } from './operations.ts'
import { baseUrl } from './send.ts'
import { observeStories } from './stories.ts'
import { createSubject } from './subject.ts'
import { observeWrites } from './writes.ts'

export const scenarios = ['solo', 'agency', 'boundaries', 'everything'] as const
export type ScenarioName = (typeof scenarios)[number]

/** Seeds to use for each scenario. Undefined means the default seed of the scenario. */
export const seeds = [undefined, 99, 4242] as const

/** Yields all observations of a scenario with one seed. */
export async function* observeScenario(
  scenario: ScenarioName,
  seed: number | undefined,
): AsyncGenerator<Observation> {
  using sandbox = createSandbox({ baseUrl, scenario, seed, clock: 'frozen' })
  await sandbox.ready
  for (const table of listTables(sandbox))
    yield { name: `table ${table}`, exchanges: [readTable(sandbox, table)] }
  const subject = createSubject(sandbox)
  const operations = readOperations()
  for (const operation of operations) yield* observeOperation(subject, operation)
  yield* observeWrites(subject, operations)
  yield* observeActions(subject)
  yield* observeStories(subject, operations)
  yield* observeControl(subject, operations)
}

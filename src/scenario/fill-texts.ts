import { importModules } from '../lib/import-modules.ts'
import { listProblems } from '../api/check-input.ts'
import { getAtPath } from '../lib/plain-json.ts'
import { stopEarly } from '../lib/schema-parts.ts'
import { Fakers } from '../seed/faker.ts'
import { fillTemplate, listPlaceholders, TemplateError } from '../seed/template.ts'
import type { MemoryLimit } from '../world/memory-limit.ts'
import { createRandom } from '../world/random.ts'
import { runInSlices } from '../world/work.ts'
import type { PausePolicy } from '../world/work.ts'
import { ScenarioError } from './error.ts'
import type { Scenario } from './schema.ts'
import { countRecords, mapTexts } from './texts.ts'
import { describeValue } from '../errors.ts'

/** Options for filling in the templates of a scenario. */
export interface FillOptions {
  /** Random seed. */
  seed: number
  /** Start of the clock, epoch ms. */
  start: number
  memory?: MemoryLimit | undefined
  pace?: PausePolicy | undefined
  /** Returns the position of a value for error messages. */
  getPosition?: (path: readonly PropertyKey[]) => string
}

/**
 * Fills in the templates in the texts of a scenario, and creates the rows of `count`. The same seed
 * and start of the clock result in the same texts. Loads faker only if there is a template.
 * @throws {ScenarioError} for a template that fails, and for a result that its field does not allow
 */
export async function fillTexts(
  scenario: Scenario,
  { seed, start, memory, pace, getPosition = (path) => path.join('.') }: FillOptions,
): Promise<Scenario> {
  const { locale, records } = scenario
  memory?.requireRows(countRecords(records), 'seed the scenario')
  let [texts, placeholders] = [0, 0]
  const find = ({ text }: { text: string }) => {
    texts += 1
    placeholders += listPlaceholders(text).length
    return text
  }
  await runInSlices(mapTexts(scenario, { map: find }), pace)
  const hasCounts = Object.values(records).some((rows = []) => rows.some((row) => 'count' in row))
  if (texts === 0 && !hasCounts) return scenario
  const fakers = await Fakers.load(placeholders === 0 ? [] : [locale], start)
  const filling = mapTexts(scenario, {
    isExpanding: true,
    map: ({ text, path, key }) => {
      try {
        const faker = placeholders === 0 ? undefined : fakers.at(locale, createRandom(seed, ...key))
        return fillTemplate(text, { faker })
      } catch (error) {
        if (!(error instanceof TemplateError)) throw error
        throw new ScenarioError([`(${getPosition(path)}): ${error.problem}.`])
      }
    },
  })
  const filled = await runInSlices(filling, pace)
  if (placeholders > 0) await checkLimits(filled, getPosition)
  return filled
}

/** Checks the filled fields that have limits, such as the length of a username. */
async function checkLimits(
  { organisations, timeline }: Scenario,
  getPosition: (path: readonly PropertyKey[]) => string,
): Promise<void> {
  const { FilledParts } = await importModules(() => import('./schema.ts'))
  const value = { organisations, timeline }
  const { error } = FilledParts.safeParse(value, stopEarly)
  if (error === undefined) return
  throw new ScenarioError(
    listProblems(error, FilledParts, value).map(
      ({ path, expected }) =>
        `(${getPosition(path)}): its template results in ${describeValue(getAtPath(value, path))}, ` +
        `but ${expected}.`,
    ),
  )
}

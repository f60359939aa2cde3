import { describeValue, SandboxError } from '../errors.ts'
import { shippedScenarios } from '../generated/scenario-index.ts'
import { fillDefaults } from './defaults.ts'
import type { Scenario, ScenarioInput } from './schema.ts'

/** Fields of a scenario that are available before its data is loaded. */
export interface ScenarioHeader {
  name: string
  title: string
  description: string
  seed: number
  now: string
  anchor?: Scenario['anchor']
  /** True if the scenario has a timeline. */
  isStory: boolean
  transcodingSeconds: number
  organisations: readonly { name: string; roles: readonly string[] }[]
  accounts: readonly AccountName[]
}

/** Id and username of an account. */
export interface AccountName {
  id: number
  username: string
}

/** A scenario that is ready to be loaded. */
export interface PreparedScenario {
  header: ScenarioHeader
  /** The name of a shipped scenario, or any other scenario as a whole. */
  source: string | Scenario
  load: () => Promise<Scenario>
}

/**
 * Prepares a scenario. `scenario` is an object, or the name of a scenario in the library or of a
 * shipped one.
 */
export function prepareScenario(
  scenario: string | Scenario,
  library: readonly Scenario[] = [],
): PreparedScenario {
  const known =
    typeof scenario === 'object' ? scenario : library.find(({ name }) => name === scenario)
  if (known !== undefined)
    return { header: toHeader(known), source: known, load: () => Promise.resolve(known) }
  const shipped = shippedScenarios.find(({ name }) => name === scenario)
  if (shipped === undefined) {
    // The caller probably passed a path or YAML instead of a name.
    const hint = /[./\\\n]/.test(String(scenario))
      ? ' To load YAML, call sandbox.control.loadScenario({ yaml }).'
      : ''
    throw new SandboxError(
      `Failed to load the scenario ${describeValue(scenario)}: it does not exist. Use one of ` +
        `${listScenarioNames(library).join(', ')}.${hint}`,
    )
  }
  const { load: _, ...header } = shipped
  return { header, source: shipped.name, load: () => loadShippedScenario(shipped) }
}

/** True for the path of a file. Names contain no dots and no slashes, and YAML has many lines. */
export function isScenarioPath(scenario: string): boolean {
  return /[./\\]/.test(scenario) && !scenario.includes('\n')
}

/** Loads a shipped scenario and fills in its defaults. */
export async function loadShippedScenario({
  load,
}: {
  load: () => Promise<{ default: ScenarioInput }>
}): Promise<Scenario> {
  // Loads the module on demand, because users with their own scenarios do not need it.
  const [{ default: scenario }, { scenarioShape }] = await Promise.all([
    load(),
    import('../generated/scenario-shape.ts'),
  ])
  return fillDefaults(scenario, scenarioShape)
}

/**
 * Lists the scenario names, without duplicates: first the library's, then those of the shipped
 * scenarios.
 */
export function listScenarioNames(library: readonly { name: string }[]): string[] {
  return [...new Set([...library, ...shippedScenarios].map(({ name }) => name))]
}

/** Returns the header of a scenario. */
export function toHeader(scenario: Scenario): ScenarioHeader {
  const { timeline, organisations } = scenario
  return {
    name: scenario.name,
    title: scenario.title,
    description: scenario.description,
    seed: scenario.seed,
    now: scenario.now,
    anchor: scenario.anchor,
    isStory: timeline.length > 0,
    transcodingSeconds: scenario.transcodingSeconds,
    organisations: organisations.map((organisation) => ({
      name: organisation.name,
      roles: Object.keys(organisation.roles),
    })),
    accounts: organisations.flatMap(({ accounts }) =>
      accounts.map(({ id, username }) => ({ id, username })),
    ),
  }
}

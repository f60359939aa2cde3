import type { ExtendedScenario, Scenario } from '../generated/inputs.ts'

/**
 * Returns a scenario unchanged. Types all its fields, including the records of each table and the
 * actions of the timeline.
 *
 * @example
 * const mine = defineScenario({ extends: 'solo', records: { tags: [{ name: 'VIP' }] } })
 * const sandbox = createSandbox({ scenario: mine })
 */
export function defineScenario(scenario: ExtendedScenario): ExtendedScenario
export function defineScenario<const Name extends string>(
  scenario: Scenario & { name: Name },
): Scenario & { name: Name }
export function defineScenario(scenario: Scenario | ExtendedScenario): Scenario | ExtendedScenario {
  return scenario
}

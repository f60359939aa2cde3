import { show } from '../control/check.ts'
import { SandboxError } from '../errors.ts'
import { shippedScenarios } from '../generated/scenario-index.ts'
import { scenarioShape } from '../generated/scenario-shape.ts'
import { fillDefaults } from './defaults.ts'
import type { Scenario, ScenarioInput } from './schema.ts'

/** What is known of a scenario at once: enough for the clock, the seed and the keys. */
export interface ScenarioHeader {
  name: string
  title: string
  description: string
  seed: number
  now: string
  transcodingSeconds: number
  organisations: readonly { name: string; roles: readonly string[] }[]
}

/** A scenario ready to be loaded. */
export interface PreparedScenario {
  header: ScenarioHeader
  load: () => Promise<Scenario>
}

/** Takes a scenario given, or finds one of the library or a shipped one by its name. @throws {SandboxError} when none has it. */
export function prepareScenario(scenario: string | Scenario, library: readonly Scenario[] = []): PreparedScenario {
  const own = typeof scenario === 'object' ? scenario : library.find(({ name }) => name === scenario)
  if (own !== undefined) return { header: toHeader(own), load: () => Promise.resolve(own) }
  const shipped = shippedScenarios.find(({ name }) => name === scenario)
  if (shipped === undefined) {
    // A path, or the text itself.
    const hint = /[./\\\n]/.test(String(scenario))
      ? ' Only names go here: load YAML by its text, with sandbox.control.loadScenario({ yaml }).'
      : ''
    throw new SandboxError(
      `Failed to load the scenario ${show(scenario)}: there is none of that name. Choose one of ${namesWith(library).join(', ')}.${hint}`,
    )
  }
  const { load: _, ...header } = shipped
  return { header, load: () => loadShipped(shipped) }
}

/** Loads a shipped scenario, with every default filled in. */
export async function loadShipped({ load }: { load: () => Promise<{ default: ScenarioInput }> }): Promise<Scenario> {
  return fillDefaults((await load()).default, scenarioShape)
}

/** The names of a library, then those of the shipped scenarios. */
export function namesWith(library: readonly { name: string }[]): string[] {
  return [...new Set([...library, ...shippedScenarios].map(({ name }) => name))]
}

function toHeader({ name, title, description, seed, now, transcodingSeconds, organisations }: Scenario): ScenarioHeader {
  return {
    name,
    title,
    description,
    seed,
    now,
    transcodingSeconds,
    organisations: organisations.map((organisation) => ({ name: organisation.name, roles: Object.keys(organisation.roles) })),
  }
}

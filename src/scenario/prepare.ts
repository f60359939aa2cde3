import { show } from '../control/check.ts'
import { SandboxError } from '../errors.ts'
import { shippedScenarios } from '../generated/scenario-index.ts'
import type { Scenario } from './schema.ts'

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

/** Finds a shipped scenario, or takes one given. @throws {SandboxError} when no shipped one has the name. */
export function prepareScenario(scenario: string | Scenario): PreparedScenario {
  if (typeof scenario === 'object') return { header: toHeader(scenario), load: () => Promise.resolve(scenario) }
  const shipped = shippedScenarios.find(({ name }) => name === scenario)
  if (shipped === undefined) {
    const names = shippedScenarios.map(({ name }) => name).join(', ')
    // A path, or the text itself.
    const hint = /[./\\\n]/.test(scenario) ? ' Only names go here: load YAML by its text, with sandbox.control.loadScenario({ yaml }).' : ''
    throw new SandboxError(`Failed to load the scenario ${show(scenario)}: there is none of that name. Choose one of ${names}.${hint}`)
  }
  const { load, ...header } = shipped
  return { header, load: async () => (await load()).default }
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

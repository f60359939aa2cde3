import { writeFileSync } from 'node:fs'
import { computeDigest } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { observeScenario } from './observe.ts'
import type { ScenarioName } from './observe.ts'

/** Digests of a scenario with a seed, by the name of the observation. */
export interface Digests {
  digests: Record<string, string>
  requests: number
}

/** Exchanges of one observation, or undefined if the observation was not made. */
export interface ShownObservation {
  exchanges?: Exchange[]
}

// Arguments: a scenario, its seed or `-` for the default, the output file, and optionally the name
// of an observation to show.
const [scenario = 'solo', seed = '-', file = '', name] = process.argv.slice(2)
const result = name === undefined ? await computeAllDigests() : await createShownObservation(name)
writeFileSync(file, JSON.stringify(result))

async function computeAllDigests(): Promise<Digests> {
  const result: Digests = { digests: {}, requests: 0 }
  for await (const { name, exchanges } of observeChosen()) {
    if (name in result.digests) throw new Error(`Two observations have the name ${name}.`)
    result.digests[name] = computeDigest(exchanges)
    result.requests += exchanges.filter(({ status }) => status > 0).length
  }
  return result
}

async function createShownObservation(wanted: string): Promise<ShownObservation> {
  for await (const { name, exchanges } of observeChosen()) if (name === wanted) return { exchanges }
  return {}
}

function observeChosen() {
  return observeScenario(scenario as ScenarioName, seed === '-' ? undefined : Number(seed))
}

import { shippedScenarios } from '../../src/generated/scenario-index.ts'
import { createWorld } from '../../src/resources/create-world.ts'
import type { World } from '../../src/resources/world.ts'
import { fillTexts } from '../../src/scenario/fill-texts.ts'
import { loadShippedScenario } from '../../src/scenario/prepare.ts'
import { seedWorld } from '../../src/scenario/seed-world.ts'
import { loadSeedSources } from '../../src/scenario/seed-sources.ts'

export interface SeedOptions {
  seed?: number
  now?: string
}

/** Seeds a world from a shipped scenario. */
export async function seedShippedScenario(name: string, options: SeedOptions = {}): Promise<World> {
  const shipped = shippedScenarios.find((candidate) => candidate.name === name)!
  const seed = options.seed ?? shipped.seed
  const start = Date.parse(options.now ?? shipped.now)
  const scenario = await fillTexts(await loadShippedScenario(shipped), { seed, start })
  const world = createWorld({
    seed,
    start,
    clock: { mode: 'frozen', rate: 1 },
    baseUrl: 'http://127.0.0.1:4010',
    transcodingMs: shipped.transcodingSeconds * 1000,
    journalSize: 1000,
  })
  const keys = (organisation: number, role: string) => ({
    key: `key of ${role} in ${organisation}`,
    permissions: [],
  })
  await seedWorld(world, scenario, { sources: await loadSeedSources(scenario), keys })
  return world
}

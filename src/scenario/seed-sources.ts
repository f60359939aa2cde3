import { importModules } from '../lib/import-modules.ts'
import { loadPersonas } from '../seed/personas.ts'
import type { PersonaChoices } from '../seed/personas.ts'
import type { Scenario } from './schema.ts'
import type { Factories } from '../world/factory.ts'
import type { WorldSnapshot } from '../world/world-state.ts'
import type { World } from '../resources/world.ts'
import type { SeedTexts } from '../seed/seed-texts.ts'

/** The seeded data of a scenario, which several worlds share. */
export interface Seeded {
  scenario: Scenario
  sources: SeedSources
  /** Snapshot of the first world that was seeded with this data. */
  origin: WorldSnapshot
}

/** Called with the completed fraction of the seeding, from 0 to 1. */
export type OnProgress = (share: number) => void

/** Sources of seeded data, in addition to the scenario. */
export interface SeedSources {
  texts: SeedTexts
  factories: Factories
}

/** Loads the sources of a scenario's data. */
export async function loadSeedSources(scenario: PersonaChoices): Promise<SeedSources> {
  const [{ seedTexts }, { factories }, personas] = await importModules(() =>
    Promise.all([
      import('../generated/texts/index.ts'),
      import('../resources/factories.ts'),
      loadPersonas(scenario),
    ]),
  )
  return { texts: { ...seedTexts, personas }, factories }
}

/**
 * Fills a world with the data of another world. Both worlds must have the same scenario, seed, keys
 * and clock start.
 */
export function copySeedData(world: World, { sources, origin }: Seeded): void {
  setSources(world, sources)
  world.beginWith(origin)
}

/** Gives a world the texts and factories that its records come from. */
export function setSources(world: World, { texts, factories }: SeedSources): void {
  world.texts = texts
  world.factories = factories
}

import { variation } from '../api/variation-service.ts'
import type { DueEffect } from '../world/timeline.ts'
import { World as EngineWorld } from '../world/world.ts'
import type { WorldOptions, WorldRules } from '../world/world-options.ts'
import { clockEvents, registerListeners } from './all-listeners.ts'
import { allResources } from './all-resources.ts'
import { tableDefinitions } from './all-tables.ts'
import type { World } from './world.ts'

/** Tables, services and listeners that all worlds have. */
const rules: WorldRules<typeof tableDefinitions, World> = {
  definitions: tableDefinitions,
  services: [...allResources.flatMap(({ services }) => services ?? []), variation],
  registerListeners,
  nextDue(world) {
    let first: DueEffect | undefined
    for (const findNext of clockEvents) {
      const due = findNext(world)
      if (due !== undefined && (first === undefined || due.at < first.at)) first = due
    }
    return first
  },
}

/** Creates a world without data. */
export function createWorld(options: WorldOptions): World {
  return new EngineWorld(options, rules)
}

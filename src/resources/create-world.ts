import type { DueEffect } from '../world/due-effects.ts'
import { sortTopologically } from '../lib/topological-sort.ts'
import type { ClockEvent } from '../api/resource.ts'
import { variation } from '../api/variation.ts'
import { World as EngineWorld } from '../world/world.ts'
import type { WorldOptions } from '../world/world-options.ts'
import type { WorldRules } from '../world/world-options.ts'
import { allResources } from './all-resources.ts'
import { tableDefinitions } from './all-tables.ts'
import type { World } from './world.ts'

/** Clock event that runs the next step of the timeline. */
const story: ClockEvent<World> = { name: 'story', next: (world) => world.timeline.next(world) }

/** Events that are triggered by the clock. Events at the same time run in this order. */
const agenda = sortTopologically([
  ...allResources.flatMap((resource) => resource.agenda ?? []),
  story,
])

/**
 * Change listeners, in order. Each listener also receives the changes that earlier listeners make.
 */
const listeners = sortTopologically(allResources.flatMap((resource) => resource.listeners ?? []))

/** Tables, services and listeners that all worlds have. */
const rules: WorldRules<typeof tableDefinitions, World> = {
  definitions: tableDefinitions,
  services: [...allResources.flatMap(({ services }) => services ?? []), variation],
  attachListeners(world) {
    for (const { attach } of listeners) attach(world)
  },
  nextDue(world) {
    let first: DueEffect | undefined
    for (const { next } of agenda) {
      const due = next(world)
      if (due !== undefined && (first === undefined || due.at < first.at)) first = due
    }
    return first
  },
}

/** Creates a world without data. */
export function createWorld(options: WorldOptions): World {
  return new EngineWorld(options, rules)
}

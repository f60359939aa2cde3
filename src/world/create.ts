import type { Due } from '../engine/due.ts'
import { inOrder } from '../engine/order.ts'
import type { ClockEvent } from '../engine/resource.ts'
import { World as EngineWorld } from '../engine/world.ts'
import type { WorldOptions, WorldRules } from '../engine/world.ts'
import { allResources } from './resources.ts'
import { tableDefinitions } from './tables.ts'
import type { World } from './world.ts'

/** The next step of the story that plays. */
const story: ClockEvent<World> = { name: 'story', next: (world) => world.script.next(world) }

/** What the clock sets off. At equal times the upper one goes first. */
const agenda = inOrder([...allResources.flatMap((resource) => resource.agenda ?? []), story])

/** What follows the records. Each sees what those before it have written. */
const followers = inOrder(allResources.flatMap((resource) => resource.followers ?? []))

/** What every world of the API is made of. */
const rules: WorldRules<typeof tableDefinitions> = {
  definitions: tableDefinitions,
  parts: allResources.flatMap(({ parts }) => parts ?? []),
  follow(world) {
    for (const { follow } of followers) follow(world)
  },
  nextDue(world) {
    let first: Due | undefined
    for (const { next } of agenda) {
      const due = next(world)
      if (due !== undefined && (first === undefined || due.at < first.at)) first = due
    }
    return first
  },
}

/** Makes a world without data. */
export function createWorld(options: WorldOptions): World {
  return new EngineWorld(options, rules)
}

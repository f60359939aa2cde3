import { World as EngineWorld } from '../engine/world.ts'
import type { WorldOptions, WorldRules } from '../engine/world.ts'
import { mediaParts } from '../resources/media/media-links.ts'
import { nextDue } from './agenda.ts'
import { tableDefinitions } from './tables.ts'
import { watchTables } from './watchers.ts'
import type { World } from './world.ts'

/** What every world of the API is made of. */
export const worldRules: WorldRules<typeof tableDefinitions> = { definitions: tableDefinitions, parts: mediaParts, follow: watchTables, nextDue }

/** Makes a world without data. */
export function createWorld(options: WorldOptions): World {
  return new EngineWorld(options, worldRules)
}

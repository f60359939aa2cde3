import type { World as EngineWorld } from '../world/world.ts'
import type { tableDefinitions } from './all-tables.ts'

/** The whole state of a sandbox: a world with the tables of every resource. */
export type World = EngineWorld<typeof tableDefinitions>

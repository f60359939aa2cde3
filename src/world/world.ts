import type { World as EngineWorld } from '../engine/world.ts'
import type { tableDefinitions } from './tables.ts'

/** The whole state of a sandbox: a world with the tables of every resource. */
export type World = EngineWorld<typeof tableDefinitions>

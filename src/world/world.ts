import type { World as EngineWorld } from '../engine/world.ts'
import type { tableDefinitions } from './tables.ts'

/** All state of a sandbox: a world that has the tables of every resource. */
export type World = EngineWorld<typeof tableDefinitions>

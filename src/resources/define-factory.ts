import { createDefineFactory } from '../world/factory.ts'
import type { FactoryContext as BaseFactoryContext } from '../world/factory-context.ts'
import type { tableDefinitions } from './all-tables.ts'
import type { World } from './world.ts'

/** Declares a factory, which completes hand-written records of a table. */
export const defineFactory = createDefineFactory<typeof tableDefinitions, World>()

/**
 * Context of one new record: its time, its random source, and values derived from other records.
 */
export type FactoryContext = BaseFactoryContext<World>

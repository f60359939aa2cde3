import { createFactoryDefiner } from '../world/factory.ts'
import type { FactoryContext as BaseFactoryContext } from '../world/factory.ts'
import type { tableDefinitions } from './all-tables.ts'
import type { World } from './world.ts'

/** Declares a factory. It fills in missing fields of a table's records. */
export const defineFactory = createFactoryDefiner<typeof tableDefinitions, World>()

/**
 * The context for creating a record: its time, its random source, and values derived from other
 * records.
 */
export type FactoryContext = BaseFactoryContext<World>

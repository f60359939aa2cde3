import { factoriesOver } from '../world/factory.ts'
import type { FactoryContext as BaseFactoryContext } from '../world/factory-context.ts'
import type { tableDefinitions } from './all-tables.ts'
import type { World } from './world.ts'

/** Declares what completes the records of a table that somebody makes by hand. */
export const defineFactory = factoriesOver<typeof tableDefinitions, World>()

/** The making of one record: its time, its chance, and what it can tell from other records. */
export type FactoryContext = BaseFactoryContext<World>

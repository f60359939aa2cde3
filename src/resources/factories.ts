import { completeRecord } from '../world/factory.ts'
import type { AnyFactory, Factories } from '../world/factory.ts'
import { sortTopologically } from '../lib/topological-sort.ts'
import { declaredFactories } from '../generated/factories.ts'

/** A factory for one table. */
export type DeclaredFactory = (typeof declaredFactories)[number]

/** All factories. Each comes after the factories of the tables that it references. */
const factoryList: readonly DeclaredFactory[] =
  sortTopologically<DeclaredFactory>(declaredFactories)

const byTable: ReadonlyMap<string, AnyFactory> = new Map(
  factoryList.map((factory) => [factory.table, factory]),
)

/**
 * Factories that fill in missing fields of records in scenarios. Only `world/seed.ts` imports this
 * module, so it is loaded together with the seed data.
 */
export const factories: Factories = {
  kinds: factoryList,
  complete(world, table, values) {
    const factory = byTable.get(table)
    return factory && completeRecord(world, factory, values)
  },
}

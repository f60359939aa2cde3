import { completeRecord } from '../world/factory.ts'
import type { AnyFactory, Factories } from '../world/factory.ts'
import { inOrder } from '../lib/order.ts'
import { declaredFactories } from '../generated/factories.ts'

/** What completes the records of a table. */
export type DeclaredFactory = (typeof declaredFactories)[number]

/**
 * What completes the records of each table, in an order in which each table comes behind those that
 * its records name.
 */
const factoryList: readonly DeclaredFactory[] = inOrder<DeclaredFactory>(declaredFactories)

const byTable: ReadonlyMap<string, AnyFactory> = new Map(
  factoryList.map((factory) => [factory.table, factory]),
)

/**
 * Completes records that somebody makes by hand. It is loaded with the data: nothing but
 * `world/seed.ts` imports it.
 */
export const factories: Factories = {
  kinds: factoryList,
  complete(world, table, values) {
    const factory = byTable.get(table)
    return factory && completeRecord(world, factory, values)
  },
}

import { completeRecord } from '../engine/factory.ts'
import type { AnyFactory, Maker } from '../engine/factory.ts'
import { inOrder } from '../engine/order.ts'
import { declaredFactories } from '../generated/factories.ts'

/** What completes the records of a table. */
export type DeclaredFactory = (typeof declaredFactories)[number]

/**
 * What completes the records of each table, in an order in which each table comes behind those that
 * its records name.
 */
export const factories: readonly DeclaredFactory[] = inOrder<DeclaredFactory>(declaredFactories)

const byTable: ReadonlyMap<string, AnyFactory> = new Map(
  factories.map((factory) => [factory.table, factory]),
)

/**
 * Completes records that somebody makes by hand. It is loaded with the data: nothing but
 * `world/seed.ts` imports it.
 */
export const maker: Maker = {
  kinds: factories,
  complete(world, table, values) {
    const factory = byTable.get(table)
    return factory && completeRecord(world, factory, values)
  },
}

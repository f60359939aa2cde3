import { createActionDefiner } from '../api/action.ts'
import { createResourceDefiner } from '../api/resource.ts'
import { createRouteDefiner as createRouteDefinerFor } from '../api/route.ts'
import type { World } from './world.ts'
import { createFactoryDefiner } from '../world/factory.ts'
import type { FactoryContext as BaseFactoryContext } from '../world/factory.ts'
import type { tableDefinitions } from './all-tables.ts'

/** Creates the function that declares the API routes of a group. */
export const createRouteDefiner = createRouteDefinerFor<World>

/** Declares a resource: everything that its folder adds to the sandbox. */
export const defineResource = createResourceDefiner<World>()

/**
 * Declares an action. It can be used in `sandbox.act`, in the body of `POST /_sandbox/actions` and
 * as a step of a timeline.
 */
export const defineAction = createActionDefiner<World>()

/** Declares a factory. It fills in missing fields of a table's records. */
export const defineFactory = createFactoryDefiner<typeof tableDefinitions, World>()

/**
 * The context for creating a record: its time, its random source, and values derived from other
 * records.
 */
export type FactoryContext = BaseFactoryContext<World>

import { actionsOver } from '../engine/action.ts'
import { factoriesOver } from '../engine/factory.ts'
import type { Making as EngineMaking } from '../engine/factory.ts'
import { resourcesOver } from '../engine/resource.ts'
import { routesOver } from '../engine/route.ts'
import type { Seeding } from './seeding.ts'
import type { tableDefinitions } from './tables.ts'
import type { World } from './world.ts'

/** Declares a route of the API. */
export const defineRoute = routesOver<World>()

/** Declares a resource: everything that its folder adds to the sandbox. */
export const defineResource = resourcesOver<World, Seeding>()

/** Declares what completes the records of a table that somebody makes by hand. */
export const defineFactory = factoriesOver<typeof tableDefinitions, World>()

/** The making of one record: its time, its chance, and what it can tell from other records. */
export type Making = EngineMaking<World>

/** Declares an action. It serves as an argument of `sandbox.act`, as a body of `POST /_sandbox/actions` and as a step of a timeline. */
export const defineAction = actionsOver<World>()

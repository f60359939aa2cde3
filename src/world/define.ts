import { actionsOver } from '../engine/action.ts'
import { resourcesOver } from '../engine/resource.ts'
import { routesOver } from '../engine/route.ts'
import type { Seeding } from './seeding.ts'
import type { World } from './world.ts'

/** Declares a route of the API. */
export const defineRoute = routesOver<World>()

/** Declares a resource: everything that its folder adds to the sandbox. */
export const defineResource = resourcesOver<World, Seeding>()

/**
 * Declares an action. It serves as an argument of `sandbox.act`, as a body of `POST
 * /_sandbox/actions` and as a step of a timeline.
 */
export const defineAction = actionsOver<World>()

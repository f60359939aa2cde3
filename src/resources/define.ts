import { actionsOver } from '../api/action.ts'
import { resourcesOver } from '../api/resource.ts'
import { routesOver } from '../api/route.ts'
import type { Seeding } from '../seed/seeding.ts'
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

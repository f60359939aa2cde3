import { actionsOver } from '../engine/action.ts'
import { resourcesOver } from '../engine/resource.ts'
import { routesOver } from '../engine/route.ts'
import type { Seeding } from './seeding.ts'
import type { World } from './world.ts'

/** Declares a route of the API. */
export const defineRoute = routesOver<World>()

/** Declares a resource: all that its folder brings. */
export const defineResource = resourcesOver<World, Seeding>()

/** Declares an action: at once a method argument, a `POST /_sandbox/actions` and a step of a timeline. */
export const defineAction = actionsOver<World>()

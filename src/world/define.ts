import { actionsOver } from '../engine/action.ts'
import { routesOver } from '../engine/route.ts'
import type { World } from './world.ts'

/** Declares a route of the API. */
export const defineRoute = routesOver<World>()

/** Declares an action: at once a method argument, a `POST /_sandbox/actions` and a step of a timeline. */
export const defineAction = actionsOver<World>()

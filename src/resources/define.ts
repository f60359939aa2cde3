import { createDefineAction } from '../api/action.ts'
import { createDefineResource } from '../api/resource.ts'
import { createDefineRoute } from '../api/route.ts'
import type { Seeding } from '../seed/seeding.ts'
import type { World } from './world.ts'

/** Declares a route of the API. */
export const defineRoute = createDefineRoute<World>()

/** Declares a resource: everything that its folder adds to the sandbox. */
export const defineResource = createDefineResource<World, Seeding>()

/**
 * Declares an action. It can be used in `sandbox.act`, in the body of `POST /_sandbox/actions` and
 * as a step of a timeline.
 */
export const defineAction = createDefineAction<World>()

import type { Route } from '../api/route.ts'
import { allResources } from './all-resources.ts'

/**
 * Every route of the API, by resource. Matching, checks, OpenAPI and docs are all derived from this
 * list.
 */
export const routes: readonly Route[] = allResources.flatMap((resource) => resource.routes ?? [])

/** Every permission that a route requires. */
export const allPermissions: readonly string[] = [
  ...new Set(routes.flatMap(({ permission }) => permission ?? [])),
]

import type { Route } from '../api/route.ts'
import { allResources } from './all-resources.ts'

/**
 * All API routes, by resource. Matching, checks, OpenAPI and docs are all derived from this list.
 */
export const routes: readonly Route[] = allResources.flatMap((resource) => resource.routes ?? [])

/** All permissions that routes require, without duplicates. */
export const allPermissions: readonly string[] = [
  ...new Set(routes.flatMap(({ permission }) => permission ?? [])),
]

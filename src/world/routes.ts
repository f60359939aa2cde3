import type { Route } from '../engine/route.ts'
import { allResources } from './resources.ts'

/** Every route of the API, resource by resource. All else (matching, checks, OpenAPI, docs) is derived from this list. */
export const routes: readonly Route[] = allResources.flatMap((resource) => resource.routes ?? [])

import type { RouteGroup } from '../api/resource.ts'
import { allResources } from '../resources/all-resources.ts'

/** Groups of routes, by name in the reference. */
export const groups: Readonly<Record<string, RouteGroup>> = Object.assign(
  {},
  ...allResources.map((resource) => resource.groups),
)

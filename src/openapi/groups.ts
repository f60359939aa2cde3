import type { RouteGroup } from '../engine/resource.ts'
import { allResources } from '../world/resources.ts'

/** The groups of routes, by their names in the reference. */
export const groups: Readonly<Record<string, RouteGroup>> = Object.assign(
  {},
  ...allResources.map((resource) => resource.groups),
)

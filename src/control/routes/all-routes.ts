import { dataRoutes } from './data.ts'
import { faultRoutes, worldRoutes } from './world.ts'
import { journalRoutes } from './journal.ts'
import type { ControlRoute } from './route.ts'
import { scenarioRoutes, isolatedWorldRoutes } from './scenarios.ts'
import { serverRoutes } from './server.ts'

/** All control plane routes. */
export const controlRoutes: readonly ControlRoute[] = [
  ...serverRoutes,
  ...dataRoutes,
  ...worldRoutes,
  ...faultRoutes,
  ...journalRoutes,
  ...scenarioRoutes,
  ...isolatedWorldRoutes,
]

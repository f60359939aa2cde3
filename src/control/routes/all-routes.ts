import { dataRoutes } from './data.ts'
import { faultRoutes } from './faults.ts'
import { journalRoutes } from './journal.ts'
import type { ControlRoute } from './route.ts'
import { scenarioRoutes } from './scenarios.ts'
import { serverRoutes } from './server.ts'
import { worldRoutes } from './world.ts'
import { isolatedWorldRoutes } from './worlds.ts'

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

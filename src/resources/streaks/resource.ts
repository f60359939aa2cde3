import { defineResource } from '../define.ts'
import * as routes from './routes.ts'

export const streaks = defineResource({
  name: 'streaks',
  groups: { Activity: { about: 'Activity of a creator by day.' } },
  routes: routes.streakRoutes,
  schemas: [routes],
})

import { defineResource } from '../define.ts'
import { streakRoutes } from './routes.ts'
import * as schemas from './schemas.ts'

export const streaks = defineResource({
  name: 'streaks',
  groups: { Activity: { about: 'Activity of a creator by day.' } },
  routes: streakRoutes,
  schemas: [schemas],
})

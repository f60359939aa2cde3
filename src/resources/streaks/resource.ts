import { defineResource } from '../define.ts'
import { streakRoutes } from './routes.ts'
import * as schemas from './schemas.ts'

export const streaks = defineResource({
  name: 'streaks',
  groups: { Activity: { about: 'The days on which a creator did something.' } },
  routes: streakRoutes,
  schemas: [schemas],
})

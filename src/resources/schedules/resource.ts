import { defineResource } from '../define.ts'
import { scheduleRoutes } from './routes.ts'
import * as schemas from './schemas.ts'

export const schedules = defineResource({
  name: 'schedules',
  groups: { Schedules: { about: 'Scheduled posts and mass messages.' } },
  routes: scheduleRoutes,
  schemas: [schemas],
  examples: ({ own }) => {
    const { id } = own('posts', { status: 'scheduled' })
    return { address: { item_id: typeof id === 'number' ? id * 2 : undefined } }
  },
})

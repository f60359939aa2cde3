import { defineResource } from '../define.ts'
import * as routes from './routes.ts'

export const schedules = defineResource({
  name: 'schedules',
  groups: { Schedules: { about: 'Scheduled posts and mass messages.' } },
  routes: routes.scheduleRoutes,
  schemas: [routes],
  examples: ({ own }) => {
    const { id } = own('posts', { status: 'scheduled' })
    return { address: { item_id: typeof id === 'number' ? id * 2 : undefined } }
  },
})

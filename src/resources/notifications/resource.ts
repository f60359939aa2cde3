import { defineResource } from '../define.ts'
import { notificationRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { notificationSizes } from './notifications.table.ts'

export const notifications = defineResource({
  name: 'notifications',
  groups: { Notifications: { about: 'Notifications, their toggles and their tabs.' } },
  routes: notificationRoutes,
  schemas: [schemas],
  examples: () => ({ body: { notifications: {} } }),
  sizes: notificationSizes,
})

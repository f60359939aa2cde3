import { defineResource } from '../define.ts'
import * as routes from './routes.ts'

export const uploads = defineResource({
  name: 'uploads',
  groups: { 'Media Upload': { about: 'Uploads to the vault.' } },
  routes: routes.uploadRoutes,
  schemas: [routes],
  examples: () => ({
    body: {
      key: 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/photo.jpg',
      parts: 1,
      contentType: 'image/jpeg',
    },
  }),
})

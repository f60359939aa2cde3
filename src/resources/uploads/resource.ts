import { defineResource } from '../define.ts'
import { uploadRoutes } from './routes.ts'
import * as schemas from './schemas.ts'

export const uploads = defineResource({
  name: 'uploads',
  groups: { 'Media Upload': { about: 'Uploads to the vault.' } },
  routes: uploadRoutes,
  schemas: [schemas],
  examples: () => ({
    body: {
      key: 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/photo.jpg',
      parts: 1,
      contentType: 'image/jpeg',
    },
  }),
})

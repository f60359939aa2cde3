import { defineResource } from '../define.ts'
import { massMessageInvariants } from './mass-messages.ts'
import { massMessageQueueRoutes, massMessageRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { massMessageSizes } from './mass-messages.table.ts'

export const massMessages = defineResource({
  name: 'mass-messages',
  groups: {
    'Mass Messages': {
      about: 'Messages to many fans at once.',
      examples: ({ own }) => ({
        address: { message_id: own('massMessages', { state: 'sent' })['id'] },
      }),
    },
  },
  routes: [...massMessageRoutes, ...massMessageQueueRoutes],
  schemas: [schemas],
  examples: ({ own }) => ({
    address: { queue_id: own('massMessages', { state: 'queued' })['id'] },
    body: { userLists: ['fans'] },
  }),
  sizes: massMessageSizes,
  invariants: massMessageInvariants,
})

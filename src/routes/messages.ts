import { z } from 'zod'
import { attachTags, requireMessage } from '../model/chats.ts'
import { defineRoute } from '../route.ts'
import { bodyId, pathId, Success } from '../schemas/common.ts'

const userIds = z.array(bodyId).optional()

const attachTagsRoute = defineRoute({
  method: 'POST',
  path: '/v1/:account_id/messages/:message_id/attach-tags',
  group: 'Messages',
  permission: 'api_messages_attach_tags',
  kind: 'relay',
  source: 'reference §4 Messages and chats',
  summary: 'Attach release-form tags to a sent message',
  rules: ['A key that is left out is left alone; an empty array clears; null is 400.'],
  params: z.object({ message_id: pathId }),
  body: z.object({
    rfTag: userIds.describe('Creator user ids.'),
    rfPartner: userIds.describe('Partner ids.'),
    rfGuest: userIds.describe('Guest ids.'),
  }),
  data: Success,
  handle({ world, account, params, body }) {
    attachTags(world, requireMessage(world, account, params.message_id), body)
    return { success: true as const }
  },
})

export const messageRoutes = [attachTagsRoute]

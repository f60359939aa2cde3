import { z } from 'zod'
import { hideChat, requireChat } from '../model/chats.ts'
import { defineRoute } from '../route.ts'
import { pathId, Success } from '../schemas/common.ts'

const hideChatRoute = defineRoute({
  method: 'POST',
  path: '/v1/:account_id/chats/:chat_id/hide',
  group: 'Chats',
  permission: 'api_chats_hide',
  kind: 'relay',
  source: 'reference §4 Messages and chats',
  summary: 'Hide a chat until the fan writes again',
  rules: ["chat_id is the chat's own id; the fan's user id is 404.", 'The conversation is never deleted by hiding.'],
  params: z.object({ chat_id: pathId }),
  data: Success,
  handle({ world, account, params }) {
    hideChat(world, requireChat(world, account, params.chat_id))
    return { success: true as const }
  },
})

export const chatRoutes = [hideChatRoute]

import { defineResource } from '../define.ts'
import { toChatFilterKey, chatSizes } from './chats.table.ts'
import { chatInvariants, deriveChatPaymentFlags } from './payments.ts'
import { chatRoutes } from './routes.ts'
import * as schemas from './view.ts'

export const chats = defineResource({
  name: 'chats',
  groups: { Chats: { about: 'Conversations with fans.' } },
  routes: chatRoutes,
  schemas: [schemas],
  examples: ({ own }) => ({ address: { chat_id: own('chats')['id'] } }),
  sizes: chatSizes,
  completeRecords: deriveChatPaymentFlags,
  figures: {
    unread: {
      label: 'Unread chats',
      unit: 'count',
      read: ({ db }, { accounts }) =>
        accounts.reduce(
          (sum, id) => sum + db.chats.in('shown', toChatFilterKey(id, 'unread')).size,
          0,
        ),
    },
  },
  invariants: chatInvariants,
})

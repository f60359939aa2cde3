import { defineResource } from '../define.ts'
import { toChatFilterKey } from './chats.table.ts'
import { createLastMessageUpdater } from './chats.ts'
import { chatInvariants } from './invariants.ts'
import { deriveChatPaymentFlags, createChatPaymentUpdater } from './payments.ts'
import { chatRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { chatSizes } from './sizes.ts'

export const chats = defineResource({
  name: 'chats',
  groups: { Chats: { about: 'Conversations with fans.' } },
  routes: chatRoutes,
  schemas: [schemas],
  examples: ({ own }) => ({ address: { chat_id: own('chats')['id'] } }),
  sizes: chatSizes,
  completeRecords: deriveChatPaymentFlags,
  listeners: [
    {
      name: 'payments in chats',
      after: ['spend of fans'],
      attach: (world) => world.db.transactions.onChange(createChatPaymentUpdater(world)),
    },
    {
      name: 'last messages of chats',
      after: ['sold messages', 'views of mass messages'],
      attach: (world) => world.db.messages.onChange(createLastMessageUpdater(world)),
    },
  ],
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

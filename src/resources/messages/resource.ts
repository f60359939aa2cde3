import { defineResource } from '../define.ts'
import { readMessages, writeMessage } from './actions.ts'
import { messageInvariants } from './message-purchases.ts'
import { messageRoutes } from './routes.ts'
import * as schemas from './schemas.ts'

export const messages = defineResource({
  name: 'messages',
  groups: { Messages: { about: 'Messages in a conversation.' } },
  routes: messageRoutes,
  schemas: [schemas],
  examples: ({ own }) => ({
    address: {
      message_id: own('messages', { fanId: own('chats')['fanId'], isFromFan: false, isTip: false })[
        'id'
      ],
      query: 'you',
    },
  }),
  actions: [writeMessage, readMessages],
  invariants: messageInvariants,
})

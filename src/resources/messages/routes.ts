import { z } from 'zod'
import { bodyId, listLimit, offset, pathId, queryInteger, Success } from '../../lib/fields.ts'
import { page } from '../../api/route.ts'
import { invalidParameter } from '../../errors.ts'
import { defineRoute } from '../define.ts'
import { findChat, requireChatWith } from '../chats/chats.ts'
import { messageContent } from './content.ts'
import { readMessages, searchMessages } from './list.ts'
import {
  requireMessage,
  requireMessageIn,
  requireRepliable,
  requireWritable,
  sendMessage,
} from './messages.ts'
import {
  MessageBody,
  MessageItem,
  MessagePage,
  skipUsers,
  taggedPeople,
  WithUser,
} from './schemas.ts'
import { messageItem } from './view.ts'
import { attachTags, likeMessage, pinMessage, unsendMessage } from './writes.ts'

const ofMessages = { group: 'Messages', kind: 'relay', source: 'inferred' } as const
const byAnalogy = {
  evidence: "named in the service's own older reference; path by analogy with like",
}
const sibling = "named in the service's own older reference; path and fields from a sibling service"
const chatParams = () => z.object({ user_id: pathId.describe("The fan's user id.") })
const inChatParams = () =>
  z.object({ user_id: pathId.describe("The fan's user id."), message_id: pathId })
const messageParams = () => z.object({ message_id: pathId })
const withUser = () => z.object({ withUserId: bodyId.describe("The fan of the message's chat.") })
const messageId = () => queryInteger({ min: 0 }).optional()
const wrongUser = "withUserId must be the fan of the message's chat. Otherwise 400."
const noChat =
  'The list is empty for a fan without messages. A user whom the account does not know is 404.'

const listMessages = defineRoute({
  ...ofMessages,
  method: 'GET',
  path: '/v1/:account_id/chats/:user_id/messages',
  newestFirst: 'createdAt',
  permission: 'api_messages_list',
  source: 'published',
  summary: 'List the messages of a chat',
  errors: ['fan_unknown'],
  rules: [
    'Newest first, or oldest first with order asc.',
    'first_id starts at that message and continues with older ones, only with order desc. ' +
      'last_id starts at that message and continues with newer ones, only with order asc. Other ' +
      'combinations are 400. id is the last message of the previous page.',
    'The next page always contains limit, order and skip_users, even if they are the defaults.',
    noChat,
  ],
  pagination: { next: 'address', last: 'omitted' },
  params: chatParams,
  query: () =>
    z.object({
      limit: listLimit,
      order: z.enum(['desc', 'asc']).default('desc'),
      skip_users: skipUsers,
      id: messageId().describe('The last message of the previous page.'),
      first_id: messageId().describe('With order desc: the first message to return.'),
      last_id: messageId().describe('With order asc: the first message to return.'),
      filter: z.enum(['pinned']).optional(),
    }),
  data: MessagePage,
  handle({ world, account, params, query }) {
    const { limit, order, id, first_id: firstId, last_id: lastId } = query
    if (firstId !== undefined && order === 'asc')
      throw invalidParameter(
        'Query parameter',
        'first_id',
        firstId,
        'it must be left out when order is asc',
      )
    if (lastId !== undefined && order === 'desc')
      throw invalidParameter(
        'Query parameter',
        'last_id',
        lastId,
        'it must be left out when order is desc',
      )
    const chat = findChat(world, account, params.user_id)
    if (chat === undefined) return page({ list: [], hasMore: false }, null)
    const { rows, hasMore } = readMessages(world, chat, {
      limit,
      order,
      id,
      firstId,
      lastId,
      isPinned: query.filter === 'pinned',
    })
    const list = rows.map((message) => world.json(messageItem, message, query.skip_users))
    return page(
      { list, hasMore },
      hasMore ? { limit, order, skip_users: query.skip_users, id: rows.at(-1)?.id ?? 0 } : null,
    )
  },
})

const readMessage = defineRoute({
  ...ofMessages,
  method: 'GET',
  path: '/v1/:account_id/chats/:user_id/messages/:message_id',
  permission: 'api_messages_read',
  source: 'published',
  summary: 'Read one message',
  errors: ['message_unknown', 'chat_with_unknown'],
  rules: ['A message of another chat is 404.'],
  params: inChatParams,
  data: MessageItem,
  handle: ({ world, account, params }) =>
    world.json(
      messageItem,
      requireMessageIn(world, requireChatWith(world, account, params.user_id), params.message_id),
      'all',
    ),
})

const sendMessageRoute = defineRoute({
  ...ofMessages,
  method: 'POST',
  path: '/v1/:account_id/chats/:user_id/messages',
  permission: 'api_messages_send',
  evidence:
    "permission named in the service's own older reference; path by analogy with the list, " +
    'fields from a sibling service',
  summary: 'Send a message to a fan',
  errors: ['fan_unknown', 'fan_blocked'],
  rules: [
    "The first message to a fan creates the chat. A hidden chat stays hidden: only the fan's " +
      'message brings it back.',
    'price is 0 or from 3 to 200, in whole cents, and needs mediaFiles. previews lists only ' +
      'ids of mediaFiles. replyToMessageId is a message of the same chat.',
    'Its media are transcoded again. Until then, all posts and messages show them as not ready.',
    '403 for a fan whom the account has blocked.',
  ],
  params: chatParams,
  body: () => z.lazy(() => MessageBody.unwrap().extend({ replyToMessageId: bodyId.optional() })),
  data: MessageItem,
  handle({ world, account, params, body }) {
    requireWritable(world, account, params.user_id)
    const content = messageContent(world, account, body)
    const { replyToMessageId } = body
    if (replyToMessageId !== undefined)
      requireRepliable(world, account, { fanId: params.user_id, replyToMessageId })
    return messageItem(
      world,
      sendMessage(world, account, params.user_id, { content, replyToMessageId }),
    )
  },
})

const searchRoute = defineRoute({
  ...ofMessages,
  method: 'GET',
  path: '/v1/:account_id/chats/:user_id/messages/search',
  permission: 'api_messages_search',
  evidence: sibling,
  summary: 'Search the messages of a chat',
  errors: ['fan_unknown'],
  rules: ['Newest first. It searches the plain text, case-insensitive.', noChat],
  pagination: { next: 'address', last: 'omitted' },
  params: chatParams,
  query: () =>
    z.object({
      query: z.string().min(1).max(200).describe('Text to find.'),
      limit: listLimit,
      offset,
    }),
  data: MessagePage,
  handle({ world, account, params, query }) {
    const chat = findChat(world, account, params.user_id)
    if (chat === undefined) return page({ list: [], hasMore: false }, null)
    const { rows, hasMore, next } = searchMessages(world, chat, {
      text: query.query,
      offset: query.offset,
      limit: query.limit,
    })
    return page(
      { list: rows.map((message) => world.json(messageItem, message, 'all')), hasMore },
      next,
    )
  },
})

const unsendRoute = defineRoute({
  ...ofMessages,
  method: 'DELETE',
  path: '/v1/:account_id/messages/:message_id',
  permission: 'api_messages_unsend',
  source: 'published',
  summary: 'Unsend a message',
  errors: ['message_unknown', 'message_of_fan', 'unsend_over'],
  rules: [
    'Possible within 24 hours of sending: cancelSeconds of the message counts down. Later, ' +
      "and for a fan's message, 403.",
    'No route shows the message any more. Payments for it stay.',
  ],
  params: messageParams,
  data: Success,
  handle({ world, account, params }) {
    unsendMessage(world, requireMessage(world, account, params.message_id))
    return { success: true as const }
  },
  async rehearse({ account, ask }) {
    const chats = await ask(
      z.object({ list: z.array(z.object({ withUser: z.object({ id: z.int() }) })) }),
      {
        method: 'GET',
        address: `/v1/${account}/chats?limit=1`,
      },
    )
    const fan = chats.data.list[0]?.withUser.id
    const sent = await ask(z.object({ id: z.int() }), {
      method: 'POST',
      address: `/v1/${account}/chats/${fan}/messages`,
      body: { text: 'Hello' },
    })
    return { address: { message_id: sent.data.id } }
  },
})

/** Flags of a message, with the routes that set and clear them. */
const flags = [
  {
    flag: 'like',
    undo: 'unlike',
    mark: likeMessage,
    summaries: { set: 'Like a message', clear: 'Unlike a message' },
    known: { set: { source: 'published' }, clear: byAnalogy },
  },
  {
    flag: 'pin',
    undo: 'unpin',
    mark: pinMessage,
    summaries: { set: 'Pin a message in its chat', clear: 'Unpin a message' },
    known: { set: byAnalogy, clear: byAnalogy },
  },
] as const

const flagRoutes = flags.flatMap(({ flag, undo, mark, summaries, known }) =>
  ([true, false] as const).map((isSet) =>
    defineRoute({
      ...ofMessages,
      method: isSet ? 'POST' : 'DELETE',
      path: `/v1/:account_id/messages/:message_id/${flag}`,
      permission: `api_messages_${isSet ? flag : undo}`,
      ...(isSet ? known.set : known.clear),
      summary: isSet ? summaries.set : summaries.clear,
      errors: ['message_unknown'],
      rules: [wrongUser],
      params: messageParams,
      body: withUser,
      data: WithUser,
      handle({ world, account, params, body }) {
        const message = requireMessage(world, account, params.message_id)
        if (message.fanId !== body.withUserId)
          throw invalidParameter(
            'Body field',
            'withUserId',
            body.withUserId,
            "it must be the fan of the message's chat",
          )
        mark(world, message, isSet)
        return { withUserId: body.withUserId }
      },
    }),
  ),
)

const attachTagsRoute = defineRoute({
  method: 'POST',
  path: '/v1/:account_id/messages/:message_id/attach-tags',
  group: 'Messages',
  permission: 'api_messages_attach_tags',
  kind: 'relay',
  source: 'reference §4 Messages and chats',
  summary: 'Attach release-form tags to a sent message',
  errors: ['message_unknown', 'message_of_fan'],
  rules: [
    'Omitted keys do not change. An empty array clears the list. null is 400.',
    "Ids must be positive and unique, at most 100 of each kind. 403 for a fan's message.",
  ],
  params: messageParams,
  body: () =>
    z
      .object({
        rfTag: taggedPeople.optional().describe('Creator user ids.'),
        rfPartner: taggedPeople.optional().describe('Partner ids.'),
        rfGuest: taggedPeople.optional().describe('Guest ids.'),
      })
      .meta({ examples: [{ rfPartner: [218000006], rfGuest: [] }] }),
  data: Success,
  handle({ world, account, params, body }) {
    attachTags(world, requireMessage(world, account, params.message_id), body)
    return { success: true as const }
  },
})

export const messageRoutes = [
  listMessages,
  searchRoute,
  readMessage,
  sendMessageRoute,
  unsendRoute,
  ...flagRoutes,
  attachTagsRoute,
]

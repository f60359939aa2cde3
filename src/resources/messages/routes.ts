import { z } from 'zod'
import {
  bodyId,
  listLimit,
  offset,
  pathId,
  optionalInteger,
  taggedPeople,
} from '../../lib/fields.ts'
import { Page } from '../../api/route.ts'
import { createBodyFieldError, createQueryParameterError } from '../../errors.ts'
import { createRouteDefiner } from '../define.ts'
import { findChat, requireChatWith } from '../chats/chats.ts'
import {
  readMessageContent,
  setMessageTags,
  setMessageLiked,
  setMessagePinned,
  unsendMessage,
  toMessageItem,
} from './view.ts'
import { readMessages, searchMessages } from './list.ts'
import {
  requireMessage,
  requireChatMessage,
  requireCanReply,
  requireCanWrite,
  sendMessage,
} from './messages.ts'
import { MessageBody, MessageItem, MessagePage, skipUsers, WithUser } from './schemas.ts'

const defineRoute = createRouteDefiner({ group: 'Messages' })
const byAnalogy = {
  evidence: "named in the service's own older reference; path by analogy with like",
}
const sibling = "named in the service's own older reference; path and fields from a sibling service"
const chatParams = () => z.object({ user_id: pathId.describe("The fan's user id.") })
const inChatParams = () =>
  z.object({ user_id: pathId.describe("The fan's user id."), message_id: pathId })
const withUser = () =>
  z.object({ withUserId: bodyId.describe("The id of the fan in the message's chat.") })
const wrongUser = "Returns 400 if withUserId is not the fan of the message's chat."
const noChat =
  'Returns an empty list for a fan without messages, and 404 if the user is not a fan of the ' +
  'account.'

const listMessages = defineRoute({
  id: 'GET /v1/:account_id/chats/:user_id/messages',
  newestFirst: 'createdAt',
  permission: 'api_messages_list',
  source: 'published',
  summary: 'List the messages of a chat',
  errors: ['fan_unknown'],
  rules: [
    'Newest first, or oldest first with order=asc.',
    'With order=desc, the list starts at the message first_id, if given, and continues with ' +
      'older messages. With order=asc, the list starts at the message last_id, if given, and ' +
      'continues with newer messages. All other combinations of order, first_id and last_id ' +
      'return 400. id is the last message of the previous page.',
    'next_page always contains limit, order and skip_users, even if they are the defaults.',
    noChat,
  ],
  pagination: { next: 'address', last: 'omitted' },
  params: chatParams,
  query: () => ({
    limit: listLimit,
    order: z.enum(['desc', 'asc']).default('desc'),
    skip_users: skipUsers,
    id: optionalInteger.describe('The id of the last message on the previous page.'),
    first_id: optionalInteger.describe('With order=desc: the id of the first message on the page.'),
    last_id: optionalInteger.describe('With order=asc: the id of the first message on the page.'),
    filter: z.enum(['pinned']).optional(),
  }),
  data: MessagePage,
  handle({ world, account, params, query }) {
    const { limit, order, id, first_id: firstId, last_id: lastId } = query
    if (firstId !== undefined && order === 'asc')
      throw createQueryParameterError({ first_id: firstId }, 'it must be left out if order is asc')
    if (lastId !== undefined && order === 'desc')
      throw createQueryParameterError({ last_id: lastId }, 'it must be left out if order is desc')
    const chat = findChat(world, account, params.user_id)
    if (chat === undefined) return new Page({ list: [], hasMore: false }, null)
    const { rows, hasMore } = readMessages(world, chat, {
      limit,
      order,
      id,
      firstId,
      lastId,
      isPinned: query.filter === 'pinned',
    })
    const list = rows.map((message) => world.json(toMessageItem, message, query.skip_users))
    return new Page(
      { list, hasMore },
      hasMore ? { limit, order, skip_users: query.skip_users, id: rows.at(-1)?.id ?? 0 } : null,
    )
  },
})

const readMessage = defineRoute({
  id: 'GET /v1/:account_id/chats/:user_id/messages/:message_id',
  permission: 'api_messages_read',
  source: 'published',
  summary: 'Read one message',
  errors: ['message_unknown', 'chat_with_unknown'],
  rules: ['Returns 404 for a message in another chat.'],
  params: inChatParams,
  data: MessageItem,
  handle: ({ world, account, params }) =>
    world.json(
      toMessageItem,
      requireChatMessage(world, requireChatWith(world, account, params.user_id), params.message_id),
      'all',
    ),
})

const sendMessageRoute = defineRoute({
  id: 'POST /v1/:account_id/chats/:user_id/messages',
  permission: 'api_messages_send',
  evidence:
    "permission named in the service's own older reference; path by analogy with the list, " +
    'fields from a sibling service',
  summary: 'Send a message to a fan',
  errors: ['fan_unknown', 'fan_blocked', 'fan_closed', 'fan_deleted'],
  rules: [
    'The first message to a fan creates the chat. A hidden chat stays hidden until the fan writes.',
    'price is 0 or from 3 to 200, in whole cents. A price above 0 requires mediaFiles. previews ' +
      'contains only ids of mediaFiles. replyToMessageId is a message of the same chat.',
    'The media are transcoded again. Until the transcoding is finished, all posts and messages ' +
      'that contain these media show them as not ready.',
    'Returns 403 if the account has blocked the fan, or the fan has closed their profile.',
  ],
  params: chatParams,
  body: () => z.lazy(() => MessageBody.unwrap().extend({ replyToMessageId: bodyId.optional() })),
  data: MessageItem,
  handle({ world, account, params, body }) {
    requireCanWrite(world, account, params.user_id)
    const content = readMessageContent(world, account, body)
    const { replyToMessageId } = body
    if (replyToMessageId !== undefined)
      requireCanReply(world, account, { fanId: params.user_id, replyToMessageId })
    return toMessageItem(
      world,
      sendMessage(world, account, params.user_id, { content, replyToMessageId }),
    )
  },
})

const searchRoute = defineRoute({
  id: 'GET /v1/:account_id/chats/:user_id/messages/search',
  permission: 'api_messages_search',
  evidence: sibling,
  summary: 'Search the messages of a chat',
  errors: ['fan_unknown'],
  rules: ['Searches the plain text of messages, ignoring case. Newest first.', noChat],
  pagination: { next: 'address', last: 'omitted' },
  params: chatParams,
  query: () => ({
    query: z.string().min(1).max(200).describe('Search text.'),
    limit: listLimit,
    offset,
  }),
  data: MessagePage,
  handle({ world, account, params, query }) {
    const chat = findChat(world, account, params.user_id)
    if (chat === undefined) return new Page({ list: [], hasMore: false }, null)
    const { rows, hasMore, next } = searchMessages(world, chat, {
      text: query.query,
      offset: query.offset,
      limit: query.limit,
    })
    return new Page(
      { list: rows.map((message) => world.json(toMessageItem, message, 'all')), hasMore },
      next,
    )
  },
})

const unsendRoute = defineRoute({
  id: 'DELETE /v1/:account_id/messages/:message_id',
  permission: 'api_messages_unsend',
  source: 'published',
  evidence:
    '403 for a bought message by analogy with mass messages, whose buyers keep their copies',
  summary: 'Unsend a message',
  errors: ['message_unknown', 'message_of_fan', 'message_bought', 'unsend_over'],
  rules: [
    'A message can be unsent within 24 hours. cancelSeconds is the remaining time. Returns ' +
      '403 for an older message and for a message from the fan.',
    'Returns 403 for a message that the fan has bought, until the payment is refunded. Its ' +
      'cancelSeconds is 0.',
    'No route returns an unsent message.',
  ],
  handle({ world, account, params }) {
    unsendMessage(world, requireMessage(world, account, params.message_id))
  },
  async prepareExample({ account, ask }) {
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
    mark: setMessageLiked,
    summaries: { set: 'Like a message', clear: 'Unlike a message' },
    known: { set: { source: 'published' }, clear: byAnalogy },
  },
  {
    flag: 'pin',
    undo: 'unpin',
    mark: setMessagePinned,
    summaries: { set: 'Pin a message in its chat', clear: 'Unpin a message' },
    known: { set: byAnalogy, clear: byAnalogy },
  },
] as const

const flagRoutes = flags.flatMap(({ flag, undo, mark, summaries, known }) =>
  ([true, false] as const).map((isSet) =>
    defineRoute({
      id: `${isSet ? 'POST' : 'DELETE'} /v1/:account_id/messages/:message_id/${flag}`,
      permission: `api_messages_${isSet ? flag : undo}`,
      ...(isSet ? known.set : known.clear),
      summary: isSet ? summaries.set : summaries.clear,
      errors: ['message_unknown'],
      rules: [wrongUser],
      body: withUser,
      data: WithUser,
      handle({ world, account, params, body }) {
        const message = requireMessage(world, account, params.message_id)
        if (message.fanId !== body.withUserId)
          throw createBodyFieldError(
            { withUserId: body.withUserId },
            "it must be the fan of the message's chat",
          )
        mark(world, message, isSet)
        return { withUserId: body.withUserId }
      },
    }),
  ),
)

const attachTagsRoute = defineRoute({
  id: 'POST /v1/:account_id/messages/:message_id/attach-tags',
  permission: 'api_messages_attach_tags',
  source: 'reference §4 Messages and chats',
  summary: 'Attach release-form tags to a sent message',
  errors: ['message_unknown', 'message_of_fan'],
  rules: [
    'Omitted keys keep their values. An empty array clears the list. null returns 400.',
    "Ids must be positive and unique, at most 100 of each kind. Returns 403 for a fan's message.",
  ],
  body: () =>
    z
      .object({
        rfTag: taggedPeople.optional().describe('Creator user ids.'),
        rfPartner: taggedPeople.optional().describe('Partner ids.'),
        rfGuest: taggedPeople.optional().describe('Guest ids.'),
      })
      .meta({ examples: [{ rfPartner: [218000006], rfGuest: [] }] }),
  handle({ world, account, params, body }) {
    setMessageTags(world, requireMessage(world, account, params.message_id), body)
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

import { toHtml } from '../../lib/text.ts'
import { defineFactory } from '../define.ts'
import type { FactoryContext } from '../define.ts'
import { toLocalDate } from '../../seed/local-time.ts'
import { getPersona, requireTexts } from '../../seed/texts.ts'
import { drawChatText } from '../chats/exchanges.ts'
import { findChatWith } from '../chats/chats.ts'
import { resolveAccountId } from '../subscribers/find-subscription.ts'
import { pickPhoto } from '../vault/vault.ts'

/**
 * Fills in missing fields of messages. By default, a message is free and sent by the creator. A
 * paid message gets one picture.
 */
export const messageFactory = defineFactory({
  name: 'message',
  table: 'messages',
  time: 'createdAt',
  complete(given, context) {
    const { world, iso, random } = context
    const chatId = given.chatId ?? resolveChatId(context, given)
    const chat = world.db.chats.get(chatId)
    const accountId = context.accountId({ ...given, chatId })
    const {
      isFromFan = false,
      price = 0,
      mediaFiles = price > 0 && !isFromFan ? pickPhoto(context, accountId) : [],
    } = given
    const texts = requireTexts(world)
    const persona = getPersona(texts, world.db.accounts.get(accountId))
    const fanId = given.fanId ?? chat?.fanId ?? 0
    const text = drawChatText(random, texts, {
      persona,
      account: world.db.accounts.get(accountId) ?? { name: '' },
      fan: world.db.fans.get(fanId),
      isFromFan,
      local: toLocalDate(persona, context.at),
    })
    return {
      id: given.id ?? createMessageId(context, chatId),
      accountId,
      chatId,
      fanId,
      isFromFan,
      text: toHtml(text),
      mediaFiles: [...mediaFiles],
      createdAt: iso,
      changedAt: iso,
    }
  },
})

/**
 * Returns the chat that a message belongs to: the chat with the given fan, or the account's only
 * chat if no fan is given.
 */
function resolveChatId(
  context: FactoryContext,
  given: { accountId?: number; fanId?: number },
): number {
  const { world } = context
  const accountId = resolveAccountId(context, given)
  if (given.fanId === undefined)
    return context.only(
      'chatId',
      world.db.chats.in('byAccount', accountId).walk(),
      `chat of the account ${accountId}`,
    )
  const chat = findChatWith(world, accountId, given.fanId)
  return context.only(
    'chatId',
    chat === undefined ? [] : [chat],
    `chat of the account ${accountId} with the fan ${given.fanId}`,
  )
}

/**
 * Returns an id for a message at a given time. Ids in a chat increase with time, so the id must be
 * between those of the previous and the next message.
 */
function createMessageId(context: FactoryContext, chatId: number): number {
  const { db } = context.world
  const messages = db.messages.in('byChat', chatId)
  const place = messages.findPartitionPoint(({ createdAt }) => createdAt <= context.iso)
  const [later, earlier] = [messages.at(place - 1), messages.at(place)]
  if (later === undefined) return context.id
  for (let id = later.id - 1; id > (earlier?.id ?? 0); id -= 1)
    if (db.messages.get(id) === undefined) return id
  throw context.missing(
    'id',
    `there is no free id between the messages ${earlier?.id ?? 0} and ${later.id} of the chat. ` +
      'Give another time',
  )
}

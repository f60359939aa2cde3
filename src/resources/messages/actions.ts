import { z } from 'zod'
import { lazyStrictObject } from '../../lib/fields.ts'
import {
  chooseFan,
  pickRecentRow,
  getFanName,
  createMissingRecordError,
  fanId,
} from '../effects/pick-records.ts'
import { markFreeMessagesAsRead, sendFanMessage } from '../effects/fan-activity.ts'
import { accountId, requireAccount } from '../../api/action.ts'
import { truncateText, toHtml } from '../../lib/text.ts'
import { defineAction } from '../define.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { toLocalDate } from '../../seed/local-time.ts'
import type { Persona } from '../../seed/persona.ts'
import { getPersona, requireTexts } from '../../seed/texts.ts'
import type { World } from '../world.ts'
import type { Chat } from '../chats/chats.table.ts'
import { findChatWith } from '../chats/chats.ts'
import { drawChatText } from '../chats/exchanges.ts'
import { findSubscription } from '../subscribers/find-subscription.ts'
import { isListed } from '../subscribers/subscriptions.table.ts'

export const writeMessage = defineAction({
  type: 'message.from_fan',
  summary:
    'A fan sends a chat message, which arrives unread. If the chat is hidden, it becomes visible',
  schema: lazyStrictObject(() => ({
    account_id: accountId,
    fan_id: fanId,
    text: z.string().min(1).max(5000).optional().describe('Plain text. Default: a random value.'),
  })),
  effect(world, { account_id, fan_id, text: requestedText }) {
    const account = requireAccount(world, account_id)
    const persona = getPersona(requireTexts(world), account)
    const { fanId: fan } = chooseFan(world, account, { fan_id })
    const text = requestedText ?? drawFanText(world, { account, fan, persona })
    const { id, chatId } = sendFanMessage(world, account.id, fan, toHtml(text))
    return {
      happened: `${getFanName(world, fan)} wrote to ${account.username}: ${truncateText(text, 60)}`,
      ids: { account: account.id, fan, chat: chatId, message: id },
    }
  },
})

/** A new message should not repeat the latest message of any of this number of recent chats. */
const latestChats = 12
/** Maximum number of attempts to avoid a repetition. */
const maxDraws = 8

/**
 * Picks a random message for a fan to send. Prefers a text that is not the latest message of a
 * recent chat.
 */
function drawFanText(
  world: World,
  { account, fan, persona }: { account: Account; fan: number; persona: Persona },
): string {
  const draw = () =>
    drawChatText(world.random, requireTexts(world), {
      persona,
      account,
      fan: world.db.fans.get(fan),
      isFromFan: true,
      local: toLocalDate(persona, world.clock.now()),
    })
  const said = new Set<string>()
  for (const { lastMessageId } of world.db.chats.in('byAccount', account.id).walk()) {
    said.add(world.db.messages.get(lastMessageId)?.text ?? '')
    if (said.size >= latestChats) break
  }
  let text = draw()
  for (let draws = 1; draws < maxDraws && said.has(toHtml(text)); draws += 1) text = draw()
  return text
}

export const readMessages = defineAction({
  type: 'message.read',
  summary: "A fan reads the creator's messages. Paid messages stay locked",
  schema: lazyStrictObject(() => ({
    account_id: accountId,
    fan_id: fanId.describe(
      'The id of a fan with a chat. Default: a random fan with unread messages.',
    ),
  })),
  effect(world, { account_id, fan_id }) {
    const account = requireAccount(world, account_id)
    const fan =
      fan_id === undefined
        ? pickRecentRow(world, world.db.chats.in('byAccount', account.id), (chat) =>
            isWaiting(world, chat),
          )?.fanId
        : chooseFan(world, account, { fan_id }).fanId
    if (fan === undefined)
      throw createMissingRecordError(account, 'fan with messages to read: send one through the API')
    const chat = findChatWith(world, account.id, fan)
    if (chat === undefined)
      throw createMissingRecordError(
        account,
        `chat with fan ${fan}: send a message through the API`,
      )
    const count = markFreeMessagesAsRead(world, account.id, fan)
    return {
      happened:
        `${getFanName(world, fan)} read ${count === 1 ? '1 message' : `${count} messages`} of ` +
        `${account.username}`,
      ids: { account: account.id, fan, chat: chat.id },
    }
  },
})

/** True if the fan has access to the chat's newest message and has not read it. */
function isWaiting(world: World, chat: Chat): boolean {
  const newest = world.db.messages.in('byChat', chat.id).at(0)
  const subscription = findSubscription(world, chat.accountId, chat.fanId)
  return (
    newest !== undefined &&
    !newest.isFromFan &&
    !newest.isViewed &&
    subscription !== undefined &&
    isListed(subscription)
  )
}

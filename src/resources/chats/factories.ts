import { SandboxError } from '../../errors.ts'
import { defineFactory } from '../define-factory.ts'
import { resolveAccountAndFan } from '../subscribers/account-and-fan.ts'
import { findChatWith, computeChatSpending } from './chats.ts'

/** Fills in missing fields of chats. By default, a chat has no messages. */
const chatFactory = defineFactory({
  name: 'chat',
  table: 'chats',
  after: ['subscription'],
  time: 'lastMessageAt',
  complete(given, context) {
    const { world } = context
    const parties = resolveAccountAndFan(
      context,
      given,
      ({ accountId, fanId }) => findChatWith(world, accountId, fanId) === undefined,
    )
    const known = findChatWith(world, parties.accountId, parties.fanId)
    if (known !== undefined)
      throw new SandboxError(
        `Failed to make the chat (fanId: ${parties.fanId}): the account ${parties.accountId} ` +
          `already has chat ${known.id} with that fan. Use that chat.`,
      )
    return {
      ...parties,
      lastMessageAt: context.iso,
      ...computeChatSpending(world, parties.accountId, parties.fanId),
    }
  },
})

export const chatsFactories = [chatFactory] as const

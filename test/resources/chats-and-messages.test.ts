import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'

describe('POST messages/{message_id}/attach-tags', () => {
  it('sets the given tags, clears with an empty array and ignores absent keys (§4)', async () => {
    const client = await openClient()
    const message = client.db.messages.find({ accountId: client.account(), isFromFan: false })!
    const attach = (body: object) => client.post(`messages/${message.id}/attach-tags`, body)
    const stored = () => {
      const { rfTag, rfPartner, rfGuest } = client.db.messages.get(message.id)!
      return { rfTag, rfPartner, rfGuest }
    }
    expect((await attach({ rfTag: [1, 2], rfGuest: [3] })).body.data).toEqual({ success: true })
    expect(stored()).toEqual({ rfTag: [1, 2], rfPartner: [], rfGuest: [3] })
    await attach({ rfTag: [], rfPartner: [9] })
    expect(stored()).toEqual({ rfTag: [], rfPartner: [9], rfGuest: [3] })
    await attach({})
    expect(stored()).toEqual({ rfTag: [], rfPartner: [9], rfGuest: [3] })
  })
})

describe('POST chats/{chat_id}/hide', () => {
  it('hides the chat and keeps the conversation (§3)', async () => {
    const client = await openClient()
    const chat = client.db.chats.find({ accountId: client.account(), isHidden: false })!
    const messages = client.db.messages.where({ chatId: chat.id }).length
    expect((await client.send('POST', `chats/${chat.id}/hide`)).body.data).toEqual({
      success: true,
    })
    expect(client.db.chats.get(chat.id)?.isHidden).toBe(true)
    expect(client.db.messages.where({ chatId: chat.id })).toHaveLength(messages)
  })

  it("returns 404 for the fan's user id instead of the chat id", async () => {
    const client = await openClient()
    const chat = client.db.chats.find({ accountId: client.account() })!
    expect((await client.send('POST', `chats/${chat.fanId}/hide`)).status).toBe(404)
  })
})

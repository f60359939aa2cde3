// Answers each chat with an unread message, once.
import { openApi, writeOnce } from '../api.ts'
import type { Client } from '../api.ts'

const text = 'Thank you!'

export default (async (service) => {
  const api = openApi(service)
  const chats = `/v1/${service.account}/chats`
  for (const { withUser, unreadMessagesCount } of await api.list(`${chats}?limit=20`)) {
    if (unreadMessagesCount === 0) continue
    const messages = `${chats}/${withUser.id}/messages`
    const isAnswered = async () =>
      (await api.list(`${messages}?limit=100`)).some((message) => message.text.includes(text))
    await writeOnce(() => api.post(messages, { text }), isAnswered)
  }
}) satisfies Client

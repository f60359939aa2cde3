// Thanks the fan in each of the three latest chats exactly once.
import { createApiClient, writeOnce } from '../api.ts'
import type { Client } from '../api.ts'

const text = 'Thank you for today!'

export default (async (service) => {
  const api = createApiClient(service)
  const chats = `/v1/${service.account}/chats`
  const latest = (await api.list(`${chats}?limit=100`)).slice(0, 3)
  for (const { withUser } of latest) {
    const messages = `${chats}/${withUser.id}/messages`
    const isSent = async () =>
      (await api.list(`${messages}?limit=100`)).some((message) => message.text.includes(text))
    await writeOnce(() => api.post(messages, { text }), isSent)
  }
}) satisfies Client

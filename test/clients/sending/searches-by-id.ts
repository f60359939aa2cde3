// Searches chats by a fan's id, although the search only matches names.
import { createApiClient } from '../api.ts'
import type { Client } from '../api.ts'

export default (async (service) => {
  const api = createApiClient(service)
  const chats = `/v1/${service.account}/chats`
  for (const { withUser } of (await api.get(`${chats}?limit=3`)).data.list)
    await api.get(`${chats}?query=id:${withUser.id}`)
}) satisfies Client

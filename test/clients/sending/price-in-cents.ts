// Sends a price in cents, although the API expects dollars.
import { createApiClient } from '../api.ts'
import type { Client } from '../api.ts'

export default (async (service) => {
  const api = createApiClient(service)
  const [{ id }] = (await api.get(`/v1/${service.account}/vault/media?limit=1`)).data.list
  const post = { text: 'For you', mediaFiles: [id], price: 999 }
  await api.post(`/v1/${service.account}/posts`, post)
}) satisfies Client

// Builds the URL of a public page from a link's id.
import { createApiClient } from '../api.ts'
import type { Client } from '../api.ts'

export default (async (service) => {
  const api = createApiClient(service)
  const { data: link } = await api.post(`/v1/${service.account}/tracking-links`, { name: 'Bio' })
  await api.post(`/v1/${service.account}/tracking-links/${link.id}/shares`, {})
  await service.fetch(`${service.url}/share/${link.id}`)
}) satisfies Client

// Requests the details of fans one by one, although a single request could return many.
import { createApiClient } from '../api.ts'
import type { Client } from '../api.ts'

export default (async (service) => {
  const api = createApiClient(service)
  for (const { id } of await api.list(`/v1/${service.account}/subscribers?limit=100`))
    await api.get(`/v1/${service.account}/fans?ids=${id}`)
}) satisfies Client

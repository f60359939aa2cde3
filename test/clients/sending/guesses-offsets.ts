// Computes offsets with a page size other than the one requested.
import { createApiClient } from '../api.ts'
import type { Client } from '../api.ts'

export default (async (service) => {
  const api = createApiClient(service)
  const subscribers = `/v1/${service.account}/subscribers?limit=2`
  for (const page of [0, 1, 2]) await api.get(`${subscribers}&offset=${page * 3}`)
}) satisfies Client

// Reads a list in pages of one row.
import { createApiClient } from '../api.ts'
import type { Client, Json } from '../api.ts'

export default (async (service) => {
  const api = createApiClient(service)
  for (let next: string | null = `/v1/${service.account}/posts?limit=1`; next != null;) {
    const page: Json = await api.get(next)
    next = page._pagination?.next_page
  }
}) satisfies Client

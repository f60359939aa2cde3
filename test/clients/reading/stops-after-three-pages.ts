// Reads at most three pages of a list, even if there are more.
import { createApiClient } from '../api.ts'
import type { Client, Json } from '../api.ts'

export default (async (service) => {
  const api = createApiClient(service)
  for (const order of ['publish_date_desc', 'publish_date_asc', 'favorites_count_desc']) {
    let next = `/v1/${service.account}/posts?limit=2&order=${order}`
    for (let count = 0; count < 3 && next !== undefined; count += 1) {
      const page: Json = await api.get(next)
      next = page._pagination?.next_page
    }
  }
}) satisfies Client

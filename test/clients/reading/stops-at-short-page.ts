// Treats a page with fewer rows than the limit as the last one.
import { createApiClient } from '../api.ts'
import type { Client, Json } from '../api.ts'

const limit = 10

export default (async (service) => {
  const api = createApiClient(service)
  let page: Json = await api.get(`/v1/${service.account}/posts?limit=${limit}`)
  const expected = page.data.counters.postsCount
  let count = page.data.list.length
  while (page.data.list.length === limit) {
    page = await api.get(page._pagination.next_page)
    count += page.data.list.length
  }
  if (count !== expected) throw new Error(`${count} of ${expected} posts`)
}) satisfies Client

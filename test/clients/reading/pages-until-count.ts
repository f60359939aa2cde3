// Reads pages until the number of posts equals the count on the latest page.
import { createApiClient } from '../api.ts'
import type { Client, Json } from '../api.ts'

export default (async (service) => {
  const api = createApiClient(service)
  let page: Json = await api.get(`/v1/${service.account}/posts?limit=10`)
  const posts: Json[] = [...page.data.list]
  while (posts.length < page.data.counters.postsCount) {
    page = await api.get(page._pagination.next_page)
    posts.push(...page.data.list)
  }
}) satisfies Client

// Copies all posts with their statistics.
import { openApi } from '../api.ts'
import type { Client, Json } from '../api.ts'

export default (async (service) => {
  const api = openApi(service)
  const feed = `/v1/${service.account}/posts`
  const posts = new Map<number, Date>()
  const first = await api.get(`${feed}?limit=10`)
  for (let page: Json = first; page !== undefined;) {
    for (const { id, postedAt } of page.data.list) posts.set(id, new Date(postedAt))
    const next = page._pagination?.next_page
    page = next == null ? undefined : await api.get(next)
  }
  if (posts.size !== first.data.counters.postsCount) throw new Error(`${posts.size} posts`)
  for (const id of posts.keys()) await api.get(`${feed}/${id}/stats?with_chart=false`)
}) satisfies Client

// Copies all posts with their statistics, preserving ids and times exactly.
import { createApiClient } from '../api.ts'
import type { Client } from '../api.ts'

export default (async (service) => {
  const api = createApiClient(service)
  const feed = `/v1/${service.account}/posts`
  const { counters } = (await api.get(`${feed}?limit=1`)).data
  const posts = await api.list(`${feed}?limit=100`)
  const copies = new Map<number, Date>(posts.map(({ id, postedAt }) => [id, new Date(postedAt)]))
  if (copies.size !== counters.postsCount) throw new Error(`${copies.size} posts`)
  for (const [id, postedAt] of copies) {
    if (Number.isNaN(postedAt.getTime())) throw new Error(`post ${id} has no time`)
    await api.get(`${feed}/${id}/stats?with_chart=false`)
  }
}) satisfies Client

// Publishes a post exactly once: if no response arrives, it looks for the post before a retry.
import { createApiClient, writeOnce } from '../api.ts'
import type { Client } from '../api.ts'

const text = 'New photos tomorrow'

export default (async (service) => {
  const api = createApiClient(service)
  const feed = `/v1/${service.account}/posts`
  const count = async () =>
    (await api.list(`${feed}?limit=100`)).filter((post) => post.rawText === text).length
  await writeOnce(
    () => api.post(feed, { text }),
    async () => (await count()) > 0,
  )
  if ((await count()) !== 1) throw new Error('not published once')
}) satisfies Client

// Treats a failed read as an empty list.
import type { Client } from '../api.ts'

export default (async ({ url, key, account, fetch }) => {
  const response = await fetch(`${url}/v1/${account}/posts?limit=5`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const { data } = (await response.json()) as { data?: { list: unknown[] } }
  const posts = data?.list ?? []
  if (posts.length === 0) throw new Error('This account has no posts.')
}) satisfies Client

// Identifies an error by its message instead of its status.
import type { Client } from '../api.ts'

export default (async ({ url, key, account, fetch }) => {
  const response = await fetch(`${url}/v1/${account}/posts/1`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${key}` },
  })
  const { error = '' } = (await response.json()) as { error?: string }
  const isGone = response.ok || /no post|not found|does not exist/i.test(error)
  if (!isGone) throw new Error(error)
}) satisfies Client

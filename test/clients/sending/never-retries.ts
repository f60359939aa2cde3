// Gives up after the first failure.
import type { Client } from '../api.ts'

export default (async ({ url, key, account, fetch }) => {
  for (const list of ['posts', 'subscribers', 'chats']) {
    const response = await fetch(`${url}/v1/${account}/${list}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    if (!response.ok) throw new Error(`${list}: ${response.status}`)
  }
}) satisfies Client

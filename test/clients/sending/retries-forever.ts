// Repeats a failed request until it succeeds, without a limit.
import { sleep } from '../api.ts'
import type { Client } from '../api.ts'

export default (async ({ url, key, account, fetch }) => {
  const headers = { authorization: `Bearer ${key}` }
  for (const list of ['posts', 'subscribers', 'chats', 'tracking-links', 'user-lists'])
    while (!(await fetch(`${url}/v1/${account}/${list}`, { headers })).ok) await sleep(20)
}) satisfies Client

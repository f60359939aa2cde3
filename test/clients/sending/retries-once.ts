// Repeats a failed request only once.
import { sleep } from '../api.ts'
import type { Client } from '../api.ts'

export default (async ({ url, key, account, fetch }) => {
  const headers = { authorization: `Bearer ${key}` }
  for (const list of ['posts', 'subscribers', 'chats']) {
    let response = await fetch(`${url}/v1/${account}/${list}`, { headers })
    if (!response.ok) {
      await sleep(250)
      response = await fetch(`${url}/v1/${account}/${list}`, { headers })
    }
    if (!response.ok) throw new Error(`${list}: ${response.status}`)
  }
}) satisfies Client

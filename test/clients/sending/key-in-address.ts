// Sends the key in the URL of an export instead of a header.
import type { Client } from '../api.ts'

export default (async ({ url, key, account, fetch }) => {
  const answer = await fetch(`${url}/v1/${account}/tracking-links?limit=100&api_key=${key}`)
  await answer.text()
}) satisfies Client

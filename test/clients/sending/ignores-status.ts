// Ignores the status of a write.
import { createApiClient } from '../api.ts'
import type { Client } from '../api.ts'

export default (async (service) => {
  const { url, key, account, fetch } = service
  const links = `/v1/${account}/tracking-links`
  await fetch(url + links, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Spring' }),
  })
  const rows = await createApiClient(service).list(`${links}?limit=100`)
  if (!rows.some((link) => link.campaignName === 'Spring')) throw new Error('Spring is missing')
}) satisfies Client

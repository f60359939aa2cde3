// Stops reading a link's claimers if hasMore is false, which is the case on every first page.
import { createApiClient } from '../api.ts'
import type { Client, Json } from '../api.ts'

export default (async (service) => {
  const api = createApiClient(service)
  const links = `/v1/${service.account}/tracking-links`
  for (const { id, countSubscribers } of await api.list(`${links}?limit=100`)) {
    let page: Json = await api.get(`${links}/${id}/claimers?limit=100`)
    let count = page.data.list.length
    while (page.data.hasMore) {
      page = await api.get(page._pagination.next_page)
      count += page.data.list.length
    }
    if (count !== countSubscribers) throw new Error(`${count} of ${countSubscribers} claimers`)
  }
}) satisfies Client

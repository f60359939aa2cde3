// Caches image links and never requests them again.
import { createApiClient } from '../api.ts'
import type { Client, Json } from '../api.ts'

export default (async (service) => {
  const { data } = await createApiClient(service).get(`/v1/${service.account}/vault/media?limit=3`)
  const links: string[] = data.list.map(({ files }: Json) => files.thumb.url)
  for (const link of [...links, ...links]) {
    const { ok, status } = await service.fetch(link)
    if (!ok) throw new Error(`image: ${status}`)
  }
}) satisfies Client

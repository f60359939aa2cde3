// Opens the links in a list one by one, however long this takes.
import { createApiClient } from '../api.ts'
import type { Client, Json } from '../api.ts'

export default (async (service) => {
  const { data } = await createApiClient(service).get(`/v1/${service.account}/vault/media?limit=3`)
  const links: string[] = data.list.map(({ files }: Json) => files.full.url)
  for (const link of links) await service.fetch(link)
}) satisfies Client

// Appends a size to an image link.
import { createApiClient } from '../api.ts'
import type { Client } from '../api.ts'

export default (async (service) => {
  const { data } = await createApiClient(service).get(`/v1/${service.account}/vault/media?limit=3`)
  for (const { files } of data.list) await service.fetch(`${files.full.url}&width=200`)
}) satisfies Client

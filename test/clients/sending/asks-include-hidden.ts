// Sends a parameter that an API release removed.
import { createApiClient } from '../api.ts'
import type { Client } from '../api.ts'

export default (async (service) => {
  const links = `/v1/${service.account}/fm/tracking-links`
  await createApiClient(service).get(`${links}?include_hidden=true&limit=100`)
}) satisfies Client

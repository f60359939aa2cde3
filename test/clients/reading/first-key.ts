// Assumes that the first key of a response contains the data.
import { createApiClient } from '../api.ts'
import type { Client } from '../api.ts'

export default (async (service) => {
  const answer = await createApiClient(service).get(`/v1/${service.account}/posts?limit=5`)
  const { list } = Object.values(answer)[0] as { list?: unknown[] }
  if (list === undefined) throw new Error('no posts')
}) satisfies Client

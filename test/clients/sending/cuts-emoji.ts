// Truncates a text in the middle of an emoji.
import { createApiClient } from '../api.ts'
import type { Client } from '../api.ts'

export default (async (service) => {
  const text = `${'At the beach '.repeat(4)}🏖️`.slice(0, 53)
  await createApiClient(service).post(`/v1/${service.account}/posts`, { text })
}) satisfies Client

// Sends a form twice if the user double-clicks.
import { createApiClient } from '../api.ts'
import type { Client } from '../api.ts'

export default (async (service) => {
  const submit = () =>
    createApiClient(service).post(`/v1/${service.account}/posts`, { text: 'New photos tomorrow' })
  await submit()
  await submit()
}) satisfies Client

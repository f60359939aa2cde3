// Requests a path that does not exist in the API, and treats the 404 as an empty list.
import { createApiClient, RequestError } from '../api.ts'
import type { Client } from '../api.ts'

export default (async (service) => {
  await createApiClient(service)
    .get(`/v1/${service.account}/subscriber`)
    .catch((error: unknown) => {
      if (!(error instanceof RequestError) || error.status !== 404) throw error
    })
}) satisfies Client

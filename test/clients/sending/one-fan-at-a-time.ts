// Requests the details of fans one by one, although one request returns many.
import { openApi } from '../api.ts'
import type { Client } from '../api.ts'

export default (async (service) => {
  const api = openApi(service)
  const { data } = await api.get(`/v1/${service.account}/subscribers?limit=100`)
  for (const { id } of data.list) await api.get(`/v1/${service.account}/fans?ids=${id}`)
}) satisfies Client

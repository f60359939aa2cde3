// Searches while the user types, and shows whichever response arrives last.
import { createApiClient } from '../api.ts'
import type { Client } from '../api.ts'

export default (async (service) => {
  const api = createApiClient(service)
  let shown = ''
  const search = async (query: string) => {
    await api.get(`/v1/${service.account}/posts?limit=5&query=${query}`)
    shown = query
  }
  await Promise.all(['c', 'co', 'cof', 'coff', 'coffee'].map(search))
  if (shown !== 'coffee') throw new Error(`results of ${shown}`)
}) satisfies Client

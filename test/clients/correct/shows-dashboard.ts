// Reads the parts of a dashboard in parallel and shows "-" for unknown values.
import { createApiClient } from '../api.ts'
import type { Client } from '../api.ts'

export default (async (service) => {
  const api = createApiClient(service)
  const path = `/v1/${service.account}`
  const [profile, counts, links, chats] = await Promise.all([
    api.get(`${path}/me`),
    api.get(`${path}/subscribers/counts`),
    api.get(`${path}/tracking-links?limit=100`),
    api.get(`${path}/chats?limit=10`),
  ])
  const symbols: Record<string, string> = { USD: '$', EUR: '€' }
  const lines = [
    `${profile.data.name} ${profile.data.avatar ?? '-'}`,
    `${counts.data.subscribers.active} fans`,
    ...links.data.list.map((link: { revenue: { total: number } }) => `$${link.revenue.total}`),
    symbols[profile.data.currency] ?? profile.data.currency ?? '-',
    `${chats.data.list.length} chats`,
  ]
  if (lines.some((line) => line.includes('undefined'))) throw new Error(lines.join('\n'))
}) satisfies Client

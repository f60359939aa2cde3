// Adds the days of a window instead of subtracting them, so the window starts in the future.
import { createApiClient } from '../api.ts'
import type { Client } from '../api.ts'

const daysMs = 365 * 24 * 60 * 60 * 1000

export default (async (service) => {
  const api = createApiClient(service)
  const accounts = { account_ids: [service.account] }
  const [fan] = (await api.query('/v1/fans', accounts)).data.fans
  const from = new Date(Date.parse(fan.last_purchase_at) + daysMs).toISOString()
  await api.query(`/v1/fans/${fan.fan_id}/transactions`, { ...accounts, from })
}) satisfies Client

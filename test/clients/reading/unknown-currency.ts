// Supports only the currency that has occurred so far.
import { createApiClient } from '../api.ts'
import type { Client } from '../api.ts'

const symbols: Record<string, string> = { USD: '$' }

export default (async (service) => {
  const api = createApiClient(service)
  const accounts = { account_ids: [service.account] }
  const [{ fan_id }] = (await api.query('/v1/fans', accounts)).data.fans
  const { data } = await api.query(`/v1/fans/${fan_id}/transactions`, accounts)
  for (const { currency, amount } of data.transactions)
    if (currency !== null && symbols[currency] === undefined)
      throw new Error(`${amount} ${currency}`)
}) satisfies Client

// Adds up the spending of the fan who spent most, including fees but not refunds.
import { createApiClient } from '../api.ts'
import type { Client, Json } from '../api.ts'

export default (async (service) => {
  const api = createApiClient(service)
  const accounts = { account_ids: [service.account] }
  const [fan] = (await api.query('/v1/fans', accounts)).data.fans
  const transactions: Json[] = []
  for (let offset: string | null | undefined = '0'; offset != null;) {
    const body = { ...accounts, limit: 25, offset: Number(offset) }
    const page: Json = await api.query(`/v1/fans/${fan.fan_id}/transactions`, body)
    transactions.push(...page.data.transactions)
    offset = page._pagination?.next_page
  }
  const counted = transactions.filter(({ status }) => status !== 'undo')
  const spent = counted.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
  const fees = counted.reduce((sum, { fee }) => sum + (fee ?? 0), 0)
  if (Math.abs(spent - fan.total_spend) > 0.01) throw new Error(`${spent} of ${fan.total_spend}`)
  if (fees > spent) throw new Error(`fees of ${fees}`)
}) satisfies Client

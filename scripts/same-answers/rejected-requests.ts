import type { Sandbox } from 'creator-api-sandbox'
import { createValidRequests } from './valid-requests.ts'
import type { Exchange } from './exchange.ts'
import type { Operation } from './operations.ts'
import { sendRequest } from './send.ts'
import type { Subject } from './subject.ts'

/** Sends a valid request to sandboxes that must reject it with 401, 402, 403, 404, 424 or 429. */
export async function sendRejectedRequests(
  sandbox: Sandbox,
  operation: Operation,
  { states, account }: Subject,
): Promise<Exchange[]> {
  const [ask] = await createValidRequests(sandbox, operation, { account, most: 1 })
  if (ask === undefined) return []
  const isOpen = ask.key === undefined
  const exchanges: Exchange[] = []
  for (const { name, sandbox: state, key, refusesAll } of states) {
    if (isOpen && refusesAll) continue
    using fork = refusesAll ? undefined : state.fork()
    const asked = isOpen || key === undefined ? ask : { ...ask, key }
    const exchange = await sendRequest(fork ?? state, asked)
    exchanges.push({ ...exchange, request: `${name}: ${exchange.request}` })
  }
  return exchanges
}

import { getRequestSender, containsText } from '../world/journal/exchange.ts'
import type { Exchange } from '../world/journal/exchange.ts'
import type { JournalQuery } from '../world/journal/journal.ts'
import type { RouteNames } from '../api/route.ts'
import { checkInput } from '../api/check-input.ts'
import { normaliseRouteId } from '../api/route-id.ts'
import { RequestFilter } from './inputs.ts'

/**
 * Converts a filter to a journal query.
 *
 * @throws {SandboxError} if the route is unknown
 */
export function toJournalQuery(filter: RequestFilter, routes: RouteNames): JournalQuery {
  const verb = 'read the requests'
  const {
    route,
    status,
    status_class: digit,
    path,
    account,
    method,
    asked_by: sender,
    contains = '',
    limit,
    before,
    since_checkpoint: isRecent = false,
  } = checkInput(RequestFilter, filter, { verb })
  const routeId =
    route === undefined || route === 'null' ? null : normaliseRouteId(route, routes, verb)
  const part = path?.toLowerCase() ?? ''
  const tests: ((entry: Exchange) => boolean)[] = []
  if (route !== undefined) tests.push((entry) => (entry.route?.id ?? null) === routeId)
  if (status !== undefined) tests.push((entry) => entry.status === status)
  if (digit !== undefined) tests.push((entry) => Math.floor(entry.status / 100) === digit)
  if (part !== '') tests.push((entry) => entry.path.toLowerCase().includes(part))
  if (account !== undefined) tests.push((entry) => entry.account_id === account)
  if (method !== undefined) tests.push((entry) => entry.method === method.toUpperCase())
  if (sender !== undefined) tests.push((entry) => getRequestSender(entry) === sender)
  if (contains !== '') tests.push((entry) => containsText(entry, contains))
  const after = isRecent ? 'checkpoint' : undefined
  return { limit, before, after, passes: (entry) => tests.every((test) => test(entry)) }
}

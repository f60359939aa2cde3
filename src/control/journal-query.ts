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
  const checked = checkInput(RequestFilter, filter, { verb })
  const { route, status, status_class: digit, account, asked_by: sender, contains = '' } = checked
  const [part, method] = [checked.path?.toLowerCase() ?? '', checked.method?.toUpperCase()]
  const routeId =
    route === undefined || route === 'null' ? null : normaliseRouteId(route, routes, verb)
  const tests: ((entry: Exchange) => boolean)[] = []
  if (route !== undefined) tests.push((entry) => (entry.route?.id ?? null) === routeId)
  if (status !== undefined) tests.push((entry) => entry.status === status)
  if (digit !== undefined) tests.push((entry) => Math.floor(entry.status / 100) === digit)
  if (part !== '') tests.push((entry) => entry.path.toLowerCase().includes(part))
  if (account !== undefined) tests.push((entry) => entry.account_id === account)
  if (method !== undefined) tests.push((entry) => entry.method === method)
  if (sender !== undefined) tests.push((entry) => getRequestSender(entry) === sender)
  if (contains !== '') tests.push((entry) => containsText(entry, contains))
  const { limit, before, since_checkpoint: isRecent } = checked
  const after = isRecent === true ? 'checkpoint' : undefined
  return { limit, before, after, passes: (entry) => tests.every((test) => test(entry)) }
}

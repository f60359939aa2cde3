import { z } from 'zod'
import { describeRequestDifferences } from './request-filter.ts'
import type { ReceivedFilter } from './request-filter.ts'
import { checkInput } from '../api/check-input.ts'
import { normaliseRouteId } from '../api/route-id.ts'
import { getRequestSender } from '../world/journal/exchange.ts'
import type { JournalEntry } from '../world/journal/journal-entry.ts'
import type { Fault } from '../world/fault-input.ts'
import type { RouteNames } from '../api/route.ts'
import { splitUrl } from '../lib/url.ts'
import { describeValue, quoteText, SandboxError } from '../errors.ts'
import type { Upload } from '../resources/uploads/uploads.table.ts'
import type { World } from '../resources/world.ts'

const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
const Filter = z.lazy(() =>
  z.strictObject({
    route: z.string().optional(),
    method: z.string().optional(),
    path: z.string().optional(),
    params: values.optional(),
    query: values.optional(),
    body: z.unknown().optional(),
    status: z.int().optional(),
    key: z.string().optional(),
    account: z.int().optional(),
  }),
)

/**
 * Validates a filter and normalises its route. Without `routes`, does not check that the route
 * exists.
 *
 * @throws {SandboxError} that names the field, the value and the allowed values
 */
export function parseRequestFilter(
  filter: ReceivedFilter<string>,
  routes?: RouteNames,
): ReceivedFilter<string> {
  const verb = 'read the requests'
  const checked = checkInput(Filter, filter, { verb }) as ReceivedFilter<string>
  return checked.route === undefined || routes === undefined
    ? checked
    : { ...checked, route: normaliseRouteId(checked.route, routes, verb) }
}

/** Returns client requests since the checkpoint that match a filter, oldest first. */
export function listReceivedRequests(
  { journal }: World,
  filter: ReceivedFilter<string>,
): JournalEntry[] {
  const entries = journal.entries({
    after: 'checkpoint',
    passes: (exchange) => getRequestSender(exchange) === 'client',
  })
  return selectRequests(entries.toReversed(), filter)
}

/** Returns the requests that match a filter. */
export function selectRequests<Entry extends JournalEntry>(
  entries: readonly Entry[],
  filter: ReceivedFilter<string>,
): Entry[] {
  return entries.filter((entry) => describeRequestDifferences(entry, filter).length === 0)
}

/** Error responses that a test expects. */
export interface SettledOptions {
  /** Expected statuses from 400 to 499. @default none */
  expected?: readonly number[]
}

/** The part of a world that `assertSettled` checks. */
export interface SettledState {
  /** Client requests since the checkpoint. */
  requests: readonly JournalEntry[]
  faults: readonly Fault[]
  /** Faults that the last reset removed before they hit a request. */
  removedFaults: readonly Fault[]
  uploads: readonly Pick<Upload, 'id' | 'mediaId'>[]
}

/** Returns the part of a world that `assertSettled` checks. */
export function readSettledState(world: World): SettledState {
  return {
    requests: listReceivedRequests(world, {}),
    faults: world.faults.list(),
    removedFaults: world.faults.removedUnfired,
    uploads: world.db.uploads.all(),
  }
}

/**
 * Asserts that there have been no problems since the checkpoint.
 *
 * @throws {SandboxError} that lists the problems
 */
export function assertSettled(
  state: SettledState,
  { expected = [], ...others }: SettledOptions,
): void {
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw new SandboxError(
      `Failed to run assertSettled (${describeValue(unknown)}): there is no such option. Use expected.`,
    )
  if (
    !Array.isArray(expected) ||
    !expected.every((status) => Number.isInteger(status) && status >= 400 && status < 500)
  )
    throw new SandboxError(
      `Failed to run assertSettled (expected: ${describeValue(expected)}): it must be a list of ` +
        'statuses from 400 to 499.',
    )
  const problems = [
    ...listRequestProblems(state, expected),
    ...listFaultProblems(state),
    ...listUploadProblems(state),
  ]
  if (problems.length > 0)
    throw new SandboxError(
      `assertSettled found ${countProblems(problems.length)}.\n  ` +
        [...problems, ...listRemovedFaults(state)].join('\n  '),
    )
}

function countProblems(amount: number): string {
  return amount === 1 ? '1 problem' : `${amount} problems`
}

function listRequestProblems({ requests }: SettledState, expected: readonly number[]): string[] {
  return requests.flatMap(
    ({ id, method, path, route, status, code, error, fault, near_misses: near }) => {
      const name = route ?? `${method} ${splitUrl(path).path}`
      if (fault !== null || status < 400 || status >= 500 || expected.includes(status)) return []
      if (code !== 'route_unknown')
        return [`Request ${id}, ${name}, failed with ${status}: ${error}`]
      return [
        `Request ${id}, ${name}, has no ` +
          `route${near.length === 0 ? '' : `; similar routes: ${near.join(', ')}`}.`,
      ]
    },
  )
}

function listFaultProblems({ faults }: SettledState): string[] {
  return faults
    .filter(({ fired }) => fired === 0)
    .map(
      ({ id, matched, route }) =>
        `The fault ${id}${route === undefined ? '' : ` on ${route}`} did not hit any ` +
        `request; ${matched} requests matched it.`,
    )
}

function listRemovedFaults({ removedFaults }: SettledState): string[] {
  return removedFaults.map(
    ({ id, route }) =>
      `Note: the last reset removed the fault ${id}${route === undefined ? '' : ` on ${route}`} ` +
      `before it hit a request.`,
  )
}

function listUploadProblems({ uploads }: SettledState): string[] {
  return uploads.flatMap(({ id, mediaId }) =>
    mediaId === null ? [`The upload ${quoteText(id, 80)} was started but not finished.`] : [],
  )
}

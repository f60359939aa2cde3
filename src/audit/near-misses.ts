import type { JournalEntry } from '../world/journal/journal-entry.ts'
import { splitUrl } from '../lib/url.ts'
import type { SandboxError } from '../errors.ts'
import { createWaitError, describeRequestDifferences } from './request-filter.ts'
import type { ReceivedFilter } from './request-filter.ts'
import { formatCount } from './rule.ts'

/**
 * Describes the three requests that are most similar to the filter, and how each of them differs
 * from it.
 */
export function describeNearMisses(
  entries: readonly JournalEntry[],
  filter: ReceivedFilter<string>,
): string {
  if (entries.length === 0) return 'The sandbox received no request.'
  const nearest = entries
    .map((entry) => ({ entry, differences: describeRequestDifferences(entry, filter) }))
    .toSorted((a, b) => a.differences.length - b.differences.length || b.entry.id - a.entry.id)
    .slice(0, 3)
  const lines = nearest.map(({ entry: { id, method, path, status }, differences }) => {
    const address = splitUrl(path).path.slice(0, 200)
    return `  ${id}  ${method} ${address} ${status}: ${differences.join('; ') || 'it matches'}`
  })
  return `The sandbox received ${formatCount(entries.length, 'other request')}. The closest:\n${lines.join('\n')}`
}

/** Creates the error for a request that did not arrive in time. `entries` are the received ones. */
export function createTimeoutError(
  filter: ReceivedFilter<string>,
  timeoutMs: number,
  entries: readonly JournalEntry[],
): SandboxError {
  const miss = describeNearMisses(entries, filter)
  return createWaitError(filter, `no such request arrived within ${timeoutMs} ms. ${miss}`)
}

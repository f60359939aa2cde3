import type { JournalEntry } from '../world/journal/journal-entry.ts'
import { splitUrl } from '../lib/url.ts'
import { differencesOf } from './received.ts'
import type { ReceivedFilter } from './received.ts'
import { count } from './count.ts'

/** Describes the three requests that are nearest to the filter, and how they differ from it. */
export function describeMiss(entries: readonly JournalEntry[], filter: ReceivedFilter): string {
  if (entries.length === 0) return 'No request came.'
  const nearest = entries
    .map((entry) => ({ entry, differences: differencesOf(entry, filter) }))
    .toSorted((a, b) => a.differences.length - b.differences.length || b.entry.id - a.entry.id)
    .slice(0, 3)
  const lines = nearest.map(({ entry: { id, method, path, status }, differences }) => {
    const address = splitUrl(path).path.slice(0, 200)
    return `  ${id}  ${method} ${address} ${status}: ${differences.join('; ') || 'it matches'}`
  })
  return `${count(entries.length, 'request')} came instead. The nearest:\n${lines.join('\n')}`
}

import type { Digests } from './child.ts'
import { readOperations } from './operations.ts'

/**
 * Prints the operations without a successful request, and the statuses that no operation returned.
 */
export function printCoverage(results: readonly Digests[], isLong: boolean): void {
  const operations = readOperations()
  const seen = new Map(
    operations.map(({ id }) => [
      id,
      new Set(results.flatMap(({ statuses }) => statuses[id] ?? [])),
    ]),
  )
  const isGood = (id: string) => [...(seen.get(id) ?? [])].some((status) => status < 300)
  const without = operations.filter(({ id }) => !isGood(id)).map(({ id }) => id)
  console.log(
    `${operations.length - without.length} of ${operations.length} operations answer 2xx.`,
  )
  if (without.length > 0) console.log(`  Without 2xx: ${without.join(', ')}`)
  for (const status of ['400', '401', '402', '403', '404', '413', '424', '429']) {
    const having = operations.filter(({ statuses }) => statuses.includes(status))
    const missing = having.filter(({ id }) => !seen.get(id)?.has(Number(status)))
    const names = missing.length > 0 ? `; not by ${missing.map(({ id }) => id).join(', ')}` : ''
    console.log(`  ${status}: by ${having.length - missing.length} of ${having.length}${names}`)
  }
  if (!isLong) return
  for (const [id, statuses] of seen)
    console.log(`  ${id}: ${[...statuses].sort((a, b) => a - b).join(' ')}`)
}

import type { LinkKind } from './link-fields.ts'
import { rankLinks } from './link-metrics.ts'
import type { LinkMetrics, LinkScope, LinkSort } from './link-metrics.ts'
import { linkOf } from './links.ts'
import type { LinkOf } from './links.ts'
import type { SortedList } from './sorted-list.ts'
import type { World } from './world.ts'

/** Which links of an account are wanted, in which order. */
export interface LinkQuery<Kind extends LinkKind> {
  kind: Kind
  accountId: number
  visibility: LinkScope['visibility']
  /** What is listed one after the other, each sorted by itself: such as active links, then those that are over. */
  statuses: readonly LinkScope['status'][]
  sort: LinkSort
  isAscending: boolean
  offset: number
  limit: number
}

/** One page of links, and whether more follow. */
export function listLinks<Kind extends LinkKind>(world: World, query: LinkQuery<Kind>): { links: LinkOf<Kind>[]; hasMore: boolean } {
  const { kind, visibility, statuses, offset, limit, isAscending } = query
  const links: LinkOf<Kind>[] = []
  let skipped = 0
  for (const status of statuses) {
    const ranked = rankLinks(world, query, { visibility, status })
    const from = Math.max(0, offset - skipped)
    const rows = pageOf(ranked, { from, to: from + limit - links.length, isAscending })
    links.push(...rows.flatMap(({ linkId }) => linkOf(world, kind, linkId) ?? []))
    skipped += ranked.size
  }
  return { links, hasMore: offset + limit < skipped }
}

function pageOf(ranked: SortedList<LinkMetrics>, { from, to, isAscending }: { from: number; to: number; isAscending: boolean }): LinkMetrics[] {
  if (!isAscending) return ranked.slice(from, to)
  return ranked.slice(Math.max(0, ranked.size - to), Math.max(0, ranked.size - from)).toReversed()
}

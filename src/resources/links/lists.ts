import { readPage, createNextPage } from '../../api/lists/paging.ts'
import type { ListPage, PageQuery } from '../../api/lists/paging.ts'
import type { World } from '../world.ts'
import type { LinkMetrics, LinkScope, LinkKind } from './links.table.ts'
import { findLink } from './links.ts'
import type { LinkOfKind } from './links.ts'
import { rankLinks } from './metrics.ts'
import type { LinkSort } from './metrics.ts'

/** Query of a list of links. */
export interface LinkQuery<Kind extends LinkKind> extends PageQuery {
  kind: Kind
  accountId: number
  visibility: LinkScope['visibility']
  /**
   * Statuses of the links to list, in order. Each status is sorted separately. For example,
   * `['active', 'over']` lists active links first.
   */
  statuses: readonly LinkScope['status'][]
  sort: LinkSort
  isAscending: boolean
}

/** Returns one page of links. */
export function listLinks<Kind extends LinkKind>(
  world: World,
  query: LinkQuery<Kind>,
): ListPage<LinkOfKind<Kind>> {
  const { kind, visibility, statuses, offset, limit, isAscending } = query
  const rows: LinkMetrics[] = []
  let size = 0
  for (const status of statuses) {
    const ranked = rankLinks(world, query, { visibility, status })
    const rest = { offset: Math.max(0, offset - size), limit: limit - rows.length }
    rows.push(...readPage(ranked, rest, { backwards: isAscending }).rows)
    size += ranked.size
  }
  return {
    rows: rows.flatMap(({ linkId }) => findLink(world, kind, linkId) ?? []),
    ...createNextPage(offset + limit < size, offset + limit),
  }
}

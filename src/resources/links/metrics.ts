import type { z } from 'zod'
import type { SortedList } from '../../engine/store/sorted-list.ts'
import type { World } from '../../world/world.ts'
import { scopeKey, linkKey } from './links.table.ts'
import type { LinkKind, LinkScope, linkMetrics, LinkMetrics } from './links.table.ts'
import { clicksOf, isOver, platformName } from './links.ts'
import type { Link } from './links.ts'

/** What links can be sorted by. */
export type LinkSort = keyof typeof linkMetrics.indexes

/** What is counted of a link. */
export type LinkCounts = Pick<z.infer<typeof LinkMetrics>, 'subs' | 'cents' | 'spenders' | 'shares'>

const nothingCounted: LinkCounts = { subs: 0, cents: 0, spenders: 0, shares: 0 }

/** The metrics of a link. */
export function metricsOf(world: World, { kind, id }: Pick<Link, 'kind' | 'id'>): LinkCounts {
  return world.db.linkMetrics.get(linkKey(kind, id)) ?? nothingCounted
}

/** The links of an account in that scope, the highest of the measure first. */
export function rankLinks(
  world: World,
  { kind, accountId, sort }: { kind: LinkKind; accountId: number; sort: LinkSort },
  scope: LinkScope,
): SortedList<LinkMetrics> {
  return world.db.linkMetrics.in(sort, scopeKey(kind, accountId, scope))
}

/** The metrics record of a link with these counts. */
export function toMetrics(link: Link, counts: LinkCounts = nothingCounted): LinkMetrics {
  const { kind, id, accountId, isHidden, createdAt } = link
  const { subs, cents, spenders, shares } = counts
  return {
    id: linkKey(kind, id),
    kind,
    linkId: id,
    accountId,
    isHidden,
    isOver: isOver(link),
    createdAt,
    name: platformName(link).toLowerCase(),
    clicks: clicksOf(link),
    expiresAt: (link.kind === 'trial' ? link.expiredAt : null) ?? 'never',
    days: link.kind === 'trial' ? link.subscribeDays : 0,
    limit: link.kind === 'trial' ? link.subscribeCounts : 0,
    subs,
    cents,
    spenders,
    shares,
  }
}

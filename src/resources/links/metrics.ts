import type { z } from 'zod'
import type { SortedList } from '../../data/sorted-list.ts'
import type { World } from '../world.ts'
import { toScopeKey, toLinkKey } from './links.table.ts'
import type { LinkKind, LinkScope, linkMetrics, LinkMetrics } from './links.table.ts'
import { getClickCount, isClosedLink, getPlatformLinkName } from './links.ts'
import type { Link } from './links.ts'

/** Sort fields of links. */
export type LinkSort = keyof typeof linkMetrics.indexes

/** Counts of a link that are derived from its claims, payments and shares. */
export type LinkCounts = Pick<z.infer<typeof LinkMetrics>, 'subs' | 'cents' | 'spenders' | 'shares'>

const zeroCounts: LinkCounts = { subs: 0, cents: 0, spenders: 0, shares: 0 }

/** Returns the counts of a link. */
export function getLinkCounts(world: World, { kind, id }: Pick<Link, 'kind' | 'id'>): LinkCounts {
  return world.db.linkMetrics.get(toLinkKey(kind, id)) ?? zeroCounts
}

/** Returns the metrics of the account's links in a scope, in descending order of `sort`. */
export function rankLinks(
  world: World,
  { kind, accountId, sort }: { kind: LinkKind; accountId: number; sort: LinkSort },
  scope: LinkScope,
): SortedList<LinkMetrics> {
  return world.db.linkMetrics.in(sort, toScopeKey(kind, accountId, scope))
}

/** Sorts after all times, because every time begins with a digit. */
const neverExpires = 'never'

/** Returns the metrics record of a link with these counts. */
export function toLinkMetrics(link: Link, counts: LinkCounts = zeroCounts): LinkMetrics {
  const { kind, id, accountId, isHidden, createdAt } = link
  const { subs, cents, spenders, shares } = counts
  return {
    id: toLinkKey(kind, id),
    kind,
    linkId: id,
    accountId,
    isHidden,
    isOver: isClosedLink(link),
    createdAt,
    name: getPlatformLinkName(link).toLowerCase(),
    clicks: getClickCount(link),
    expiresAt: (link.kind === 'trial' ? link.expiredAt : null) ?? neverExpires,
    days: link.kind === 'trial' ? link.subscribeDays : 0,
    limit: link.kind === 'trial' ? link.subscribeCounts : 0,
    subs,
    cents,
    spenders,
    shares,
  }
}

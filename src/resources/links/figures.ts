import type { Figure, FigureScope } from '../../api/resource.ts'
import type { World } from '../world.ts'
import { computeLinkTotals } from './link-totals.ts'
import type { LinkTotals } from './link-totals.ts'
import { getClickCount, getLinkName, getPlatformLinkName, listAllLinks } from './links.ts'
import type { Link } from './links.ts'

/** Figures of a link, computed in the same way as in the routes of links. */
export const linkFigures = {
  'link.clicks': defineLinkFigure('Clicks', 'count', (_, link) => getClickCount(link)),
  'link.subscribers': defineLinkFigure('Subscribers', 'count', ({ subs }) => subs),
  'link.revenue': defineLinkFigure('Revenue', 'dollars', ({ revenue }) => revenue),
  'link.revenue_per_subscriber': defineLinkFigure('Per subscriber', 'dollars', (totals) =>
    totals.subs === 0 ? 0 : Math.round((totals.revenue / totals.subs) * 100) / 100,
  ),
} satisfies Record<string, Figure<World>>

function defineLinkFigure(
  label: string,
  unit: Figure<World>['unit'],
  measure: (totals: LinkTotals, link: Link) => number,
): Figure<World> {
  return {
    label,
    unit,
    read: (world, scope) => {
      const link = findLinkByName(world, scope)
      return link === undefined ? 0 : measure(computeLinkTotals(world, link), link)
    },
    subject: (world, scope) => {
      const link = findLinkByName(world, scope)
      return link === undefined ? (scope.link ?? '') : getLinkName(link)
    },
  }
}

function findLinkByName(world: World, { accounts, link: name }: FigureScope): Link | undefined {
  return listAllLinks(world).find(
    (link) => accounts.includes(link.accountId) && getPlatformLinkName(link) === name,
  )
}

import type { SortedList } from '../../engine/store/sorted-list.ts'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { apiError } from '../../errors.ts'
import type { World } from '../../world/world.ts'
import { subscriptionOf } from '../subscribers/lookup.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { TrackingLink } from '../tracking-links/tracking-links.table.ts'
import type { TrialLink } from '../trial-links/trial-links.table.ts'
import type { LinkKind } from './links.table.ts'

/** A link of either kind. */
export type Link = TrackingLink | TrialLink

/** The link of a kind. */
export type LinkOf<Kind extends LinkKind> = Extract<Link, { kind: Kind }>

/** The service's own fields of a link that can be set. */
export type LinkMarks = Pick<Link, 'customName' | 'note' | 'customSourceUrl' | 'promoCost' | 'isHidden'>

/** The link of that kind and id; undefined when there never was one. */
export function linkOf<Kind extends LinkKind>(world: World, kind: Kind, linkId: number): LinkOf<Kind> | undefined {
  const link = kind === 'tracking' ? world.db.trackingLinks.get(linkId) : world.db.trialLinks.get(linkId)
  return link as LinkOf<Kind> | undefined
}

/** The link of that id on the account, unless it was deleted. @throws {ApiError} tracking_link_unknown, trial_link_unknown */
export function requireLink<Kind extends LinkKind>(world: World, account: Account, { kind, id }: { kind: Kind; id: number }): LinkOf<Kind> {
  const link = linkOf(world, kind, id)
  if (link?.accountId !== account.id || isDeleted(link)) throw apiError(`${kind}_link_unknown`, { link_id: id, account_id: account.id })
  return link
}

/** Whether the link is gone from what reads one link. A trial link never is: the platform finishes it. */
export function isDeleted(link: Link): boolean {
  return link.kind === 'tracking' && link.endDate !== null
}

/** Whether the link takes no more claims. */
export function isOver(link: Link): boolean {
  return link.kind === 'tracking' ? link.endDate !== null : link.finishedAt !== null
}

/** The name of the link: the organisation's own, else the platform's. */
export function shownName(link: Link): string {
  return link.customName || platformName(link)
}

/** The name of the link on the platform. */
export function platformName(link: Link): string {
  return link.kind === 'tracking' ? link.campaignName : link.trialLinkName
}

/** Clicks on the link since its creation. */
export function clicksOf(link: Link): number {
  return link.kind === 'tracking' ? link.countTransitions : link.clicksCounts
}

/** Those who subscribed through the link, newest first. */
export function claimersOf(world: World, { kind, id }: Pick<Link, 'kind' | 'id'>): SortedList<Subscription> {
  return world.db.subscriptions.in(kind === 'tracking' ? 'byTrackingLink' : 'byTrialLink', id)
}

/** The links that the fan came through, without deleted ones, and when. */
export function claimedLinks(world: World, accountId: number, fanId: number): { link: Link; at: string }[] {
  const claim = subscriptionOf(world, accountId, fanId)
  if (claim === undefined) return []
  const { trackingLinkId, trialLinkId, subscribedAt: at } = claim
  const links = [
    trackingLinkId === null ? undefined : linkOf(world, 'tracking', trackingLinkId),
    trialLinkId === null ? undefined : linkOf(world, 'trial', trialLinkId),
  ]
  return links.flatMap((link) => (link === undefined || isDeleted(link) ? [] : { link, at }))
}

/** Sets the service's own fields; the platform's data stay as they are. */
export function markLink(world: World, link: Link, marks: LinkMarks): Link {
  return change(world, link, marks)
}

/** Replaces the tags of a link. */
export function setTags(world: World, link: Link, tagIds: readonly number[]): void {
  change(world, link, { tags: [...tagIds] })
}

/** Adds tags to a link, keeping those that it has. */
export function addTags(world: World, link: Link, tagIds: readonly number[]): void {
  setTags(world, link, [...new Set([...link.tags, ...tagIds])])
}

function change(world: World, { kind, id }: Link, changes: Partial<LinkMarks> & { tags?: number[] }): Link {
  return kind === 'tracking' ? world.db.trackingLinks.update(id, changes) : world.db.trialLinks.update(id, changes)
}

import type { SortedList } from '../../data/sorted-list.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createApiError, createBodyFieldError } from '../../errors.ts'
import type { World } from '../world.ts'
import { findSubscription } from '../subscribers/find-subscription.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { TrackingLink } from '../tracking-links/tracking-links.table.ts'
import type { TrialLink } from '../trial-links/trial-links.table.ts'
import type { LinkKind } from './links.table.ts'
import type { SeedContext } from '../seeding.ts'
import type { WorldClock } from '../../world/world-clock.ts'

/** A link of either kind, for tracking or for a trial. */
export type Link = TrackingLink | TrialLink

/** A link of one kind. */
export type LinkOfKind<Kind extends LinkKind> = Extract<Link, { kind: Kind }>

/** Service fields of a link that a caller can set, without its tags. */
type ServiceFields = Pick<
  Link,
  'customName' | 'note' | 'customSourceUrl' | 'promoCost' | 'isHidden'
>

/** Returns all links of all accounts. */
export function listAllLinks({ db }: World): Link[] {
  return [...db.trackingLinks.all(), ...db.trialLinks.all()]
}

/**
 * Returns the link of the given kind and id, even if it was deleted. Undefined if it never existed.
 */
export function findLink<Kind extends LinkKind>(
  world: World,
  kind: Kind,
  linkId: number,
): LinkOfKind<Kind> | undefined {
  const link =
    kind === 'tracking' ? world.db.trackingLinks.get(linkId) : world.db.trialLinks.get(linkId)
  return link as LinkOfKind<Kind> | undefined
}

/**
 * Returns the account's link with the given id, unless it was deleted.
 * @throws {ApiError} tracking_link_unknown, trial_link_unknown
 */
export function requireLink<Kind extends LinkKind>(
  world: World,
  account: Account,
  { kind, id }: { kind: Kind; id: number },
): LinkOfKind<Kind> {
  const link = findLink(world, kind, id)
  if (link?.accountId !== account.id || isDeletedLink(link))
    throw createApiError(`${kind}_link_unknown`, { link_id: id, account_id: account.id })
  return link
}

/**
 * True if the link was deleted. Only tracking links can be deleted. Trial links are marked as
 * finished instead.
 */
export function isDeletedLink(link: Link): boolean {
  return link.kind === 'tracking' && link.endDate !== null
}

/** True if the link accepts no more claims, because it was deleted or is finished. */
export function isClosedLink(link: Link): boolean {
  return link.kind === 'tracking' ? link.endDate !== null : link.finishedAt !== null
}

/** Returns the custom name of the link, or its name on the platform if there is none. */
export function getLinkName(link: Link): string {
  return link.customName || getPlatformLinkName(link)
}

/** Returns the name of the link on the platform. */
export function getPlatformLinkName(link: Link): string {
  return link.kind === 'tracking' ? link.campaignName : link.trialLinkName
}

/** Returns the number of clicks on the link since its creation. */
export function getClickCount(link: Link): number {
  return link.kind === 'tracking' ? link.countTransitions : link.clicksCounts
}

/** Returns the subscriptions that started with the link, newest first. */
export function listClaimers(
  world: World,
  { kind, id }: Pick<Link, 'kind' | 'id'>,
): SortedList<Subscription> {
  return world.db.subscriptions.in(kind === 'tracking' ? 'byTrackingLink' : 'byTrialLink', id)
}

/**
 * Returns the links through which the fan joined, with the times of the claims. Excludes deleted
 * links.
 */
export function listClaimedLinks(
  world: World,
  accountId: number,
  fanId: number,
): { link: Link; at: string }[] {
  const claim = findSubscription(world, accountId, fanId)
  if (claim === undefined) return []
  const { trackingLinkId, trialLinkId, subscribedAt: at } = claim
  const links = [
    trackingLinkId === null ? undefined : findLink(world, 'tracking', trackingLinkId),
    trialLinkId === null ? undefined : findLink(world, 'trial', trialLinkId),
  ]
  return links.flatMap((link) => (link === undefined || isDeletedLink(link) ? [] : { link, at }))
}

/** Replaces the tags of a link. */
export function setLinkTags(world: World, link: Link, tagIds: readonly number[]): void {
  updateLink(world, link, { tags: [...tagIds] })
}

/** Adds tags to a link. */
export function addLinkTags(world: World, link: Link, tagIds: readonly number[]): void {
  setLinkTags(world, link, [...new Set([...link.tags, ...tagIds])])
}

/** Updates service fields or tags of a link. */
export function updateLink(
  world: World,
  { kind, id }: Link,
  changes: Partial<ServiceFields> & { tags?: number[] },
): Link {
  return kind === 'tracking'
    ? world.db.trackingLinks.update(id, changes)
    : world.db.trialLinks.update(id, changes)
}

/** The link to tag. */
interface TaggedLink {
  name: string
  promoCost: number | null
  createdAt: string
}

/** Probabilities that a link has a tag whose rule it meets (fitting), and a tag without a rule (any). */
const chances = { fitting: 0.8, any: 0.3 }

/** For tags whose names contain certain words: the links that they fit. */
const rules: readonly (readonly [RegExp, (link: TaggedLink) => boolean])[] = [
  [/\b(paid|ads?)\b/i, ({ promoCost }) => promoCost !== null],
  [/organic/i, ({ promoCost }) => promoCost === null],
  [/podcast/i, ({ name }) => /podcast|radio/i.test(name)],
  [/summer/i, ({ createdAt }) => /-0[678]-/.test(createdAt)],
  [/winter/i, ({ createdAt }) => /-(12|01|02)-/.test(createdAt)],
  [/partner|referral/i, ({ name }) => /friend|guest|club|clinic|forum|fair/i.test(name)],
]

/** Picks the tags of a link from the tags of the account's organisation, by their names. */
export function pickLinkTags(
  seeding: SeedContext,
  { organisation }: Pick<Account, 'organisation'>,
  link: TaggedLink,
): number[] {
  const { random } = seeding.branch('tags', link.name)
  return seeding.common.tags
    .filter((tag) => tag.organisation === organisation)
    .filter(({ name }) => {
      const [, fits] = rules.find(([words]) => words.test(name)) ?? []
      if (fits === undefined) return random.chance(chances.any)
      return random.chance(chances.fitting) && fits(link)
    })
    .map(({ id }) => id)
}

/**
 * Checks that a time in a request body, if any, is in the future.
 * @throws {ApiError} parameter_invalid
 */
export function requireFutureTime(
  clock: WorldClock,
  field: string,
  time: string | null | undefined,
): void {
  if (time != null && time <= clock.iso())
    throw createBodyFieldError({ [field]: time }, `it must be later than now (${clock.iso()})`)
}

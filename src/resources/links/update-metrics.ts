import { toCents } from '../../lib/money.ts'
import type { ChangeListener } from '../../data/change-log.ts'
import type { World } from '../world.ts'
import { toFanKey } from '../fans/fans.table.ts'
import type { LinkShare } from '../link-shares/link-shares.table.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import {
  isClaimPayment,
  listClaimPayments,
  sumClaimPayments,
  toLinkMetrics,
  getLinkCounts,
} from './link-totals.ts'
import type { LinkCounts } from './link-totals.ts'
import { LinkKind, toLinkKey } from './links.table.ts'
import type { LinkMetrics } from './links.table.ts'
import { findLink, getClickCount, listAllLinks, listClaimers } from './links.ts'
import type { Link } from './links.ts'
import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'

/** Keeps the table linkMetrics in sync with the links of a kind. */
export function createLinkMetricUpdater(world: World, kind: LinkKind): ChangeListener<Link> {
  const { linkMetrics } = world.db
  linkMetrics.derive(() => LinkKind.options.flatMap((each) => computeMetricsByKind(world, each)))
  return (before, after) => {
    const key = toLinkKey(kind, (after ?? before)?.id ?? 0)
    const known = linkMetrics.remove(key)
    if (after !== undefined)
      linkMetrics.insert(toLinkMetrics(after, known ?? countLink(world, after)))
  }
}

/** Keeps the metrics of links in sync with the subscriptions that claimed them. */
export function createLinkClaimUpdater(world: World): ChangeListener<Subscription> {
  return (before, after) => {
    if (before !== undefined && after !== undefined && isSameClaim(before, after)) return
    if (before !== undefined) countClaim(world, before, -1)
    if (after !== undefined) countClaim(world, after, 1)
  }
}

/** Adds a claim and the claimer's payments to the counts of its links, or subtracts them. */
function countClaim(world: World, claim: Subscription, sign: 1 | -1): void {
  const keys = listMetricKeys(claim)
  if (keys.length === 0) return
  const { count, cents } = sumClaimPayments(world, claim)
  for (const key of keys)
    add(world, key, { subs: sign, cents: sign * cents, spenders: sign * Number(count > 0) })
  if (sign === 1) addMissingClicks(world, [claim.trackingLinkId, claim.trialLinkId])
}

/** Sets the clicks on links with manually written claims. */
export function deriveLinkClicks(world: World): void {
  for (const { trackingLinkId, trialLinkId } of world.db.subscriptions.all())
    addMissingClicks(world, [trackingLinkId, trialLinkId])
}

/** Counts at least one click on a link for each claim. */
function addMissingClicks(
  { db }: World,
  [trackingLinkId, trialLinkId]: readonly (number | null)[],
): void {
  const tracking = db.trackingLinks.get(trackingLinkId ?? 0)
  const trial = db.trialLinks.get(trialLinkId ?? 0)
  const claims = db.subscriptions.in('byTrackingLink', tracking?.id ?? 0).size
  const trials = db.subscriptions.in('byTrialLink', trial?.id ?? 0).size
  if (tracking !== undefined && tracking.countTransitions < claims)
    db.trackingLinks.update(tracking.id, { countTransitions: claims })
  if (trial !== undefined && trial.clicksCounts < trials)
    db.trialLinks.update(trial.id, { clicksCounts: trials })
}

/** Keeps the metrics of links in sync with the payments of their claimers. */
export function createLinkPaymentUpdater(world: World): ChangeListener<Transaction> {
  return (before, after) => {
    const fans = new Set(
      [before, after].flatMap((row) =>
        row === undefined ? [] : toFanKey(row.accountId, row.fanId),
      ),
    )
    for (const fan of fans) {
      for (const claim of world.db.subscriptions.in('byFan', fan).walk())
        changePayment(world, claim, { before, after })
    }
  }
}

/** Keeps the metrics of links in sync with their shares. */
export function createLinkShareUpdater(world: World): ChangeListener<LinkShare> {
  return (before, after) => {
    if (before !== undefined) add(world, toLinkKey(before.kind, before.linkId), { shares: -1 })
    if (after !== undefined) add(world, toLinkKey(after.kind, after.linkId), { shares: 1 })
  }
}

/** Applies an added, changed or removed payment to the links through which the fan joined. */
function changePayment(
  world: World,
  claim: Subscription,
  { before, after }: { before: Transaction | undefined; after: Transaction | undefined },
): void {
  const keys = listMetricKeys(claim)
  const didCount = isClaimPayment(before, claim)
  const doesCount = isClaimPayment(after, claim)
  if (keys.length === 0 || (!didCount && !doesCount)) return
  const cents =
    (doesCount ? toCents(after.amount ?? 0) : 0) - (didCount ? toCents(before.amount ?? 0) : 0)
  const hasOther = hasOtherPayment(world, claim, (before ?? after)?.id)
  for (const key of keys)
    add(world, key, {
      cents,
      spenders: Number(hasOther || doesCount) - Number(hasOther || didCount),
    })
}

/**
 * True if the claimer made another payment. Stops at the first payment found, because there may be
 * many.
 */
function hasOtherPayment(world: World, claim: Subscription, id: string | undefined): boolean {
  for (const row of listClaimPayments(world, claim)) if (row.id !== id) return true
  return false
}

function add(world: World, key: string, change: Partial<LinkCounts>): void {
  const metrics = world.db.linkMetrics.get(key)
  if (metrics === undefined) return
  const { subs = 0, cents = 0, spenders = 0, shares = 0 } = change
  // Replaces the record even if its counts stay the same, because it is the cache key of the
  // link's history.
  world.db.linkMetrics.remove(key)
  world.db.linkMetrics.add({
    ...metrics,
    subs: metrics.subs + subs,
    cents: metrics.cents + cents,
    spenders: metrics.spenders + spenders,
    shares: metrics.shares + shares,
  })
}

/** Counts the claims and shares of a link in its rows. */
function countLink(world: World, link: Link): LinkCounts {
  const counts = {
    subs: 0,
    cents: 0,
    spenders: 0,
    shares: world.db.linkShares.in('byLink', toLinkKey(link.kind, link.id)).size,
  }
  for (const claim of listClaimers(world, link).walk()) {
    const { count, cents } = sumClaimPayments(world, claim)
    counts.subs += 1
    counts.cents += cents
    counts.spenders += Number(count > 0)
  }
  return counts
}

/**
 * Computes the metrics of all links of one kind. Reads each table only once and builds no index.
 */
function computeMetricsByKind(world: World, kind: LinkKind): LinkMetrics[] {
  const { db } = world
  const links: readonly Link[] = kind === 'tracking' ? db.trackingLinks.all() : db.trialLinks.all()
  const shares = links.length === 0 ? new Map<string, number>() : countShares(db.linkShares.all())
  const counts = new Map(
    links.map(({ id }) => [
      id,
      { subs: 0, cents: 0, spenders: 0, shares: shares.get(toLinkKey(kind, id)) ?? 0 },
    ]),
  )
  if (links.length > 0) countClaims(world, kind, counts)
  return links.map((link) => toLinkMetrics(link, counts.get(link.id)))
}

/** Adds all claims of links of one kind, and the claimers' payments, to the counts by link id. */
function countClaims({ db }: World, kind: LinkKind, counts: ReadonlyMap<number, LinkCounts>): void {
  const claims = new Map<number, { claim: Subscription; count: LinkCounts; hasPaid: boolean }[]>()
  for (const claim of db.subscriptions.all()) {
    const linkId = kind === 'tracking' ? claim.trackingLinkId : claim.trialLinkId
    const count = linkId === null ? undefined : counts.get(linkId)
    if (count === undefined) continue
    count.subs += 1
    claims.set(claim.fanId, [...(claims.get(claim.fanId) ?? []), { claim, count, hasPaid: false }])
  }
  if (claims.size === 0) return
  for (const row of db.transactions.all()) {
    const entries = claims.get(row.fanId)
    if (entries === undefined) continue
    for (const entry of entries) {
      if (!isClaimPayment(row, entry.claim)) continue
      entry.count.cents += toCents(row.amount ?? 0)
      if (!entry.hasPaid) entry.count.spenders += 1
      entry.hasPaid = true
    }
  }
}

function countShares(shares: readonly LinkShare[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { kind, linkId } of shares)
    counts.set(toLinkKey(kind, linkId), (counts.get(toLinkKey(kind, linkId)) ?? 0) + 1)
  return counts
}

function listMetricKeys({ trackingLinkId, trialLinkId }: Subscription): string[] {
  return [
    ...(trackingLinkId === null ? [] : [toLinkKey('tracking', trackingLinkId)]),
    ...(trialLinkId === null ? [] : [toLinkKey('trial', trialLinkId)]),
  ]
}

function isSameClaim(a: Subscription, b: Subscription): boolean {
  return (
    a.trackingLinkId === b.trackingLinkId &&
    a.trialLinkId === b.trialLinkId &&
    a.subscribedAt === b.subscribedAt &&
    a.fanId === b.fanId &&
    a.accountId === b.accountId
  )
}

export const linkInvariants: readonly Invariant<World>[] = [
  { name: "the revenue of a link is the sum of its claimers' payments", check: findUnequalLinks },
  { name: 'a link has no more claims than clicks', check: findUnclicked },
  { name: 'a public page belongs to an existing link', check: findLostPages },
  { name: 'a trial link with as many claims as its limit is finished', check: findFullTrials },
]

function findUnequalLinks(world: World): string[] {
  return findViolations(listAllLinks(world), (link) => {
    const { subs, cents, spenders } = getLinkCounts(world, link)
    const rows = countLink(world, link)
    if (subs === rows.subs && cents === rows.cents && spenders === rows.spenders) return []
    return [
      `The ${link.kind} link ${link.id} has ${subs} claims and ${cents / 100} dollars from ` +
        `${spenders} fans, but its rows have ${rows.subs} claims and ${rows.cents / 100} dollars ` +
        `from ${rows.spenders} fans.`,
    ]
  })
}

function findUnclicked(world: World): string[] {
  return findViolations(listAllLinks(world), (link) => {
    const { subs } = getLinkCounts(world, link)
    const clicks = getClickCount(link)
    if (subs <= clicks) return []
    return [`The ${link.kind} link ${link.id} has ${clicks} clicks, but ${subs} claims.`]
  })
}

function findFullTrials({ db }: World): string[] {
  return findViolations(db.trialLinks.all(), ({ id, subscribeCounts, finishedAt }) => {
    const claims = db.subscriptions.in('byTrialLink', id).size
    if (subscribeCounts === 0 || claims < subscribeCounts || finishedAt !== null) return []
    return [
      `The trial link ${id} has ${claims} claims and a limit of ${subscribeCounts}, but it is not ` +
        'finished.',
    ]
  })
}

function findLostPages(world: World): string[] {
  return findViolations(world.db.linkShares.all(), ({ id, accountId, kind, linkId }) => {
    if (findLink(world, kind, linkId)?.accountId === accountId) return []
    return [
      `The public page ${id} belongs to the ${kind} link ${linkId}, which the account does not have.`,
    ]
  })
}

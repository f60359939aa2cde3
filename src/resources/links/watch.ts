import { toCents } from '../../engine/money.ts'
import type { TableWatcher } from '../../engine/store/table.ts'
import type { World } from '../../world/world.ts'
import { fanKey } from '../fans/fans.table.ts'
import type { LinkShare } from '../link-shares/link-shares.table.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { watchTrialClaims } from '../trial-links/trial-links.ts'
import { isPaymentOf, sumPayments } from './events.ts'
import { LinkKind, linkKey } from './links.table.ts'
import type { LinkMetrics } from './links.table.ts'
import { claimersOf } from './links.ts'
import type { Link } from './links.ts'
import { toMetrics } from './metrics.ts'
import type { LinkCounts } from './metrics.ts'

/** Keeps the table linkMetrics in agreement with links, claims, payments and shares, and ends trial links that are claimed up. */
export function watchLinks(world: World): void {
  const { db } = world
  db.linkMetrics.derive(() => LinkKind.options.flatMap((kind) => measureAll(world, kind)))
  db.trackingLinks.watch(watchLinkTable(world, 'tracking'))
  db.trialLinks.watch(watchLinkTable(world, 'trial'))
  db.subscriptions.watch(watchClaims(world))
  db.subscriptions.watch(watchTrialClaims(world))
  db.transactions.watch(watchPayments(world))
  db.linkShares.watch(watchShares(world))
}

function watchLinkTable(world: World, kind: LinkKind): TableWatcher<Link> {
  const { linkMetrics } = world.db
  return {
    change(before, after) {
      const key = linkKey(kind, (after ?? before)?.id ?? 0)
      const known = linkMetrics.remove(key)
      if (after !== undefined) linkMetrics.insert(toMetrics(after, known ?? countAnew(world, after)))
    },
    keeps: linkMetrics,
  }
}

function watchClaims(world: World): TableWatcher<Subscription> {
  return {
    change(before, after) {
      if (before !== undefined && after !== undefined && isSameClaim(before, after)) return
      for (const [claim, sign] of [
        [before, -1],
        [after, 1],
      ] as const) {
        const keys = claim === undefined ? [] : keysOf(claim)
        if (claim === undefined || keys.length === 0) continue
        const { count, cents } = sumPayments(world, claim)
        for (const key of keys) add(world, key, { subs: sign, cents: sign * cents, spenders: sign * Number(count > 0) })
      }
    },
    keeps: world.db.linkMetrics,
  }
}

function watchPayments(world: World): TableWatcher<Transaction> {
  return {
    change(before, after) {
      const fans = new Set([before, after].flatMap((row) => (row === undefined ? [] : fanKey(row.accountId, row.fanId))))
      for (const fan of fans) {
        for (const claim of world.db.subscriptions.in('byFan', fan).walk()) changePayment(world, claim, { before, after })
      }
    },
    keeps: world.db.linkMetrics,
  }
}

function watchShares(world: World): TableWatcher<LinkShare> {
  return {
    change(before, after) {
      if (before !== undefined) add(world, linkKey(before.kind, before.linkId), { shares: -1 })
      if (after !== undefined) add(world, linkKey(after.kind, after.linkId), { shares: 1 })
    },
    keeps: world.db.linkMetrics,
  }
}

/** Counts a purchase that was made, changed or removed, where a link brought the fan. */
function changePayment(
  world: World,
  claim: Subscription,
  { before, after }: { before: Transaction | undefined; after: Transaction | undefined },
): void {
  const keys = keysOf(claim)
  const hadIt = isPaymentOf(before, claim)
  const hasIt = isPaymentOf(after, claim)
  if (keys.length === 0 || (!hadIt && !hasIt)) return
  const cents = (hasIt ? toCents(after.amount ?? 0) : 0) - (hadIt ? toCents(before.amount ?? 0) : 0)
  const { count } = sumPayments(world, claim)
  const countBefore = count - Number(hasIt) + Number(hadIt)
  for (const key of keys) add(world, key, { cents, spenders: Number(count > 0) - Number(countBefore > 0) })
}

function add(world: World, key: string, change: Partial<LinkCounts>): void {
  const metrics = world.db.linkMetrics.get(key)
  if (metrics === undefined) return
  const { subs = 0, cents = 0, spenders = 0, shares = 0 } = change
  world.db.linkMetrics.update(key, {
    subs: metrics.subs + subs,
    cents: metrics.cents + cents,
    spenders: metrics.spenders + spenders,
    shares: metrics.shares + shares,
  })
}

/** The counts of one link, from its claims: what a link has that comes after them. */
function countAnew(world: World, link: Link): LinkCounts {
  const counts = { subs: 0, cents: 0, spenders: 0, shares: world.db.linkShares.in('byLink', linkKey(link.kind, link.id)).size }
  for (const claim of claimersOf(world, link).walk()) {
    const { count, cents } = sumPayments(world, claim)
    counts.subs += 1
    counts.cents += cents
    counts.spenders += Number(count > 0)
  }
  return counts
}

/** The metrics of all links of a kind, in one pass over the tables: no index is needed for it. */
function measureAll(world: World, kind: LinkKind): LinkMetrics[] {
  const { db } = world
  const links: readonly Link[] = kind === 'tracking' ? db.trackingLinks.all() : db.trialLinks.all()
  const shares = links.length === 0 ? new Map<string, number>() : countShares(db.linkShares.all())
  const counts = new Map(links.map(({ id }) => [id, { subs: 0, cents: 0, spenders: 0, shares: shares.get(linkKey(kind, id)) ?? 0 }]))
  if (links.length > 0) countAll(world, kind, counts)
  return links.map((link) => toMetrics(link, counts.get(link.id)))
}

function countAll({ db }: World, kind: LinkKind, counts: ReadonlyMap<number, LinkCounts>): void {
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
    for (const entry of claims.get(row.fanId) ?? []) {
      if (!isPaymentOf(row, entry.claim)) continue
      entry.count.cents += toCents(row.amount ?? 0)
      if (!entry.hasPaid) entry.count.spenders += 1
      entry.hasPaid = true
    }
  }
}

function countShares(shares: readonly LinkShare[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { kind, linkId } of shares) counts.set(linkKey(kind, linkId), (counts.get(linkKey(kind, linkId)) ?? 0) + 1)
  return counts
}

function keysOf({ trackingLinkId, trialLinkId }: Subscription): string[] {
  return [
    ...(trackingLinkId === null ? [] : [linkKey('tracking', trackingLinkId)]),
    ...(trialLinkId === null ? [] : [linkKey('trial', trialLinkId)]),
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

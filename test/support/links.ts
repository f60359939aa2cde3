import type { Sandbox } from 'creator-api-sandbox'
import type { Link } from '../../src/resources/links/links.ts'
import type { Client } from './client.ts'

/** The two kinds of links. */
export const kinds = ['tracking', 'trial'] as const
export type Kind = (typeof kinds)[number]

/** Returns the links of an account that are visible in the API. */
export function listLinks({ db }: Sandbox, kind: Kind, accountId: number): Link[] {
  const { trackingLinks, trialLinks } = db
  return kind === 'tracking'
    ? trackingLinks.where((link) => link.accountId === accountId && link.endDate === null)
    : trialLinks.where({ accountId })
}

/** Returns the subscriptions that started through a link. */
export function listClaims({ db }: Sandbox, kind: Kind, linkId: number) {
  return db.subscriptions.where(
    kind === 'tracking' ? { trackingLinkId: linkId } : { trialLinkId: linkId },
  )
}

/** Returns an account's link with the most claimers. */
export function findBusiestLink({ sandbox }: Client, kind: Kind, accountId: number) {
  return listLinks(sandbox, kind, accountId).toSorted(
    (a, b) => listClaims(sandbox, kind, b.id).length - listClaims(sandbox, kind, a.id).length,
  )[0]!
}

/**
 * Computes the history of a link with a full scan. The history contains the claims, and the later
 * payments by claimers, in cents.
 */
export function computeLinkHistory(sandbox: Sandbox, kind: Kind, linkId: number) {
  const claims = listClaims(sandbox, kind, linkId)
  const payments = claims.flatMap(({ accountId, fanId, subscribedAt }) =>
    sandbox.db.transactions
      .where(
        (row) =>
          row.accountId === accountId &&
          row.fanId === fanId &&
          row.status !== 'undo' &&
          (row.transaction_created_at ?? '') >= subscribedAt,
      )
      .map((row) => ({
        at: row.transaction_created_at!,
        fanId,
        cents: Math.round((row.amount ?? 0) * 100),
      })),
  )
  return { claims, payments }
}

/** Sums a link's history between two times. */
export function computeLinkTotals(
  { claims, payments }: ReturnType<typeof computeLinkHistory>,
  from = '',
  to = '9',
) {
  const within = payments.filter(({ at }) => at >= from && at <= to)
  return {
    subs: claims.filter(({ subscribedAt }) => subscribedAt >= from && subscribedAt <= to).length,
    revenue: within.reduce((sum, { cents }) => sum + cents, 0) / 100,
    spenders: new Set(within.map(({ fanId }) => fanId)).size,
  }
}

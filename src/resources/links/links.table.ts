import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import {
  compareAscending,
  defineTable,
  compareDescending,
  combineComparators,
  recordTime,
} from '../../data/define-table.ts'
import { count } from '../../api/sizes.ts'

/**
 * Kinds of links through which fans join. Tracking links belong to campaigns, and trial links offer
 * free trials.
 */
export const LinkKind = z.enum(['tracking', 'trial'])
export type LinkKind = z.infer<typeof LinkKind>

/**
 * Returns the fields that both kinds of links have. The fields from `customName` on are defined by
 * the service, and the other fields by the platform.
 */
export function createLinkFields() {
  return {
    id: z.int(),
    accountId: z.int(),
    createdAt: recordTime,
    customName: z.string().nullable().default(null),
    note: z.string().nullable().default(null),
    customSourceUrl: z.string().nullable().default(null),
    promoCost: z.number().nullable().default(null),
    isHidden: z.boolean().default(false),
    tags: z.array(z.int()).default([]),
  }
}

/** Service fields of a new link, without its tags. */
export const emptyServiceFields = {
  customName: null,
  note: null,
  customSourceUrl: null,
  promoCost: null,
  isHidden: false,
} as const

/** Returns the key of a link, such as `trial:6021`. It is unique across both kinds. */
export function toLinkKey(kind: LinkKind, linkId: number): string {
  return `${kind}:${linkId}`
}

/**
 * Current totals and sort keys of one link. The record is replaced when the link or its claims,
 * payments or shares change, so it can serve as a cache key.
 */
export const LinkMetrics = lazyObject(() => ({
  id: z.string(),
  kind: LinkKind,
  linkId: z.int(),
  accountId: z.int(),
  isHidden: z.boolean(),
  isOver: z.boolean(),
  createdAt: z.string(),
  name: z.string(),
  clicks: z.int(),
  /**
   * Expiry time of a trial link. Links that do not expire have `never`, which sorts after all
   * times.
   */
  expiresAt: z.string(),
  /** Duration of the trial in days. 0 for tracking links. */
  days: z.int(),
  /** Maximum number of claims of a trial link. 0 if there is no limit, and for tracking links. */
  limit: z.int(),
  subs: z.int(),
  /** Payments of claimers since their claims, without refunds and rows without a time. */
  cents: z.int(),
  spenders: z.int(),
  /** Number of public pages. */
  shares: z.int(),
}))
export type LinkMetrics = Readonly<z.infer<typeof LinkMetrics>>

/** Filter for a list of links. `over` means deleted or finished. */
export interface LinkScope {
  visibility: 'visible' | 'hidden' | 'all'
  status: 'active' | 'over' | 'all'
}

const highestFirst = (measure: (row: LinkMetrics) => number | string) => ({
  group: (row: LinkMetrics) => listScopes(row),
  order: compareDescending<LinkMetrics>(measure, (row) => row.linkId),
})

export const linkMetrics = defineTable({
  schema: LinkMetrics,
  derived: 'rebuilt',
  indexes: {
    created: highestFirst((row) => row.createdAt),
    subscribers: highestFirst((row) => row.subs),
    clicks: highestFirst((row) => row.clicks),
    name: {
      group: (row) => listScopes(row),
      order: combineComparators<LinkMetrics>(
        compareDescending((row) => row.name),
        compareAscending((row) => row.linkId),
      ),
    },
    shares: highestFirst((row) => row.shares),
    expires: highestFirst((row) => row.expiresAt),
    days: highestFirst((row) => row.days),
    limit: highestFirst((row) => row.limit),
  },
})

function listScopes({ kind, accountId, isHidden, isOver }: LinkMetrics): string[] {
  const visibilities = [isHidden ? 'hidden' : 'visible', 'all'] as const
  const statuses = [isOver ? 'over' : 'active', 'all'] as const
  return visibilities.flatMap((visibility) =>
    statuses.map((status) => toScopeKey(kind, accountId, { visibility, status })),
  )
}

/**
 * Returns the key of a set of links in the metrics indexes, such as
 * `tracking:310240117:visible:active`.
 */
export function toScopeKey(
  kind: LinkKind,
  accountId: number,
  { visibility, status }: LinkScope,
): string {
  return `${kind}:${accountId}:${visibility}:${status}`
}

/** Fields that a scenario can set for both kinds of links. */
export const seededLinkFields = {
  promoCost: z
    .number()
    .min(0)
    .max(1_000_000_000)
    .nullable()
    .default(null)
    .describe('Cost of promoting the link, in dollars.'),
  shares: count
    .max(100)
    .default(0)
    .describe('Number of public pages. Every second page has expired.'),
}

/** Returns the total number of claimers of these links. */
export function countClaimers(links: readonly { claimers: number }[]): number {
  return links.reduce((sum, { claimers }) => sum + claimers, 0)
}

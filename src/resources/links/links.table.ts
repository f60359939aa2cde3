import { z } from 'zod'
import { ascending, defineTable, descending, orderBy } from '../../data/define-table.ts'

/**
 * The kinds of links that bring fans: a tracking link belongs to a campaign, a trial link gives a
 * free trial.
 */
export const LinkKind = z.enum(['tracking', 'trial'])
export type LinkKind = z.infer<typeof LinkKind>

/**
 * The fields of links of both kinds. Those from `customName` on are the service's own, the others
 * are the platform's.
 */
export function linkFields() {
  return {
    id: z.int(),
    accountId: z.int(),
    createdAt: z.iso.datetime(),
    customName: z.string().nullable().default(null),
    note: z.string().nullable().default(null),
    customSourceUrl: z.string().nullable().default(null),
    promoCost: z.number().nullable().default(null),
    isHidden: z.boolean().default(false),
    tags: z.array(z.int()).default([]),
  }
}

/** The service's own fields of a new link, except its tags. */
export const emptyServiceFields = {
  customName: null,
  note: null,
  customSourceUrl: null,
  promoCost: null,
  isHidden: false,
} as const

/** The id of a link among the links of both kinds, such as `trial:6021`. */
export function linkKey(kind: LinkKind, linkId: number): string {
  return `${kind}:${linkId}`
}

/**
 * What one link brought so far, and what links are sorted by. It is kept up to date with links,
 * claims, payments and shares: a change of any of them replaces the record, so that it can be the
 * key of a cache.
 */
export const LinkMetrics = z.lazy(() =>
  z.object({
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
     * When a trial link stops taking claims; `never`, which sorts after all times, when it does not
     * expire.
     */
    expiresAt: z.string(),
    /** How many days a trial lasts; 0 for tracking links. */
    days: z.int(),
    /** How many claims a trial link allows; 0 for any number, and for tracking links. */
    limit: z.int(),
    subs: z.int(),
    /**
     * What the claimers paid since their claims, without refunds and without rows that have no
     * time.
     */
    cents: z.int(),
    spenders: z.int(),
    /** How many public pages the link has. */
    shares: z.int(),
  }),
)
export type LinkMetrics = Readonly<z.infer<typeof LinkMetrics>>

/** Which links a list shows. A link that is over was deleted or is finished. */
export interface LinkScope {
  visibility: 'visible' | 'hidden' | 'all'
  status: 'active' | 'over' | 'all'
}

const highestFirst = (measure: (row: LinkMetrics) => number | string) => ({
  group: (row: LinkMetrics) => scopesOf(row),
  order: orderBy<LinkMetrics>(
    descending(measure),
    descending((row) => row.linkId),
  ),
})

export const linkMetrics = defineTable({
  schema: LinkMetrics,
  derived: 'rebuilt',
  indexes: {
    created: highestFirst((row) => row.createdAt),
    subscribers: highestFirst((row) => row.subs),
    clicks: highestFirst((row) => row.clicks),
    name: {
      group: (row) => scopesOf(row),
      order: orderBy<LinkMetrics>(
        descending((row) => row.name),
        ascending((row) => row.linkId),
      ),
    },
    shares: highestFirst((row) => row.shares),
    expires: highestFirst((row) => row.expiresAt),
    days: highestFirst((row) => row.days),
    limit: highestFirst((row) => row.limit),
  },
})

function scopesOf({ kind, accountId, isHidden, isOver }: LinkMetrics): string[] {
  const visibilities = [isHidden ? 'hidden' : 'visible', 'all'] as const
  const statuses = [isOver ? 'over' : 'active', 'all'] as const
  return visibilities.flatMap((visibility) =>
    statuses.map((status) => scopeKey(kind, accountId, { visibility, status })),
  )
}

/**
 * The group of the links of a scope, in every index of the metrics, such as
 * `tracking:310240117:visible:active`.
 */
export function scopeKey(
  kind: LinkKind,
  accountId: number,
  { visibility, status }: LinkScope,
): string {
  return `${kind}:${accountId}:${visibility}:${status}`
}

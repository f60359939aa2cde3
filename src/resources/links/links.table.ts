import { z } from 'zod'
import { ascending, defineTable, descending, orderBy } from '../../engine/store/table.ts'

/** The two kinds of links that bring fans: campaigns, and free trials. */
export const LinkKind = z.enum(['tracking', 'trial'])
export type LinkKind = z.infer<typeof LinkKind>

/** What links of both kinds have: whose they are, and the service's own fields (custom name to tags). */
export const linkFields = {
  id: z.int(),
  accountId: z.int(),
  createdAt: z.iso.datetime(),
  customName: z.string().nullable(),
  note: z.string().nullable(),
  customSourceUrl: z.string().nullable(),
  promoCost: z.number().nullable(),
  isHidden: z.boolean(),
  tags: z.array(z.int()),
}

/** The service's own fields of a new link. */
export const nothingMarked = { customName: null, note: null, customSourceUrl: null, promoCost: null, isHidden: false } as const

/** The id of a link among those of both kinds. */
export function linkKey(kind: LinkKind, linkId: number): string {
  return `${kind}:${linkId}`
}

/**
 * What one link brought so far, and what links are listed by: kept up to date with links, claims, payments and shares.
 * The record is another object after anything of that changed.
 */
export const LinkMetrics = z.object({
  id: z.string(),
  kind: LinkKind,
  linkId: z.int(),
  accountId: z.int(),
  isHidden: z.boolean(),
  isOver: z.boolean(),
  createdAt: z.string(),
  name: z.string(),
  clicks: z.int(),
  /** When a trial link stops taking claims; past all times when never. */
  expiresAt: z.string(),
  /** The days of a trial; 0 on tracking links. */
  days: z.int(),
  /** The claims that a trial link allows, 0: any number. */
  limit: z.int(),
  subs: z.int(),
  /** What the claimers paid since they came, refunds and rows without a time left out. */
  cents: z.int(),
  spenders: z.int(),
  /** How many public pages it has. */
  shares: z.int(),
})
export type LinkMetrics = Readonly<z.infer<typeof LinkMetrics>>

/** Which links a list shows; links that are over are deleted or finished. */
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

function scopesOf({ kind, accountId, isHidden, isOver: over }: LinkMetrics): string[] {
  const visibilities = [isHidden ? 'hidden' : 'visible', 'all'] as const
  const statuses = [over ? 'over' : 'active', 'all'] as const
  return visibilities.flatMap((visibility) => statuses.map((status) => scopeKey(kind, accountId, { visibility, status })))
}

export function scopeKey(kind: LinkKind, accountId: number, { visibility, status }: LinkScope): string {
  return `${kind}:${accountId}:${visibility}:${status}`
}

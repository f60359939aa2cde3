import { z } from 'zod'
import { lazyObject, lazyStrictObject } from '../../lib/fields.ts'
import {
  compareAscending,
  defineTable,
  compareDescending,
  recordTime,
} from '../../data/define-table.ts'
import { createLinkFields, countClaimers, seededLinkFields } from '../links/links.table.ts'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** A campaign link of an account. */
export const TrackingLink = lazyObject(() => ({
  ...createLinkFields(),
  kind: z.literal('tracking'),
  campaignName: z.string(),
  campaignCode: z.int(),
  campaignUrl: z.string(),
  /** Number of clicks since the link was created. */
  countTransitions: z.int().default(0),
  /** Time of deletion. Null if it was not deleted. */
  endDate: recordTime.nullable().default(null),
}))
export type TrackingLink = Readonly<z.infer<typeof TrackingLink>>

export const trackingLinks = defineTable({
  schema: TrackingLink,
  references: { accountId: 'accounts', tags: 'tags' },
  firstId: 2_410_000,
  indexes: {
    byAccount: {
      group: (link) => link.accountId,
      order: compareDescending(
        (link) => link.createdAt,
        (link) => link.id,
      ),
    },
    byCode: {
      group: (link) => toCodeKey(link.accountId, link.campaignCode),
      order: compareAscending((link) => link.id),
    },
    byTag: { group: (link) => link.tags, order: compareAscending((link) => link.id) },
  },
})

/**
 * Returns the key in the index `byCode` for a link code of an account, such as `310240117:4711`.
 */
export function toCodeKey(accountId: number, code: number): string {
  return `${accountId}:${code}`
}

/** A tracking link to seed. */
export const LinkData = lazyStrictObject(() => ({
  name: z
    .string()
    .max(200)
    .optional()
    .describe("The name of the campaign. Default: the next name in the persona's list."),
  claimers: count.default(0).describe('Number of claims.'),
  deleted: z.boolean().default(false).describe('true: the link was deleted.'),
  ...seededLinkFields,
}))
export type LinkData = z.infer<typeof LinkData>

/** Scenario settings for tracking links. */
export const trackingLinkSizes = {
  trackingLinks: defineSize(
    () =>
      z
        .array(LinkData)
        .max(10_000)
        .describe('Tracking links. Each fan joins through at most one link.'),
    [],
    ({ trackingLinks }: { trackingLinks: readonly LinkData[] }) => countClaimers(trackingLinks),
  ),
}
export type TrackingLinkSizes = SizeValues<typeof trackingLinkSizes>

import { z } from 'zod'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'
import { countClaimers, seededLinkFields } from '../links/sizes.ts'

/** A tracking link to seed. */
export const LinkData = z.lazy(() =>
  z.strictObject({
    name: z
      .string()
      .max(200)
      .optional()
      .describe("The name of the campaign. Default: the next name in the persona's list."),
    claimers: count.default(0).describe('Number of claims.'),
    deleted: z.boolean().default(false).describe('true: the link was deleted.'),
    ...seededLinkFields,
  }),
)
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

import { z } from 'zod'
import { count, size } from '../../api/sizes.ts'
import type { SizesOf } from '../../api/sizes.ts'
import { countClaimers, seededLinkFields } from '../links/sizes.ts'

/** A tracking link to seed. */
export const LinkData = z.lazy(() =>
  z.strictObject({
    name: z
      .string()
      .max(200)
      .optional()
      .describe("The name of the campaign. Absent: the persona's next one."),
    claimers: count.default(0).describe('How many fans came through it.'),
    deleted: z.boolean().default(false).describe('Whether it was deleted since.'),
    ...seededLinkFields,
  }),
)
export type LinkData = z.infer<typeof LinkData>

/** Which tracking links a scenario can ask for. */
export const trackingLinkSizes = {
  trackingLinks: size(
    () =>
      z
        .array(LinkData)
        .max(10_000)
        .describe('Tracking links. A fan came through one of them at most.'),
    [],
    ({ trackingLinks }: { trackingLinks: readonly LinkData[] }) => countClaimers(trackingLinks),
  ),
}
export type TrackingLinkSizes = SizesOf<typeof trackingLinkSizes>

import { z } from 'zod'
import { count, size } from '../../api/sizes.ts'
import type { SizesOf } from '../../api/sizes.ts'
import { countClaimers, seededLinkFields } from '../links/sizes.ts'
import type { LinkData } from '../tracking-links/sizes.ts'

/** A trial link to seed. */
export const TrialData = z.lazy(() =>
  z
    .strictObject({
      name: z
        .string()
        .max(200)
        .optional()
        .describe("The name of the trial. Absent: the persona's next one."),
      claimers: count.default(0).describe('How many fans came through it.'),
      days: z.int().min(1).max(365).default(30).describe('How long the trial lasts.'),
      limit: count.default(0).describe('How many may claim it; 0: any number.'),
      ended: z
        .enum(['expired', 'claimed', 'finished'])
        .optional()
        .describe(
          'Why it takes no more claims: its time ran out, the last claim that it allowed was ' +
            'made, or it was finished by hand.',
        ),
      hidden: z
        .boolean()
        .default(false)
        .describe("Whether it is hidden from the service's own list."),
      ...seededLinkFields,
    })
    .refine(({ ended, claimers }) => ended !== 'claimed' || claimers > 0, {
      path: ['claimers'],
      error: 'a trial link that was claimed up needs a claimer',
    }),
)
export type TrialData = z.infer<typeof TrialData>

/** Which trial links a scenario can ask for. */
export const trialLinkSizes = {
  trialLinks: size(
    () =>
      z
        .array(TrialData)
        .max(10_000)
        .describe('Trial links. Their claimers are fans whom no tracking link brought.'),
    [],
    ({
      trackingLinks,
      trialLinks,
    }: {
      trackingLinks: readonly LinkData[]
      trialLinks: readonly TrialData[]
    }) => countClaimers([...trackingLinks, ...trialLinks]),
  ),
}
export type TrialLinkSizes = SizesOf<typeof trialLinkSizes>

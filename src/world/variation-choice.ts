import { z } from 'zod'

/** What may vary in the answers, in the order of docs/variation.md: `src/variation` says how. */
export const variationNames = [
  'absent-fields',
  'null-fields',
  'unknown-keys',
  'open-values',
  'key-order',
  'time-forms',
  'large-ids',
  'short-pages',
  'empty-page',
  'null-next-page',
  'moving-counts',
  'error-texts',
  'slow-answers',
  'expiring-links',
] as const
export type VariationName = (typeof variationNames)[number]

/** How the answers vary. */
export const VariationChoice = z.lazy(() =>
  z.strictObject({
    seed: z
      .int()
      .default(1)
      .describe('Where the chance of it comes from: with the same seed it is the same.'),
    only: z
      .array(z.enum(variationNames))
      .min(1)
      .max(variationNames.length)
      .optional()
      .describe('The variations, by name. Absent: all of them.'),
    delayMs: z
      .int()
      .min(0)
      .max(60_000)
      .default(200)
      .describe('How long slow-answers waits at most, real ms.'),
  }),
)
export type VariationChoice = z.output<typeof VariationChoice>

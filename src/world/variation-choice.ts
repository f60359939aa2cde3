import { z } from 'zod'
import { lazyStrictObject } from '../lib/fields.ts'

/**
 * Names of the response variations, in the order of docs/variation.md. `src/variation` implements
 * them.
 */
export const variationNames = [
  'absent-fields',
  'null-fields',
  'unknown-keys',
  'open-values',
  'key-order',
  'time-forms',
  'large-ids',
  'moving-rows',
  'short-pages',
  'empty-page',
  'null-next-page',
  'moving-counts',
  'error-texts',
  'slow-answers',
  'expiring-links',
] as const
export type VariationName = (typeof variationNames)[number]

/** The selected response variations, and their seed. */
export const VariationChoice = lazyStrictObject(() => ({
  seed: z
    .int()
    .default(1)
    .describe('Random seed for the variation. The same seed always produces the same variation.'),
  only: z
    .array(z.enum(variationNames))
    .min(1)
    .max(variationNames.length)
    .optional()
    .describe('Names of the variations. Default: all variations.'),
  delayMs: z
    .int()
    .min(0)
    .max(60_000)
    .default(200)
    .describe('Maximum delay for the variation slow-answers, in ms of real time.'),
}))
export type VariationChoice = z.output<typeof VariationChoice>

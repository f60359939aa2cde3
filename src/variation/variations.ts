import { answerVariations } from './response-variations.ts'
import { fieldVariations } from './field-variations.ts'
import { idVariations } from './id-variations.ts'
import { pageVariations } from './page-variations.ts'
import type { Variation } from './variation.ts'

/** All variations, in the order in which they are applied. */
export const variations: readonly Variation[] = [
  ...fieldVariations,
  ...idVariations,
  ...pageVariations,
  ...answerVariations,
]

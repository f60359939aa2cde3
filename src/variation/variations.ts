import { answerVariations } from './answers.ts'
import { fieldVariations } from './fields.ts'
import { idVariations } from './ids.ts'
import { pageVariations } from './pages.ts'
import type { Variation } from './variation.ts'

/** All variations, in the order in which they are applied. */
export const variations: readonly Variation[] = [
  ...fieldVariations,
  ...idVariations,
  ...pageVariations,
  ...answerVariations,
]

import { variationNames } from '../world/variation-choice.ts'
import type { VariationName } from '../world/variation-choice.ts'

/** The bad days of the service, in the order of docs/variation.md. */
export const badDayNames = [
  'bad-gateway',
  'bad-gateway-twice',
  'throttled',
  'lapsed-session',
  'lost-answer',
  'late-answer',
  'no-credits',
] as const
export type BadDayName = (typeof badDayNames)[number]

/** Variations and bad days, in the order in which `survive` runs them. */
export const trialNames = [...variationNames, ...badDayNames] as const
export type TrialName = VariationName | BadDayName

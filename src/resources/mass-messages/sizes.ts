import { count, defineSize } from '../../api/sizes.ts'
import type { SizesOf } from '../../api/sizes.ts'

/** Scenario settings for the mass messages of an account. */
export const massMessageSizes = {
  massMessages: defineSize(
    () =>
      count
        .max(2000)
        .describe(
          'Sent mass messages, each to at most 200 subscribers, best customers or lapsed fans ' +
            'of the account.',
        ),
    0,
  ),
  queuedMassMessages: defineSize(
    () =>
      count
        .max(1000)
        .describe(
          'Mass messages scheduled after the clock start. For every four of them, there is one ' +
            'cancelled message.',
        ),
    0,
  ),
}
export type MassMessageSizes = SizesOf<typeof massMessageSizes>

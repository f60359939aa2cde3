import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** Scenario settings for notifications. */
export const notificationSizes = {
  notifications: defineSize(
    () =>
      count
        .max(1000)
        .describe(
          'Maximum number of notifications about fan activity. Only the newest notifications ' +
            'are kept. ' +
            'Default: 150.',
        ),
    150,
  ),
}
export type NotificationSizes = SizeValues<typeof notificationSizes>

import { count, size } from '../../api/sizes.ts'
import type { SizesOf } from '../../api/sizes.ts'

/** How many notifications a scenario can ask for. */
export const notificationSizes = {
  notifications: size(
    () =>
      count
        .max(1000)
        .describe('The most notifications on what its fans did, the newest ones. Default: 150.'),
    150,
  ),
}
export type NotificationSizes = SizesOf<typeof notificationSizes>

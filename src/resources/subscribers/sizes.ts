import { count, defineSize } from '../../api/sizes.ts'
import type { SizesOf } from '../../api/sizes.ts'

/** Scenario settings for fans. */
export const subscriberSizes = {
  fans: defineSize(() => count.describe('Number of fans, subscribed or lapsed.'), 0),
}
export type SubscriberSizes = SizesOf<typeof subscriberSizes>

import { count, size } from '../../api/sizes.ts'
import type { SizesOf } from '../../api/sizes.ts'

/** Settings of a scenario for fans. */
export const subscriberSizes = {
  fans: size(() => count.describe('Number of fans, subscribed or lapsed.'), 0),
}
export type SubscriberSizes = SizesOf<typeof subscriberSizes>

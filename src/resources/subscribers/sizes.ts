import { count, size } from '../../api/sizes.ts'
import type { SizesOf } from '../../api/sizes.ts'

/** How many fans a scenario can ask for. */
export const subscriberSizes = {
  fans: size(() => count.describe('Fans, subscribed or lapsed.'), 0),
}
export type SubscriberSizes = SizesOf<typeof subscriberSizes>

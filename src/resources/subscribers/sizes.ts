import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** Scenario settings for fans. */
export const subscriberSizes = {
  fans: defineSize(() => count.describe('Number of fans, subscribed or lapsed.'), 0),
}
export type SubscriberSizes = SizeValues<typeof subscriberSizes>

import { z } from 'zod'
import { inferred } from '../../engine/fields.ts'
import { DailySeries, MassMessageStats } from '../mass-messages/schemas.ts'

/** Messages to single fans, with their figures. The rows have the shape of those of mass messages. */
export const DirectMessageStats = z.lazy(() => inferred(z.array(MassMessageStats)))

/** The messages to single fans that were sent and those that were bought, by day. */
export const DirectMessageChart = z.lazy(() => inferred(z.object({ direct_messages: DailySeries, direct_messages_purchases: DailySeries })))

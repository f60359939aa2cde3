import { z } from 'zod'
import { inferred } from '../../engine/fields.ts'
import { DailySeries, MassMessageStats } from '../mass-messages/schemas.ts'

/** Messages to single fans, with what became of each: rows as those of mass messages. */
export const DirectMessageStats = z.lazy(() => inferred(z.array(MassMessageStats)))

/** Messages sent to single fans, and bought, by day. */
export const DirectMessageChart = z.lazy(() => inferred(z.object({ direct_messages: DailySeries, direct_messages_purchases: DailySeries })))

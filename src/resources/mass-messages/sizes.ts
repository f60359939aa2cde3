import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** Scenario settings for the mass messages of an account. */
export const massMessageSizes = {
  massMessages: defineSize(
    () =>
      count
        .max(2000)
        .describe(
          'Number of sent mass messages. Each message has at most 200 recipients: ' +
            'subscribers, best customers or lapsed fans of the account. Some paid messages are ' +
            'sent again to fans who did not buy.',
        ),
    0,
  ),
  queuedMassMessages: defineSize(
    () =>
      count
        .max(1000)
        .describe(
          'Number of mass messages that are scheduled for after the start time. For ' +
            'every four of these messages, one cancelled message is added.',
        ),
    0,
  ),
}
export type MassMessageSizes = SizeValues<typeof massMessageSizes>

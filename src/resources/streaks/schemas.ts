import { z } from 'zod'
import { inferred, platformTime } from '../../lib/fields.ts'

/** A run of UTC days on which the creator posted, wrote to a fan or showed a story. */
export const Streak = z.lazy(() =>
  inferred(
    z.object({
      id: z.int(),
      startDate: platformTime.describe('The start of its first day.'),
      endDate: platformTime.describe('The start of its last day with activity.'),
      isActive: z.boolean().describe('True if it can still be extended.'),
      daysCount: z.int().describe('Number of active days.'),
      postsCount: z.int(),
      storiesCount: z.int(),
      chatsCount: z.int().describe("The creator's messages to single fans."),
      streamsDuration: z.int().describe('Seconds of saved streams.'),
      frozenDays: z.array(platformTime).describe('Days without activity that did not end it.'),
    }),
  ),
)

/** The streaks of a window. */
export const StreakList = z.lazy(() =>
  inferred(z.object({ list: z.array(Streak), hasMore: z.boolean() })),
)

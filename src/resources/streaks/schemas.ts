import { z } from 'zod'
import { markAsInferred, platformTime } from '../../lib/fields.ts'

/** A series of UTC days on which the creator published a post or story, or wrote to a fan. */
export const Streak = z.lazy(() =>
  markAsInferred(
    z.object({
      id: z.int(),
      startDate: platformTime.describe('The start of the first day of the streak.'),
      endDate: platformTime.describe('The start of the last active day of the streak.'),
      isActive: z.boolean().describe('True if the streak can still be extended.'),
      daysCount: z.int().describe('Number of active days.'),
      postsCount: z.int(),
      storiesCount: z.int(),
      chatsCount: z.int().describe("The creator's messages to single fans."),
      streamsDuration: z.int().describe('Seconds of saved streams.'),
      frozenDays: z.array(platformTime).describe('Single days without activity within the streak.'),
    }),
  ),
)

/** The streaks of a window. */
export const StreakList = z.lazy(() =>
  markAsInferred(z.object({ list: z.array(Streak), hasMore: z.boolean() })),
)

import { z } from 'zod'
import { markAsInferred, platformTime } from '../../lib/fields.ts'
import { UserListState } from '../users/schemas.ts'

/** A user who viewed a story. */
export const StoryViewerItem = z.lazy(() =>
  markAsInferred(
    z.object({
      id: z.int(),
      username: z.string(),
      name: z.string(),
      view: z.string(),
      isStoryLiked: z.boolean(),
      isStoryBlockedUser: z.boolean().describe('True if the account has blocked the viewer.'),
      hasStoryTips: z.boolean(),
      hasTopStoryTips: z.boolean().describe('True if no other user tipped more on the story.'),
      subscribedBy: z.boolean().describe('True if the account follows the viewer.'),
      subscribedByExpire: z
        .boolean()
        .describe('True if automatic renewal of this subscription is off.'),
      subscribedOn: z.boolean().describe('True if the viewer is subscribed to the account now.'),
      lastSeen: platformTime.nullable(),
      listsStates: z.array(UserListState).describe("The account's custom lists."),
    }),
  ),
)

/** A page of viewers of a story. */
export const StoryViewerPage = z.lazy(() =>
  markAsInferred(z.object({ hasMore: z.boolean(), list: z.array(StoryViewerItem) })),
)

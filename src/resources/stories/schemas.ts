import { z } from 'zod'
import { inferred, platformTime } from '../../lib/fields.ts'
import { UserListState } from '../users/schemas.ts'

/** A user who saw a story. */
export const StoryViewerItem = z.lazy(() =>
  inferred(
    z.object({
      id: z.int(),
      username: z.string(),
      name: z.string(),
      view: z.string(),
      isStoryLiked: z.boolean(),
      isStoryBlockedUser: z.boolean().describe('Whether the account has blocked them.'),
      hasStoryTips: z.boolean(),
      hasTopStoryTips: z.boolean().describe('Whether nobody tipped more for the story.'),
      subscribedBy: z.boolean().describe('Whether the account follows them.'),
      subscribedByExpire: z.boolean().describe('Whether that ends without a renewal.'),
      subscribedOn: z.boolean().describe('Whether they are subscribed to the account now.'),
      lastSeen: platformTime.nullable(),
      listsStates: z.array(UserListState).describe("The account's custom lists."),
    }),
  ),
)

/** A page of those who saw a story. */
export const StoryViewerPage = z.lazy(() =>
  inferred(z.object({ hasMore: z.boolean(), list: z.array(StoryViewerItem) })),
)

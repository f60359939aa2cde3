import { z } from 'zod'
import {
  platformTime,
  listLimit,
  offset,
  createQueryValueSchema,
  lazyInferredObject,
} from '../../lib/fields.ts'
import { UserListState } from '../users/schemas.ts'
import { Page } from '../../api/route.ts'
import { createRouteDefiner } from '../define.ts'
import type { World } from '../world.ts'
import { requireUser } from '../users/marks.ts'
import { shortView, createUserObject } from '../users/users.ts'
import { listStoryViewers, requireStory } from './stories.ts'
import type { StoryViewer } from './stories.ts'

const defineRoute = createRouteDefiner({ group: 'Highlights' })

/** A user who viewed a story. */
export const StoryViewerItem = lazyInferredObject(() => ({
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
}))

/** A page of viewers of a story. */
export const StoryViewerPage = lazyInferredObject(() => ({
  hasMore: z.boolean(),
  list: z.array(StoryViewerItem),
}))

/**
 * A query flag. `true` and `1` set it. According to the older reference, other values are ignored.
 */
const onlyWithTips = () =>
  createQueryValueSchema(
    'it must be true or 1',
    { type: 'boolean' },
    (text) => text === 'true' || text === '1',
  )

const listViewers = defineRoute({
  id: 'GET /v1/:account_id/stories/:story_id/viewers',
  permission: 'api_stories_list_viewers',
  source: 'published',
  evidence: 'permission group by analogy',
  summary: 'List the viewers of a story',
  errors: ['story_unknown'],
  rules: [
    'story_id is the id of a story in the leaderboard or the highlights. The viewers are still ' +
      'returned when the story is no longer shown.',
    'The users who tipped come first, then the viewers in the leaderboard, then other fans who ' +
      'were subscribed when the story was published.',
    'only_with_tips filters the list if it is true or 1. Any other value is ignored.',
    'next_page always contains limit and offset.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: () => ({
    limit: listLimit,
    offset,
    only_with_tips: onlyWithTips()
      .default(false)
      .describe('true or 1: only viewers who tipped on the story.'),
  }),
  data: StoryViewerPage,
  handle({ world, account, params, query }) {
    const story = requireStory(world, account, params.story_id)
    const { rows, hasMore, next } = listStoryViewers(world, story, {
      ...query,
      onlyWithTips: query.only_with_tips,
    })
    const list = rows.map(({ userId, ...viewer }) =>
      world.json(toViewer, requireUser(world, userId), { accountId: account.id, ...viewer }),
    )
    return new Page({ hasMore, list }, next && { limit: query.limit, ...next })
  },
})

export const storyRoutes = [listViewers]

function toViewer(
  world: World,
  { id: userId }: { id: number },
  { accountId, isLiked, hasTips, hasTopTips }: Omit<StoryViewer, 'userId'> & { accountId: number },
) {
  const user = createUserObject(world, accountId, userId)
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    view: shortView,
    isStoryLiked: isLiked,
    isStoryBlockedUser: user.isBlocked,
    hasStoryTips: hasTips,
    hasTopStoryTips: hasTopTips,
    subscribedBy: user.subscribedBy,
    subscribedByExpire: user.subscribedByExpire,
    subscribedOn: user.subscribedOn,
    lastSeen: user.lastSeen,
    listsStates: user.listsStates,
  }
}

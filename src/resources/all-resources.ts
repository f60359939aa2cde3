import type { Resource } from '../api/resource.ts'
import { accounts } from './accounts/resource.ts'
import { chats } from './chats/resource.ts'
import { comments } from './comments/resource.ts'
import { directMessages } from './direct-messages/resource.ts'
import { earnings } from './earnings/resource.ts'
import { fanRecords } from './fan-records/resource.ts'
import { fans } from './fans/resource.ts'
import { gifs } from './gifs/resource.ts'
import { highlights } from './highlights/resource.ts'
import { labels } from './labels/resource.ts'
import { linkShares } from './link-shares/resource.ts'
import { links } from './links/resource.ts'
import { massMessages } from './mass-messages/resource.ts'
import { media } from './media/resource.ts'
import { messages } from './messages/resource.ts'
import { notifications } from './notifications/resource.ts'
import { overview } from './overview/resource.ts'
import { payments } from './payments/resource.ts'
import { payouts } from './payouts/resource.ts'
import { posts } from './posts/resource.ts'
import { promotions } from './promotions/resource.ts'
import { reach } from './reach/resource.ts'
import { referrals } from './referrals/resource.ts'
import { schedules } from './schedules/resource.ts'
import { spenders } from './spenders/resource.ts'
import { stories } from './stories/resource.ts'
import { streaks } from './streaks/resource.ts'
import { subscribers } from './subscribers/resource.ts'
import { system } from './system/resource.ts'
import { tags } from './tags/resource.ts'
import { trackingLinks } from './tracking-links/resource.ts'
import { trialLinks } from './trial-links/resource.ts'
import { uploads } from './uploads/resource.ts'
import { userLists } from './user-lists/resource.ts'
import { users } from './users/resource.ts'
import { vault } from './vault/resource.ts'
import type { World } from './world.ts'
import type { Route } from '../api/route.ts'

/**
 * All API resources, in the order of the documentation. Routes, table listeners, sizes, actions and
 * examples are all derived from this list.
 */
export const resources = [
  system,
  accounts,
  posts,
  comments,
  labels,
  fans,
  spenders,
  fanRecords,
  subscribers,
  userLists,
  users,
  vault,
  media,
  uploads,
  gifs,
  links,
  trackingLinks,
  trialLinks,
  promotions,
  linkShares,
  tags,
  messages,
  massMessages,
  schedules,
  chats,
  directMessages,
  notifications,
  payments,
  stories,
  streaks,
  highlights,
  reach,
  referrals,
  payouts,
  earnings,
  overview,
] as const

/** The same resources with a common type. */
export const allResources: readonly Resource<World>[] = resources

/**
 * All API routes, by resource. Matching, checks, OpenAPI and docs are all derived from this list.
 */
export const routes: readonly Route[] = allResources.flatMap((resource) => resource.routes ?? [])

/** All permissions that routes require, without duplicates. */
export const allPermissions: readonly string[] = [
  ...new Set(routes.flatMap(({ permission }) => permission ?? [])),
]

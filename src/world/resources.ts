import type { Resource } from '../engine/resource.ts'
import { accounts } from '../resources/accounts/resource.ts'
import { chats } from '../resources/chats/resource.ts'
import { comments } from '../resources/comments/resource.ts'
import { directMessages } from '../resources/direct-messages/resource.ts'
import { earnings } from '../resources/earnings/resource.ts'
import { fanRecords } from '../resources/fan-records/resource.ts'
import { fans } from '../resources/fans/resource.ts'
import { gifs } from '../resources/gifs/resource.ts'
import { highlights } from '../resources/highlights/resource.ts'
import { labels } from '../resources/labels/resource.ts'
import { linkShares } from '../resources/link-shares/resource.ts'
import { links } from '../resources/links/resource.ts'
import { massMessages } from '../resources/mass-messages/resource.ts'
import { media } from '../resources/media/resource.ts'
import { messages } from '../resources/messages/resource.ts'
import { notifications } from '../resources/notifications/resource.ts'
import { overview } from '../resources/overview/resource.ts'
import { payments } from '../resources/payments/resource.ts'
import { payouts } from '../resources/payouts/resource.ts'
import { posts } from '../resources/posts/resource.ts'
import { promotions } from '../resources/promotions/resource.ts'
import { reach } from '../resources/reach/resource.ts'
import { referrals } from '../resources/referrals/resource.ts'
import { schedules } from '../resources/schedules/resource.ts'
import { spenders } from '../resources/spenders/resource.ts'
import { stories } from '../resources/stories/resource.ts'
import { streaks } from '../resources/streaks/resource.ts'
import { subscribers } from '../resources/subscribers/resource.ts'
import { system } from '../resources/system/resource.ts'
import { tags } from '../resources/tags/resource.ts'
import { trackingLinks } from '../resources/tracking-links/resource.ts'
import { trialLinks } from '../resources/trial-links/resource.ts'
import { uploads } from '../resources/uploads/resource.ts'
import { userLists } from '../resources/user-lists/resource.ts'
import { users } from '../resources/users/resource.ts'
import { vault } from '../resources/vault/resource.ts'
import type { Seeding } from './seeding.ts'
import type { World } from './world.ts'

/**
 * Every resource of the API, in the order in which the documents show them. Routes, followers of
 * tables, sizes, actions and examples all come from this list.
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

/** The same resources, all of one type. */
export const allResources: readonly Resource<World, Seeding>[] = resources

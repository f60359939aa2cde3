import type { Route } from '../route.ts'
import { accountRoutes } from './accounts.ts'
import { chatRoutes } from './chats.ts'
import { directMessageRoutes } from './direct-messages.ts'
import { earningRoutes } from './earnings.ts'
import { fanDetailRoutes } from './fan-details.ts'
import { fanRecordRoutes } from './fan-records.ts'
import { fanRoutes } from './fans.ts'
import { highlightRoutes } from './highlights.ts'
import { linkClaimerRoutes } from './link-claimers.ts'
import { linkListRoutes } from './link-lists.ts'
import { linkShareRoutes } from './link-shares.ts'
import { linkRoutes } from './links.ts'
import { massMessageQueueRoutes } from './mass-message-queue.ts'
import { massMessageRoutes } from './mass-messages.ts'
import { messageRoutes } from './messages.ts'
import { notificationRoutes } from './notifications.ts'
import { payoutRoutes } from './payouts.ts'
import { postEditRoutes } from './post-edits.ts'
import { postLabelRoutes } from './post-labels.ts'
import { postRoutes } from './posts.ts'
import { reachRoutes } from './reach.ts'
import { referralRoutes } from './referrals.ts'
import { scheduleRoutes } from './schedules.ts'
import { spenderRoutes } from './spenders.ts'
import { streakRoutes } from './streaks.ts'
import { subscriberRoutes } from './subscribers.ts'
import { systemRoutes } from './system.ts'
import { tagRoutes } from './tags.ts'
import { trackingLinkRoutes } from './tracking-links.ts'
import { trialLinkRoutes } from './trial-links.ts'
import { gifRoutes } from './gifs.ts'
import { uploadRoutes } from './uploads.ts'
import { vaultListRoutes } from './vault-lists.ts'
import { userActionRoutes } from './user-actions.ts'
import { userListRoutes } from './user-lists.ts'
import { vaultRoutes } from './vault.ts'

/** Every route of the API, by the groups of the reference. All else (matching, checks, OpenAPI, docs) is derived from this list. */
export const routes: readonly Route[] = [
  ...systemRoutes,
  ...accountRoutes,
  ...postRoutes,
  ...postEditRoutes,
  ...postLabelRoutes,
  ...fanRoutes,
  ...spenderRoutes,
  ...fanRecordRoutes,
  ...fanDetailRoutes,
  ...subscriberRoutes,
  ...userListRoutes,
  ...userActionRoutes,
  ...vaultRoutes,
  ...vaultListRoutes,
  ...uploadRoutes,
  ...gifRoutes,
  ...linkListRoutes,
  ...trackingLinkRoutes,
  ...trialLinkRoutes,
  ...linkRoutes,
  ...linkClaimerRoutes,
  ...linkShareRoutes,
  ...tagRoutes,
  ...messageRoutes,
  ...massMessageRoutes,
  ...massMessageQueueRoutes,
  ...scheduleRoutes,
  ...chatRoutes,
  ...directMessageRoutes,
  ...notificationRoutes,
  ...streakRoutes,
  ...highlightRoutes,
  ...reachRoutes,
  ...referralRoutes,
  ...payoutRoutes,
  ...earningRoutes,
]

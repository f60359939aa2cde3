import type { Route } from '../engine/route.ts'
import { accountRoutes } from '../resources/accounts/routes.ts'
import { chatRoutes } from '../resources/chats/routes.ts'
import { directMessageRoutes } from '../resources/direct-messages/routes.ts'
import { earningRoutes } from '../resources/earnings/routes.ts'
import { fanRecordRoutes } from '../resources/fan-records/routes.ts'
import { fanDetailRoutes } from '../resources/fans/details.routes.ts'
import { fanRoutes } from '../resources/fans/routes.ts'
import { gifRoutes } from '../resources/gifs/routes.ts'
import { highlightRoutes } from '../resources/highlights/routes.ts'
import { postLabelRoutes } from '../resources/labels/routes.ts'
import { linkShareRoutes } from '../resources/link-shares/routes.ts'
import { linkClaimerRoutes } from '../resources/links/claimers.routes.ts'
import { linkListRoutes } from '../resources/links/lists.routes.ts'
import { linkRoutes } from '../resources/links/routes.ts'
import { massMessageQueueRoutes } from '../resources/mass-messages/queue.routes.ts'
import { massMessageRoutes } from '../resources/mass-messages/routes.ts'
import { messageRoutes } from '../resources/messages/routes.ts'
import { notificationRoutes } from '../resources/notifications/routes.ts'
import { payoutRoutes } from '../resources/payouts/routes.ts'
import { postEditRoutes } from '../resources/posts/edits.routes.ts'
import { postRoutes } from '../resources/posts/routes.ts'
import { reachRoutes } from '../resources/reach/routes.ts'
import { referralRoutes } from '../resources/referrals/routes.ts'
import { scheduleRoutes } from '../resources/schedules/routes.ts'
import { spenderRoutes } from '../resources/spenders/routes.ts'
import { streakRoutes } from '../resources/streaks/routes.ts'
import { subscriberRoutes } from '../resources/subscribers/routes.ts'
import { systemRoutes } from '../resources/system/routes.ts'
import { tagRoutes } from '../resources/tags/routes.ts'
import { trackingLinkRoutes } from '../resources/tracking-links/routes.ts'
import { trialLinkRoutes } from '../resources/trial-links/routes.ts'
import { uploadRoutes } from '../resources/uploads/routes.ts'
import { userListRoutes } from '../resources/user-lists/routes.ts'
import { userActionRoutes } from '../resources/users/routes.ts'
import { vaultListRoutes } from '../resources/vault/lists.routes.ts'
import { vaultRoutes } from '../resources/vault/routes.ts'

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

import type { Route } from '../route.ts'
import { accountRoutes } from './accounts.ts'
import { chatRoutes } from './chats.ts'
import { fanRecordRoutes } from './fan-records.ts'
import { fanRoutes } from './fans.ts'
import { linkShareRoutes } from './link-shares.ts'
import { messageRoutes } from './messages.ts'
import { notificationRoutes } from './notifications.ts'
import { postEditRoutes } from './post-edits.ts'
import { postLabelRoutes } from './post-labels.ts'
import { postRoutes } from './posts.ts'
import { spenderRoutes } from './spenders.ts'
import { systemRoutes } from './system.ts'
import { tagRoutes } from './tags.ts'
import { trackingLinkDataRoutes } from './tracking-link-data.ts'
import { trackingLinkRoutes } from './tracking-links.ts'
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
  ...vaultRoutes,
  ...trackingLinkRoutes,
  ...trackingLinkDataRoutes,
  ...linkShareRoutes,
  ...tagRoutes,
  ...messageRoutes,
  ...chatRoutes,
  ...notificationRoutes,
]

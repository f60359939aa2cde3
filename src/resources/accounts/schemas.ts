import { z } from 'zod'
import { markAsInferred, platformTime } from '../../lib/fields.ts'

/** A connected account of the organisation. */
export const ConnectedAccount = z.lazy(() =>
  markAsInferred(
    z.object({
      id: z.string().describe("The platform's numeric account id, as a string."),
      username: z.string(),
      name: z.string(),
      avatar: z.string(),
      status: z
        .enum(['active', 'sync_lost'])
        .describe('sync_lost: the upstream session has lapsed, so relay routes return 424.'),
    }),
  ),
)

/** All connected accounts of the organisation. */
export const ConnectedAccounts = z.lazy(() =>
  markAsInferred(z.object({ list: z.array(ConnectedAccount) })),
)

/** Time when the account joined the platform. */
export const AccountStartDate = z.lazy(() => markAsInferred(z.object({ startDate: platformTime })))

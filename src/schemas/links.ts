import { z } from 'zod'
import { inferred, instant } from './common.ts'

/** A subscriber who came through a link. */
export const Claimer = z.object({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  subscribePrice: z.number(),
  subscribedOnData: z.object({ date: instant.describe('When they subscribed.') }),
})

/** A page of claimers. */
export const ClaimerPage = z.object({
  list: z.array(Claimer),
  hasMore: z.boolean().describe('false when offset is 0 and true otherwise, whatever remains: follow next_page.'),
})

/** The tags of a link after they were set. */
export const TrackingLinkTags = z.object({ tracking_link_id: z.string(), tag_ids: z.array(z.int()) })

/** A tag of the organisation. */
export const TagItem = z.object({
  id: z.int(),
  name: inferred(z.string()),
  color: inferred(z.string().nullable()),
  created_at: inferred(instant),
})

/** The organisation's tags. */
export const TagList = inferred(z.object({ list: z.array(TagItem), hasMore: z.boolean() }))

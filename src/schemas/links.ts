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

/** A tag as a link shows it. */
export const LinkTag = z.object({ id: z.int(), name: inferred(z.string()), color: inferred(z.string().nullable()) })

/** A tracking link, as its creation, its read, its update and the service's own list answer it. Dollars. */
export const TrackingLinkItem = z.object({
  id: z.int(),
  campaignName: inferred(z.string()),
  campaignCode: inferred(z.int()),
  campaignUrl: z.string(),
  countTransitions: z.int().describe('Clicks since its creation.'),
  countSubscribers: inferred(z.int()),
  createdAt: inferred(instant),
  endDate: inferred(instant.nullable()),
  customName: inferred(z.string().nullable()),
  note: inferred(z.string().nullable()),
  customSourceUrl: z.string().nullable(),
  promoCost: inferred(z.number().nullable()),
  isHidden: inferred(z.boolean()),
  revenue: z
    .object({
      total: z.number(),
      revenuePerSubscriber: z.number(),
      revenuePerClick: z.number(),
      spendersCount: z.int(),
      calculatedAt: instant.nullable(),
      isLoading: z.boolean(),
    })
    .describe('What its claimers paid since they came; the keys inside are inferred.'),
  cost: z
    .object({
      inputMode: z.string().nullable(),
      inputValue: z.number().nullable(),
      perSub: z.number().nullable(),
      perPromo: z.number().nullable(),
      perClick: z.number().nullable(),
      subscriberSourceCount: z.int(),
      clickSourceCount: z.int(),
    })
    .describe('What the promotion cost; the keys inside are inferred.'),
  tags: z.array(LinkTag),
  links: z.object({ related: z.object({ claimers: z.string(), stats: z.string() }) }).describe('Relative addresses; the keys inside are inferred.'),
})

/** A page of the service's own list of tracking links. */
export const TrackingLinkPage = inferred(z.object({ list: z.array(TrackingLinkItem), hasMore: z.boolean() }))

/** One UTC day or month of a link; only those with activity are there. */
export const LinkBucket = z.object({
  timestamp: inferred(instant),
  subs: inferred(z.int()),
  revenue: inferred(z.number()),
  spenders: inferred(z.int()),
  cumulative_subs: z.int(),
  cumulative_revenue: z.number(),
})

/** The statistics of a link. */
export const LinkStats = z.object({
  summary: z.object({
    subs_total: z.int(),
    revenue_total: z.number(),
    spenders_total: z.int(),
    cumulative_subs_total: z.int().describe('From the inception of the link to date_end, whatever date_start.'),
    cumulative_revenue_total: z.number().describe('From the inception of the link to date_end, whatever date_start.'),
  }),
  daily_metrics: inferred(z.array(LinkBucket)),
  monthly_metrics: inferred(z.array(LinkBucket)),
})

/** A public page of a link. */
export const ShareItem = z.object({
  id: z.uuid().describe('The public token.'),
  url: z.url().describe('Ready to use; clients do not build it.'),
  label: inferred(z.string().nullable()),
  is_active: inferred(z.boolean()),
  expires_at: inferred(instant.nullable()),
  created_at: inferred(instant),
  updated_at: inferred(instant),
})

/** The public pages of a link. */
export const ShareList = inferred(z.object({ list: z.array(ShareItem) }))

/** What the public page of a link shows. */
export const SharePage = inferred(
  z.object({ name: z.string(), label: z.string().nullable(), subscribers: z.int(), clicks: z.int(), revenue: z.number(), spenders: z.int() }),
)

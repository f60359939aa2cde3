import { z } from 'zod'
import {
  bodyId,
  ChartPoint,
  markAsInferred,
  instant,
  platformTime,
  dollarAmount,
  percentChange,
  lazyInferredObject,
  lazyObject,
  lazyInferredList,
} from '../../lib/fields.ts'
import { UserObject } from '../users/schemas.ts'

/** The route group of each kind of link. */
export const linkGroups = { tracking: 'Tracking Links', trial: 'Trial Links' } as const

/** A page of the fans who claimed a link, in the format of the subscriber list. */
export const ClaimerPage = lazyObject(() => ({
  list: z.array(UserObject),
  hasMore: z
    .boolean()
    .describe(
      'false if offset is 0 and true otherwise, whether or not there are more rows. Use ' +
        'next_page instead.',
    ),
}))

/** A fan who claimed a link, with data from the service. */
export const ServiceClaimer = lazyInferredObject(() => ({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  subscribed_at: instant,
  revenue_total: z.number().describe('Payments by the fan since the claim, in dollars.'),
}))

/** A page of the fans who claimed a link, with data from the service. */
export const ServiceClaimerPage = lazyInferredList(ServiceClaimer)

/** The name of a new link, in a request body. */
export const linkName = z.string().max(255).regex(/\S/, { error: 'it must not be empty' })

/** The tags of a link, in a request body. */
export const linkTagIds = z
  .array(bodyId)
  .max(1000)
  .describe('Tag ids. Ids from other organisations are ignored.')

const text = (maxLength: number) => z.string().max(maxLength).nullable().optional()

/** Merge patch of a link's service fields. */
export const LinkPatch = lazyObject(() => ({
  custom_name: text(255),
  note: text(10_000),
  custom_source_url: z
    .url({ protocol: /^https?$/, error: 'it must be an http or https address, or null' })
    .max(2048)
    .nullable()
    .optional(),
  promo_cost: dollarAmount.min(0).max(1_000_000_000).nullable().optional().describe('Dollars.'),
  is_hidden: z.boolean().optional(),
}))

/** The tags of a tracking link after the change. */
export const TrackingLinkTags = lazyObject(() => ({
  tracking_link_id: z.string(),
  tag_ids: z.array(z.int()),
}))

/** The tags of a trial link after the change. */
export const TrialLinkTags = lazyInferredObject(() => ({
  trial_link_id: z.string(),
  tag_ids: z.array(z.int()),
}))

/** A tag of the organisation. */
export const TagItem = lazyObject(() => ({
  id: z.int(),
  name: markAsInferred(z.string()),
  color: markAsInferred(z.string().nullable()),
  created_at: markAsInferred(instant),
}))

/** The organisation's tags. */
export const TagList = lazyInferredList(TagItem)

/** A tag in the format used in links. */
export const LinkTag = lazyObject(() => ({
  id: markAsInferred(z.int()),
  name: markAsInferred(z.string()),
  color: markAsInferred(z.string().nullable()),
}))

const dollars = markAsInferred(z.number())
const dollarsOrNull = markAsInferred(z.number().nullable())
const count = markAsInferred(z.int())

const revenueFields = () => ({
  total: dollars,
  revenuePerSubscriber: dollars,
  spendersCount: count,
  calculatedAt: markAsInferred(instant.nullable()),
  isLoading: markAsInferred(z.boolean()),
})
const revenueMeaning = 'Payments by fans after they claimed the link.'

const itemFields = () => ({
  createdAt: markAsInferred(instant),
  customName: markAsInferred(z.string().nullable()),
  note: markAsInferred(z.string().nullable()),
  customSourceUrl: z.string().nullable(),
  promoCost: dollarsOrNull,
  isHidden: markAsInferred(z.boolean()),
  cost: z
    .object({
      inputMode: markAsInferred(z.string().nullable()),
      inputValue: dollarsOrNull,
      perSub: dollarsOrNull,
      perPromo: dollarsOrNull,
      perClick: dollarsOrNull,
      subscriberSourceCount: count,
      clickSourceCount: count,
    })
    .describe('Costs of the promotion.'),
  tags: z.array(LinkTag),
  links: z
    .object({ related: markAsInferred(z.object({ claimers: z.string(), stats: z.string() })) })
    .describe('Relative addresses.'),
})

/** A tracking link, as returned by the routes that create, read, update and list links. Dollars. */
export const TrackingLinkItem = lazyObject(() => ({
  id: z.int(),
  campaignName: markAsInferred(z.string()),
  campaignCode: markAsInferred(z.string()),
  campaignUrl: z.string(),
  countTransitions: z.int().describe('Clicks since the link was created.'),
  countSubscribers: markAsInferred(z.int()),
  endDate: markAsInferred(instant.nullable()).describe('Time of the deletion.'),
  revenue: z.object({ ...revenueFields(), revenuePerClick: dollars }).describe(revenueMeaning),
  ...itemFields(),
}))

/** A trial link, as returned by the routes that create, read, update and list links. Dollars. */
export const TrialLinkItem = lazyObject(() => ({
  id: z.int(),
  trialLinkName: markAsInferred(z.string()),
  url: markAsInferred(z.string()),
  subscribeDays: markAsInferred(z.int()).describe('Duration of the trial in days.'),
  subscribeCounts: markAsInferred(z.int()).describe('Maximum number of claims. 0: unlimited.'),
  claimCounts: markAsInferred(z.int()),
  clicksCounts: markAsInferred(z.int()),
  isFinished: z
    .boolean()
    .describe(
      'True if the link accepts no more claims: it was finished manually, has expired, or has ' +
        'reached its limit.',
    ),
  expiredAt: markAsInferred(instant.nullable()).describe('Expiry time. Null: never.'),
  user: markAsInferred(z.object({ id: z.int(), username: z.string() })).describe('The creator.'),
  sharedWith: markAsInferred(z.array(z.string())).describe(
    'Labels of the open public pages of the link.',
  ),
  revenue: z.object(revenueFields()).describe(revenueMeaning),
  ...itemFields(),
}))

/** A page of the service's list of tracking links. */
export const TrackingLinkPage = lazyInferredList(TrackingLinkItem)

/** A page of trial links. */
export const TrialLinkPage = lazyInferredList(TrialLinkItem)

/** A page of the platform's list of tracking links. */
export const RelayTrackingLinkPage = lazyInferredObject(() => ({
  list: z.array(
    TrackingLinkItem.unwrap().extend({
      createdAt: platformTime,
      endDate: platformTime.nullable().describe('Time of the deletion.'),
      deletedAt: platformTime.nullable().describe('Time of the deletion.'),
    }),
  ),
  hasMore: z.boolean(),
}))

/** One UTC day or month in which a link had activity. */
export const LinkBucket = lazyObject(() => ({
  timestamp: markAsInferred(instant),
  subs: markAsInferred(z.int()),
  revenue: markAsInferred(z.number()),
  spenders: markAsInferred(z.int()),
  cumulative_subs: z.int(),
  cumulative_revenue: z.number(),
}))

/** The statistics of a link. */
export const LinkStats = lazyObject(() => ({
  summary: z.object({
    subs_total: z.int(),
    revenue_total: z.number(),
    spenders_total: z.int(),
    cumulative_subs_total: z
      .int()
      .describe(
        'Covers the time from the creation of the link to date_end, regardless of date_start.',
      ),
    cumulative_revenue_total: z
      .number()
      .describe(
        'Covers the time from the creation of the link to date_end, regardless of date_start.',
      ),
    revenue_cached_at: markAsInferred(instant.nullable()).describe(
      'Time when the statistics were calculated. Null if there are no claims.',
    ),
  }),
  daily_metrics: markAsInferred(z.array(LinkBucket)),
  monthly_metrics: markAsInferred(z.array(LinkBucket)),
}))

const trend = () =>
  z.object({
    total: z.int(),
    delta: percentChange,
  })

/** Claims of a link by day. */
export const LinkChart = lazyInferredObject(() => ({
  chart: z.array(ChartPoint).describe('UTC days with claims.'),
  total: z.int(),
  delta: percentChange,
  gross: z.number().describe('Payments by claimers in the window, in dollars.'),
}))

/** Totals for all links of one kind in a window. */
export const LinkOverview = lazyInferredObject(() => ({
  hasStatistic: z.boolean(),
  offers: trend().describe('Number of links created.'),
  claims: trend().describe('Number of fans who claimed a link.'),
  chartData: z
    .array(z.object({ date: z.iso.date(), count: z.int() }))
    .describe(
      'Claims by UTC day, or by month (dated on its first day) in a window of more than ' +
        '100 days. Only buckets with claims.',
    ),
}))

/** A public page of a link. */
export const ShareItem = lazyObject(() => ({
  id: z.uuid().describe('The public token.'),
  url: z.url().describe('Complete URL. Use this URL exactly as received.'),
  label: markAsInferred(z.string().nullable()),
  is_active: markAsInferred(z.boolean()),
  expires_at: markAsInferred(instant.nullable()),
  created_at: markAsInferred(instant),
  updated_at: markAsInferred(instant),
}))

/** The public pages of a link. */
export const ShareList = lazyInferredObject(() => ({ list: z.array(ShareItem) }))

/** Content of the public page of a link. */
export const SharePage = lazyInferredObject(() => ({
  name: z.string(),
  label: z.string().nullable(),
  subscribers: z.int(),
  clicks: z.int(),
  revenue: z.number(),
  spenders: z.int(),
}))

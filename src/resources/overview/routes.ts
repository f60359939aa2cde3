import { z } from 'zod'
import {
  markAsInferred,
  percentChange,
  createWindowSchema,
  lazyInferredObject,
} from '../../lib/fields.ts'
import { AmountPoint, countPoint, Earned } from '../earnings/schemas.ts'
import { LinkOverview } from '../links/schemas.ts'
import type { WithFragments } from '../../lib/json-fragment.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { readWindow, deltaRule } from '../../api/lists/windows.ts'
import type { Span } from '../../api/lists/windows.ts'
import { createRouteDefiner } from '../define.ts'
import type { World } from '../world.ts'
import { sums, buckets } from '../earnings/earnings.ts'
import { summariseLinks } from '../links/view.ts'
import {
  summariseEarnings,
  summariseMessages,
  summarisePosts,
  summarisePromotions,
  summariseStories,
  summariseStreams,
  summariseVisitors,
} from './overview.ts'

const defineRoute = createRouteDefiner({ group: 'Earnings Overview' })

/** Names of the overview's sections. */
export const OverviewSection = z.enum([
  'earnings',
  'posts',
  'streams',
  'visitors',
  'messages',
  'story',
  'promo',
  'trials',
])

const Counted = () => markAsInferred(z.object({ total: z.int(), delta: percentChange }))

const section = () => ({
  hasStatistic: z.boolean().describe('True if the window has any data.'),
  count: Counted(),
  views: Counted(),
  earnings: Earned,
  chartData: z
    .array(AmountPoint)
    .describe(
      'Net amounts. The points add up to the total earnings. Buckets without payments are omitted.',
    ),
})

/** A section of the overview. */
export const OverviewPart = z.lazy(() => markAsInferred(z.object(section())))

/** The streams section of the overview. */
export const StreamsPart = lazyInferredObject(() => ({
  ...section(),
  count: z.object({
    total: z.string().describe('A string such as 12m.'),
    delta: percentChange,
  }),
}))

/** The visitors section of the overview. */
export const VisitorsPart = lazyInferredObject(() => ({
  hasStatistic: z.boolean(),
  count: Counted().describe('All profile visitors.'),
  visitors: Counted(),
  subscriptions: z.object({ new: Counted(), renew: Counted() }),
  chartData: z.array(countPoint).describe('Visitors.'),
}))

/**
 * The earnings overview. It has the section that `by` selects, or five sections by default. The
 * section `messages` is returned as massMessages.
 */
export const EarningsOverview = lazyInferredObject(() => ({
  earning: Earned.optional(),
  posts: OverviewPart.optional(),
  streams: StreamsPart.optional(),
  visitors: VisitorsPart.optional(),
  massMessages: OverviewPart.optional(),
  story: OverviewPart.optional(),
  promo: OverviewPart.optional(),
  trials: LinkOverview.optional(),
}))

/** Functions that build the sections, by section name. */
const sections: {
  readonly [Name in z.infer<typeof OverviewSection>]: (
    world: World,
    account: Account,
    window: Span,
  ) => WithFragments<z.input<typeof EarningsOverview>>
} = {
  earnings: (world, account, window) => ({
    earning: world.json(summariseEarnings, account, window),
  }),
  posts: (world, account, window) => ({ posts: world.json(summarisePosts, account, window) }),
  streams: (world, account, window) => ({
    streams: world.json(summariseStreams, account, window),
  }),
  visitors: (world, account, window) => ({
    visitors: world.json(summariseVisitors, account, window),
  }),
  messages: (world, account, window) => ({
    massMessages: world.json(summariseMessages, account, window),
  }),
  story: (world, account, window) => ({ story: world.json(summariseStories, account, window) }),
  promo: (world, account, window) => ({
    promo: world.json(summarisePromotions, account, window),
  }),
  trials: (world, account, window) => ({
    trials: summariseLinks(world, { account, kind: 'trial' }, window),
  }),
}

/** Sections of the response if `by` is omitted. */
const shownTogether = ['earnings', 'posts', 'streams', 'visitors', 'messages'] as const

const readOverview = defineRoute({
  id: 'GET /v1/:account_id/earnings/overview',
  permission: 'api_earnings_read_overview',
  source: 'published',
  evidence:
    'shape of story and promo by analogy; by and the buckets as in reference §4 known behaviour 5',
  summary: 'Read the earnings overview, or one of its sections',
  errors: ['window_reversed'],
  rules: [
    'With by=messages, the response contains the section as massMessages (documented).',
    'The bucket width of chartData depends on the window: a window of 90 days has daily buckets ' +
      '(documented).',
    'If by is set, the response contains only that section. Without by, the response ' +
      'contains earning, posts, streams, visitors and massMessages.',
    'chartData contains net earnings, which add up to the earnings of the section. For visitors ' +
      'and trials, chartData contains counts.',
    sums,
    deltaRule,
    buckets,
    'count is the number of items that were created in the window. views is the number of ' +
      'their views until now. earnings contains the payments in the window for all items of the ' +
      'section: messages and tips in chats for massMessages, and tips for story.',
    'promo is about tracking links: the links created in the window, their clicks, and the ' +
      'payments of fans who joined through any tracking link.',
  ],
  query: () => ({ ...createWindowSchema(), by: OverviewSection.optional() }),
  data: EarningsOverview,
  handle({ world, account, query }) {
    const { start, end } = readWindow(query, world.clock.now())
    const named = query.by === undefined ? shownTogether : [query.by]
    return Object.assign(
      {},
      ...named.map((name) => sections[name](world, account, { start, end })),
    ) as WithFragments<z.input<typeof EarningsOverview>>
  },
})

export const overviewRoutes = [readOverview]

import { z } from 'zod'
import type { Figure } from '../api/resource.ts'
import type { RequestCountBucket } from '../world/journal/request-counts.ts'
import { allResources } from '../resources/all-resources.ts'
import type { resources } from '../resources/all-resources.ts'
import type { World } from '../resources/world.ts'

/** Figures about clients' requests, such as the number of rejected requests. */
const requestFigures = {
  requests: { label: 'Requests', unit: 'count', read: (world) => countRequests(world, 'requests') },
  refused: {
    label: 'Rejected requests',
    unit: 'count',
    read: (world) => countRequests(world, 'refused'),
  },
  'status.2xx': {
    label: 'Answered 2xx',
    unit: 'count',
    read: (world) => countRequests(world, 'done'),
  },
  'status.4xx': {
    label: 'Rejected 4xx',
    unit: 'count',
    read: (world) => countRequests(world, 'rejected'),
  },
  'status.5xx': {
    label: 'Failed 5xx',
    unit: 'count',
    read: (world) => countRequests(world, 'failed'),
  },
} satisfies Record<string, Figure<World>>

type DeclaredFigures = Extract<(typeof resources)[number], { figures: object }>['figures']
type FigureName = keyof typeof requestFigures | FigureNames<DeclaredFigures>
type FigureNames<Figures> = Figures extends unknown ? keyof Figures & string : never

const figures: Readonly<Record<string, Figure<World>>> = Object.assign(
  {},
  requestFigures,
  ...allResources.map((each) => each.figures ?? {}),
)

/** Selects a figure that a story watches. */
export const Watch = z.lazy(() =>
  z
    .strictObject({
      figure: z.enum(Object.keys(figures) as FigureName[]).describe('The name of the figure.'),
      account_id: z.int().optional().describe('The account to measure. Default: all accounts.'),
      post_id: z
        .int()
        .optional()
        .describe('The post to measure. Required for post.views and post.likes.'),
      label: z.string().min(1).max(60).optional().describe('The label to display.'),
    })
    .refine(({ figure, post_id }) => figure.startsWith('post.') === (post_id !== undefined), {
      error: 'it is required for post.views and post.likes, and not allowed for other figures',
      path: ['post_id'],
    }),
)
export type Watch = z.infer<typeof Watch>

/** The current value of a figure. */
export interface WatchedFigure {
  figure: string
  label: string
  unit: 'count' | 'dollars'
  value: number
}

/** Reads the current value of a figure from a world. */
export function readWatchedFigure(
  world: World,
  { figure, account_id: account, post_id: post, label }: Watch,
): WatchedFigure {
  const { label: defaultLabel, unit, read } = figures[figure] ?? requestFigures.requests
  const accounts = account === undefined ? world.db.accounts.all().map(({ id }) => id) : [account]
  return { figure, label: label ?? defaultLabel, unit, value: read(world, { accounts, post }) }
}

function countRequests({ journal, options, clock }: World, part: keyof RequestCountBucket): number {
  let sum = 0
  for (const [at, bucket] of journal.tally.buckets())
    if (at <= clock.now() && at >= options.start - 10_000) sum += bucket[part]
  return sum
}

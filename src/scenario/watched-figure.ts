import { z } from 'zod'
import type { Figure } from '../api/resource.ts'
import type { RequestCountBucket } from '../world/journal/journal.ts'
import { allResources } from '../resources/all-resources.ts'
import type { resources } from '../resources/all-resources.ts'
import type { World } from '../resources/world.ts'
import type { ScenarioTimeline } from './expand-timeline.ts'

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

/** The values of the watched figures at a story time, ms since the start of the story. */
interface Sample {
  atMs: number
  values: readonly number[]
}

/** A watched figure and its values over time. */
export interface FigureSeries extends WatchedFigure {
  /** Values by story time, oldest first. The last value is the current one. */
  points: { at_ms: number; value: number }[]
}

/** Maximum number of samples per story. */
const maxSamples = 240

/** Samples of the watched figures, by story time. They are stored only in memory. */
export class FigureHistory {
  #samples: Sample[] = []

  /** Starts sampling a world. Takes at most `maxSamples`, evenly distributed over the story. */
  follow(world: World, { steps, durationMs }: ScenarioTimeline, watches: readonly Watch[]): void {
    if (watches.length === 0) return
    this.restart(world, watches, world.timeline.elapsed(world))
    const width = Math.max(1, durationMs / maxSamples)
    const { onStep } = world.timeline
    world.timeline.onStep = (index) => {
      onStep?.(index)
      const atMs = steps.at(index)?.atMs ?? 0
      const last = this.#samples.at(-1)
      if (last !== undefined && Math.floor(last.atMs / width) >= Math.floor(atMs / width)) return
      this.#samples.push({
        atMs,
        values: watches.map((watch) => readWatchedFigure(world, watch).value),
      })
    }
  }

  /** Removes the samples from a story time onwards, and takes a new sample. */
  restart(world: World, watches: readonly Watch[], atMs: number): void {
    this.dropFrom(atMs)
    if (watches.length > 0)
      this.#samples.push({
        atMs,
        values: watches.map((watch) => readWatchedFigure(world, watch).value),
      })
  }

  /** Returns the current figures, with their values over time. */
  read(world: World, watches: readonly Watch[], atMs: number): FigureSeries[] {
    const past = this.#samples.filter((sample) => sample.atMs < atMs)
    return watches.map((watch, index) => {
      const now = readWatchedFigure(world, watch)
      const points = past.map(({ atMs: at, values }) => ({ at_ms: at, value: values[index] ?? 0 }))
      return { ...now, points: [...points, { at_ms: atMs, value: now.value }] }
    })
  }

  /**
   * Removes the samples from a story time onwards. Called when the world is rewound to that time.
   */
  dropFrom(atMs: number): void {
    this.#samples = this.#samples.filter((sample) => sample.atMs < atMs)
  }
}

import { z } from 'zod'
import type { Figure } from '../api/resource.ts'
import type { RequestCountBucket } from '../world/journal/journal.ts'
import { allResources } from '../resources/all-resources.ts'
import type { resources } from '../resources/all-resources.ts'
import { parseIso } from '../lib/time.ts'
import type { World } from '../resources/world.ts'
import type { ScenarioTimeline } from './expand-timeline.ts'

/** Figures about clients' requests, such as the number of rejected requests. */
const requestFigures = {
  requests: createRequestFigure('Requests', 'requests'),
  refused: createRequestFigure('Rejected requests', 'refused'),
  'status.2xx': createRequestFigure('Answered 2xx', 'done'),
  'status.4xx': createRequestFigure('Rejected 4xx', 'rejected'),
  'status.5xx': createRequestFigure('Failed 5xx', 'failed'),
}

function createRequestFigure(label: string, part: keyof RequestCountBucket): Figure<World> {
  return { label, unit: 'count', read: (world) => countRequests(world, part) }
}

type DeclaredFigures = Extract<(typeof resources)[number], { figures: object }>['figures']
type FigureName = keyof typeof requestFigures | FigureNames<DeclaredFigures>
type FigureNames<Figures> = Figures extends unknown ? keyof Figures & string : never

const figures: Readonly<Record<string, Figure<World>>> = Object.assign(
  {},
  requestFigures,
  ...allResources.map((each) => each.figures ?? {}),
)

const windowTime = z.iso.datetime({ offset: true }).max(100).optional()

/** Selects a figure that a story watches. */
export const Watch = z.lazy(() =>
  z
    .strictObject({
      figure: z.enum(Object.keys(figures) as FigureName[]).describe('The name of the figure.'),
      account_id: z
        .union([z.int(), z.array(z.int()).max(100)])
        .optional()
        .describe('The account to measure, or several. Default: all accounts.'),
      post_id: z.int().optional().describe('The post to measure. Required for figures of a post.'),
      link: z
        .string()
        .max(500)
        .optional()
        .describe('The name of the link to measure. Required for figures of a link.'),
      from: windowTime.describe(
        'Counts payments from this time. Default: the start of the story. Only for revenue.',
      ),
      until: windowTime.describe('Counts payments before this time. Only for revenue.'),
      per: z
        .literal('minute')
        .optional()
        .describe('minute: the increase during the last minute of the clock.'),
      label: z.string().min(1).max(60).optional().describe('The label to display.'),
    })
    .refine(({ figure, post_id }) => figure.startsWith('post.') === (post_id !== undefined), {
      error: 'it is required for figures of a post, and not allowed for other figures',
      path: ['post_id'],
    })
    .refine(({ figure, link }) => figure.startsWith('link.') === (link !== undefined), {
      error: 'it is required for figures of a link, and not allowed for other figures',
      path: ['link'],
    })
    .refine(({ figure, from, until }) => figure.startsWith('revenue.') || !(from ?? until), {
      error: 'it is only allowed for revenue',
      path: ['from'],
    }),
)
export type Watch = z.infer<typeof Watch>

/** The current value of a figure. */
export interface WatchedFigure {
  figure: string
  label: string
  unit: 'count' | 'dollars'
  value: number
  /** The current name of the link that is measured. Absent for other figures. */
  subject?: string
}

/** Reads the current total of a figure from a world, without regard to `per`. */
function readWatchedFigure(
  world: World,
  { figure, account_id: account, post_id: post, link, label, from, until }: Watch,
): WatchedFigure {
  const { label: defaultLabel, unit, read, subject } = findFigure(figure)
  const accounts =
    account === undefined ? world.db.accounts.all().map(({ id }) => id) : [account].flat()
  const scope = { accounts, post, link, from: toTime(from), until: toTime(until) }
  return {
    figure,
    label: label ?? defaultLabel,
    unit,
    value: read(world, scope),
    ...(subject === undefined ? {} : { subject: subject(world, scope) }),
  }
}

function toTime(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseIso(text)
}

function findFigure(name: string): Figure<World> {
  return figures[name] ?? requestFigures.requests
}

/** True if a client has sent a request since the start of the story. */
export function hasRequests(world: World): boolean {
  return countRequests(world, 'requests') > 0
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
  /** Time of the world's clock, epoch ms. */
  clock: number
  values: readonly number[]
}

/** A watched figure and its values over time. */
export interface FigureSeries extends WatchedFigure {
  /** Values by story time, oldest first. The last value is the current one. */
  points: { at_ms: number; value: number }[]
}

const minuteMs = 60_000

function takeSample(world: World, watches: readonly Watch[], atMs: number): Sample {
  const values = watches.map((watch) => readWatchedFigure(world, watch).value)
  return { atMs, clock: world.clock.now(), values }
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
      this.#samples.push(takeSample(world, watches, atMs))
    }
  }

  /** Removes the samples from a story time onwards, and takes a new sample. */
  restart(world: World, watches: readonly Watch[], atMs: number): void {
    this.dropFrom(atMs)
    if (watches.length > 0) this.#samples.push(takeSample(world, watches, atMs))
  }

  /** Returns the current figures. */
  readNow(world: World, watches: readonly Watch[]): WatchedFigure[] {
    return watches.map((watch, index) => {
      const { value, ...now } = readWatchedFigure(world, watch)
      return { ...now, value: this.#toShown(watch, { value, index, clock: world.clock.now() }) }
    })
  }

  /** Returns the current figures, with their values over time. */
  read(world: World, watches: readonly Watch[], atMs: number): FigureSeries[] {
    const past = this.#samples.filter((sample) => sample.atMs < atMs)
    return this.readNow(world, watches).map((now, index) => {
      const points = past.map(({ atMs: at, clock, values }) => {
        const value = values[index] ?? 0
        return { at_ms: at, value: this.#toShown(watches[index], { value, index, clock }) }
      })
      return { ...now, points: [...points, { at_ms: atMs, value: now.value }] }
    })
  }

  /** Returns a total, or with `per` its increase since the last sample that is a minute older. */
  #toShown(
    watch: Watch | undefined,
    { value, index, clock }: { value: number; index: number; clock: number },
  ): number {
    if (watch?.per === undefined) return value
    const isOld = (sample: Sample) => sample.clock <= clock - minuteMs
    const before = this.#samples.findLast(isOld) ?? this.#samples[0]
    return Math.max(0, value - (before?.values[index] ?? value))
  }

  /**
   * Removes the samples from a story time onwards. Called when the world is rewound to that time.
   */
  dropFrom(atMs: number): void {
    this.#samples = this.#samples.filter((sample) => sample.atMs < atMs)
  }
}

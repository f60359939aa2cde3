import { z } from 'zod'
import { lazyStrictObject } from '../lib/fields.ts'
import type { SeriesFrame } from '../api/resource.ts'
import { dayMs, durationForms, parseDuration, toIsoTime } from '../lib/time.ts'
import { allResources } from '../resources/all-resources.ts'
import type { World } from '../resources/world.ts'
import { checkInput, NotFoundError } from '../api/check-input.ts'

const seriesSources = allResources.flatMap(({ series }) => (series === undefined ? [] : { series }))

/** Selects the time span, the account and the number of points. */
export const SeriesQuery = lazyStrictObject(() => ({
  span: z
    .string()
    .max(200)
    .refine((text) => isSpan(parseDuration(text)), {
      error: `it must be a duration from 1s to 1000d, such as ${durationForms}`,
    })
    .optional()
    .describe('How far to look back, such as `30d`. Default: since the scenario began.'),
  account: z.int().optional().describe('The id of an account. Default: all accounts.'),
  buckets: z.int().min(2).max(500).optional().describe('Maximum number of points. Default: 60.'),
}))
export type SeriesQuery = z.infer<typeof SeriesQuery>

/** Revenue, subscribers and requests over sandbox time, oldest first. The last point ends now. */
export interface Series {
  from: string
  to: string
  /** Duration of each bucket, ms. */
  width_ms: number
  points: readonly SeriesPoint[]
}

/** Values of one time bucket. */
export interface SeriesPoint {
  /** Start of the bucket. */
  at: string
  /** Total amount that fans paid, dollars. */
  gross: number
  /** The creators' share of the amount, dollars. */
  net: number
  /**
   * Number of fans with an active subscription at the end of the bucket. Counts a fan in gaps
   * between subscriptions as subscribed.
   */
  subscribers: number
  requests: number
  refused: number
}

/**
 * Computes the time series of a world.
 *
 * @throws {SandboxError}
 */
export function readSeries(world: World, query: SeriesQuery = {}): Series {
  const {
    span,
    account,
    buckets = 60,
  } = checkInput(SeriesQuery, query, { verb: 'read the series' })
  if (account !== undefined && world.db.accounts.get(account) === undefined)
    throw new NotFoundError(
      `Failed to read the series (account: ${account}): there is no such account.`,
    )
  const accounts = account === undefined ? world.db.accounts.all().map(({ id }) => id) : [account]
  const now = world.clock.now()
  const start =
    span === undefined ? Math.min(world.options.start, now) : now - (parseDuration(span) ?? 0)
  const width = computePointWidth(now - start, buckets)
  const first = start - (start % width)
  const points = Array.from({ length: Math.floor((now - first) / width) + 1 }, (_, index) =>
    createEmptyPoint(first + index * width),
  )
  const window = { points, first, width, now }
  for (const id of accounts) {
    for (const { series } of seriesSources) series(world, id, window)
  }
  addRequests(world, window)
  return {
    from: toIsoTime(first),
    to: toIsoTime(now),
    width_ms: width,
    points: points.map(({ grossCents, netCents, at, ...counts }) => ({
      at: toIsoTime(at),
      gross: grossCents / 100,
      net: netCents / 100,
      ...counts,
    })),
  }
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
/** Allowed bucket widths, ms. Longer series use buckets of whole days. */
const widths = [
  10 * second,
  30 * second,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  12 * hour,
  dayMs,
  2 * dayMs,
  7 * dayMs,
  30 * dayMs,
  90 * dayMs,
]
const maxSpanMs = 1000 * dayMs

function isSpan(ms: number | undefined): boolean {
  return ms !== undefined && ms >= second && ms <= maxSpanMs
}

function computePointWidth(span: number, buckets: number): number {
  return (
    widths.find((width) => span / width <= buckets - 1) ??
    Math.ceil(span / (buckets - 1) / dayMs) * dayMs
  )
}

function createEmptyPoint(at: number): SeriesFrame['points'][number] {
  return { at, grossCents: 0, netCents: 0, subscribers: 0, requests: 0, refused: 0 }
}

function addRequests(world: World, { points, first, width }: SeriesFrame): void {
  for (const [at, { requests, refused }] of world.journal.tally.buckets()) {
    const point = points[Math.floor((at - first) / width)]
    if (point === undefined) continue
    point.requests += requests
    point.refused += refused
  }
}

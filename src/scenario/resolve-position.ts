import { parseDuration, parseRfc3339, parseSignedDuration, toIsoTime } from '../lib/time.ts'
import { quoteText, SandboxError } from '../errors.ts'
import type { ScenarioTimeline, PlannedStep } from './expand-timeline.ts'

/** Current time of a story. */
export interface StoryTime {
  /** Story time, ms since the start. */
  at: number
  /** Start time of the world's clock, epoch ms. */
  start: number
}

/**
 * Converts a position to story time, ms. A position is an offset from the current position
 * (`'+2m'`, `'-30s'`), an offset from the start (`'2m'`), an RFC 3339 time, or the name of a
 * chapter. The result of a relative offset is limited to the start and end of the story.
 * @throws {SandboxError}
 */
export function resolvePosition(timeline: ScenarioTimeline, to: string, time: StoryTime): number {
  const position = readPosition(timeline, to, time)
  if (position !== undefined && position >= 0 && position <= timeline.durationMs) return position
  const names = timeline.chapters.slice(0, 12).map(({ name }) => JSON.stringify(name))
  const chapters = names.length === 0 ? 'none' : names.join(', ')
  const allowed =
    `it must be a chapter (${chapters}), '+30s' or '-30s' from here, '2m' after the start, or an ` +
    'RFC 3339 time'
  const extent = `The story is ${timeline.durationMs / 1000} s long and started at ${toIsoTime(time.start)}`
  throw new SandboxError(`Failed to find ${quoteText(to, 80)} in the story: ${allowed}. ${extent}.`)
}

function readPosition(
  timeline: ScenarioTimeline,
  to: string,
  { at, start }: StoryTime,
): number | undefined {
  const chapter = timeline.chapters.find(({ name }) => name === to)
  if (chapter !== undefined) return chapter.atMs
  const fromStart = parseDuration(to)
  if (fromStart !== undefined) return fromStart
  const fromHere = parseSignedDuration(to)
  if (fromHere !== undefined) return Math.max(0, Math.min(timeline.durationMs, at + fromHere))
  const clockTime = parseRfc3339(to)
  return clockTime === undefined ? undefined : toStoryMs(timeline, clockTime - start)
}

/** Converts clock time to story time, both in ms since the start. */
function toStoryMs({ steps }: ScenarioTimeline, clockMs: number): number {
  let last: PlannedStep | undefined
  for (const step of steps) {
    if (step.clockMs > clockMs) break
    last = step
  }
  return last === undefined
    ? clockMs
    : Math.max(last.atMs, last.atMs + clockMs - last.clockMs - last.leapMs)
}

import { parseDuration, parseInstant, toIso } from '../lib/time.ts'
import { quote, SandboxError } from '../errors.ts'
import type { ScenarioTimeline, PlannedStep } from './timeline.ts'

/** The present time of a story. */
export interface StoryTime {
  /** The time of the story, ms since its start. */
  at: number
  /** Start of the clock of its world, epoch ms. */
  start: number
}

/**
 * Converts a place in a story to ms since its start. The place is `'+2m'` or `'-30s'` from here,
 * `'2m'` from the start, an instant, or the name of a chapter. A place from here is limited to the
 * start and the end. @throws {SandboxError}
 */
export function findPosition(timeline: ScenarioTimeline, to: string, time: StoryTime): number {
  const position = readPosition(timeline, to, time)
  if (position !== undefined && position >= 0 && position <= timeline.durationMs) return position
  const names = timeline.chapters.slice(0, 12).map(({ name }) => JSON.stringify(name))
  const chapters = names.length === 0 ? 'none' : names.join(', ')
  const allowed =
    `give a chapter (${chapters}), '+30s' or '-30s' from here, '2m' from its ` +
    `start, or an instant`
  const extent = `it is ${timeline.durationMs / 1000} s long and began at ${toIso(time.start)}`
  throw new SandboxError(`Failed to find ${quote(to, 80)} in the story: ${allowed}; ${extent}.`)
}

function readPosition(
  timeline: ScenarioTimeline,
  to: string,
  { at, start }: StoryTime,
): number | undefined {
  const chapter = timeline.chapters.find(({ name }) => name === to)
  if (chapter !== undefined) return chapter.atMs
  const [, sign, amount = to] = /^([+-])(.*)$/.exec(to) ?? []
  const duration = parseDuration(amount)
  if (duration !== undefined) {
    if (sign === undefined) return duration
    return Math.max(0, Math.min(timeline.durationMs, sign === '-' ? at - duration : at + duration))
  }
  const instant = parseInstant(to)
  return instant === undefined ? undefined : toStoryMs(timeline, instant - start)
}

/** Converts a time of the world's clock to a time of the story, both in ms since their start. */
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

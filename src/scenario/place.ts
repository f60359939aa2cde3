import { parseDuration, parseInstant, toIso } from '../lib/time.ts'
import { quote, SandboxError } from '../errors.ts'
import type { Moment, Timeline } from './timeline.ts'

/** The position of a story. */
export interface StoryPosition {
  /** The time of the story, ms since its start. */
  at: number
  /** When the clock of its world began, epoch ms. */
  start: number
}

/**
 * Finds a place in a story, ms since its start. The place is `'+2m'` or `'-30s'` from here, `'2m'`
 * from the start, an instant, or the name of a chapter. From here it goes no farther than the start
 * and the end. @throws {SandboxError}
 */
export function findPlace(timeline: Timeline, to: string, position: StoryPosition): number {
  const place = readPlace(timeline, to, position)
  if (place !== undefined && place >= 0 && place <= timeline.durationMs) return place
  const names = timeline.chapters.slice(0, 12).map(({ name }) => JSON.stringify(name))
  const chapters = names.length === 0 ? 'none' : names.join(', ')
  const allowed =
    `give a chapter (${chapters}), '+30s' or '-30s' from here, '2m' from its ` +
    `start, or an instant`
  const extent = `it is ${timeline.durationMs / 1000} s long and began at ${toIso(position.start)}`
  throw new SandboxError(`Failed to find ${quote(to, 80)} in the story: ${allowed}; ${extent}.`)
}

function readPlace(
  timeline: Timeline,
  to: string,
  { at, start }: StoryPosition,
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
function toStoryMs({ moments }: Timeline, clockMs: number): number {
  let last: Moment | undefined
  for (const moment of moments) {
    if (moment.clockMs > clockMs) break
    last = moment
  }
  return last === undefined
    ? clockMs
    : Math.max(last.atMs, last.atMs + clockMs - last.clockMs - last.leapMs)
}

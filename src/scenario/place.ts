import { parseDuration, parseInstant, toIso } from '../engine/time.ts'
import { SandboxError } from '../errors.ts'
import type { Timeline } from './timeline.ts'

/** Where a story is, and where its world's clock began. Ms of the story, and epoch ms. */
export interface Whereabouts {
  at: number
  start: number
}

/** Finds a place of a story, ms since its start: `'+2m'` or `'-30s'` from here, `'2m'` from its start, an instant, or a chapter. @throws {SandboxError} */
export function findPlace(timeline: Timeline, to: string, { at, start }: Whereabouts): number {
  const chapter = timeline.chapters.find(({ name }) => name === to)
  const relative = /^([+-])(.*)$/.exec(to)
  const duration = parseDuration(relative?.[2] ?? to)
  const instant = parseInstant(to)
  const place =
    chapter?.atMs ??
    (duration !== undefined
      ? relative === null
        ? duration
        : at + (relative[1] === '-' ? -duration : duration)
      : instant === undefined
        ? undefined
        : toStory(timeline, instant - start))
  if (place === undefined || place < 0 || place > timeline.durationMs) {
    const chapters = timeline.chapters.map(({ name }) => JSON.stringify(name)).join(', ') || 'none'
    throw new SandboxError(
      `Failed to find ${JSON.stringify(to.slice(0, 80))} in the story: give a chapter (${chapters}), '+30s' or '-30s' from here, '2m' from its start, or an instant; it is ${timeline.durationMs / 1000} s long and began at ${toIso(start)}.`,
    )
  }
  return place
}

/** The story's time at a time of the world's clock, both ms since their start. */
function toStory({ moments }: Timeline, clockMs: number): number {
  const last = moments.findLast((moment) => moment.clockMs <= clockMs)
  return last === undefined ? clockMs : Math.max(last.atMs, last.atMs + clockMs - last.clockMs - last.leapMs)
}

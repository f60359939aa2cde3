import { shippedScenarios } from '../generated/scenario-index.ts'
import type { Scenario } from './schema.ts'
import { expandTimeline } from './timeline.ts'

/** A scenario that can be loaded by its name. */
export interface ScenarioSummary {
  name: string
  title: string
  description: string
  seed: number
  now: string
  /** How long its story is, ms; 0 when it has none. */
  duration_ms: number
  chapters: readonly string[]
}

/** The scenarios of a library, then the shipped ones whose names it leaves free. */
export function summariseScenarios(library: readonly Scenario[]): ScenarioSummary[] {
  const own = library.map(summarise)
  const taken = new Set(own.map(({ name }) => name))
  const shipped = shippedScenarios.filter(({ name }) => !taken.has(name))
  return [
    ...own,
    ...shipped.map(({ name, title, description, seed, now, durationMs, chapters }) => ({
      name,
      title,
      description,
      seed,
      now,
      duration_ms: durationMs,
      chapters,
    })),
  ]
}

function summarise({ name, title, description, seed, now, timeline }: Scenario): ScenarioSummary {
  const { durationMs, chapters } = expandTimeline(timeline, { start: now, seed })
  return { name, title, description, seed, now, duration_ms: durationMs, chapters: chapters.map((chapter) => chapter.name) }
}

import { shippedScenarios } from '../generated/scenario-index.ts'
import type { Scenario } from './schema.ts'
import { expandTimeline } from './timeline.ts'

/** A summary of a scenario that can be loaded by name. */
export interface ScenarioSummary {
  name: string
  title: string
  description: string
  seed: number
  now: string
  /** Duration of the story, ms; 0 without a story. */
  duration_ms: number
  chapters: readonly string[]
  /** The roles of its keys. */
  roles: readonly string[]
  accounts: readonly { id: number; username: string }[]
}

/**
 * Summarises the scenarios of a library, then the shipped ones. A scenario of the library hides a
 * shipped one with the same name.
 */
export function summariseScenarios(library: readonly Scenario[]): ScenarioSummary[] {
  const ofLibrary = library.map(summarise)
  const taken = new Set(ofLibrary.map(({ name }) => name))
  const shipped = shippedScenarios.filter(({ name }) => !taken.has(name))
  return [
    ...ofLibrary,
    ...shipped.map(
      ({ name, title, description, seed, now, durationMs, chapters, organisations, accounts }) => ({
        name,
        title,
        description,
        seed,
        now,
        duration_ms: durationMs,
        chapters,
        roles: organisations.flatMap(({ roles }) => roles),
        accounts,
      }),
    ),
  ]
}

function summarise({
  name,
  title,
  description,
  seed,
  now,
  timeline,
  organisations,
}: Scenario): ScenarioSummary {
  const { durationMs, chapters } = expandTimeline(timeline, { start: now, seed })
  return {
    name,
    title,
    description,
    seed,
    now,
    duration_ms: durationMs,
    chapters: chapters.map((chapter) => chapter.name),
    roles: organisations.flatMap(({ roles }) => Object.keys(roles)),
    accounts: organisations.flatMap(({ accounts }) =>
      accounts.map(({ id, username }) => ({ id, username })),
    ),
  }
}

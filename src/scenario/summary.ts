import { shippedScenarios } from '../generated/scenario-index.ts'
import { toIsoTime } from '../lib/time.ts'
import type { ScenarioHeader } from './prepare.ts'
import type { Scenario } from './schema.ts'
import { resolveClockStart } from './clock-start.ts'
import type { StartChoice } from './clock-start.ts'
import { expandTimeline } from './expand-timeline.ts'

/** A summary of a scenario that can be loaded by name. */
export interface ScenarioSummary {
  name: string
  title: string
  description: string
  seed: number
  now: string
  /** Duration of the story, ms. 0 if there is no story. */
  duration_ms: number
  chapters: readonly string[]
  /** Roles of the scenario's keys. */
  roles: readonly string[]
  accounts: readonly { id: number; username: string }[]
}

/** A scenario that can be loaded, with the start time that its clock would have. */
export interface LoadableScenario extends ScenarioSummary {
  /**
   * The start time of the clock if the scenario is loaded now and no start time is given, RFC 3339.
   */
  starts_at: string
}

/** Summarises scenarios like `summariseScenarios`, and adds the start time of each scenario. */
export function summariseLoadable(
  library: readonly Scenario[],
  choice: StartChoice,
): LoadableScenario[] {
  const anchors = new Map<string, ScenarioHeader['anchor']>(
    [...shippedScenarios, ...library].map((scenario: Pick<ScenarioHeader, 'name' | 'anchor'>) => [
      scenario.name,
      scenario.anchor,
    ]),
  )
  return summariseScenarios(library).map((summary) => {
    const { name, now, duration_ms: duration } = summary
    const header = { now, anchor: anchors.get(name), isStory: duration > 0 }
    return { ...summary, starts_at: toIsoTime(resolveClockStart(header, choice)) }
  })
}

/**
 * Summarises the scenarios of a library, followed by the shipped scenarios. A scenario of the
 * library replaces a shipped scenario with the same name.
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

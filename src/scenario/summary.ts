import { shippedScenarios } from '../generated/scenario-index.ts'
import { toIsoTime, dayMs, parseIso, getStartOfUtcDay } from '../lib/time.ts'
import { toHeader } from './prepare.ts'
import type { ScenarioHeader } from './prepare.ts'
import type { Scenario } from './schema.ts'
import { expandTimeline } from './expand-timeline.ts'
import { getStartOfMinute } from '../world/real-time.ts'

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
  const ofLibrary = library.map((scenario) => {
    const { timeline, now, seed } = scenario
    const { durationMs, chapters } = expandTimeline(timeline, { start: now, seed })
    const names = chapters.map(({ name }) => name)
    return summarise({ ...toHeader(scenario), durationMs, chapters: names })
  })
  const taken = new Set(ofLibrary.map(({ name }) => name))
  const shipped = shippedScenarios.filter(({ name }) => !taken.has(name))
  return [...ofLibrary, ...shipped.map(summarise)]
}

function summarise(
  scenario: ScenarioHeader & { durationMs: number; chapters: readonly string[] },
): ScenarioSummary {
  return {
    name: scenario.name,
    title: scenario.title,
    description: scenario.description,
    seed: scenario.seed,
    now: scenario.now,
    duration_ms: scenario.durationMs,
    chapters: scenario.chapters,
    roles: scenario.organisations.flatMap(({ roles }) => roles),
    accounts: scenario.accounts,
  }
}

const weekMs = 7 * dayMs

/** Options that determine, together with the scenario, when a sandbox's clock starts. */
interface StartChoice {
  /** Requested start time, epoch ms. Overrides all other start times. */
  now?: number | undefined
  /**
   * If true, the clock starts at the current time when the scenario sets no start time. Servers set
   * this.
   */
  beginsNow: boolean
  /** Returns the real time, epoch ms. */
  real: number
}

/** Returns the start time of a scenario's clock, epoch ms. */
export function resolveClockStart(
  { now: written, anchor, isStory }: Pick<ScenarioHeader, 'now' | 'anchor' | 'isStory'>,
  { now, beginsNow, real }: StartChoice,
): number {
  if (now !== undefined) return now
  if (anchor === 'today') return findLatestOccurrence(parseIso(written), real)
  return beginsNow && !isStory && anchor === undefined ? getStartOfMinute(real) : parseIso(written)
}

/**
 * Shifts a time by whole weeks to the latest day that is not in the future. The weekday and the
 * time of day stay the same.
 */
function findLatestOccurrence(time: number, real: number): number {
  const weeks = Math.floor((getStartOfUtcDay(real) - getStartOfUtcDay(time)) / weekMs)
  return time + weeks * weekMs
}

import { toIso } from '../engine/time.ts'
import { derivedTables, tableNames } from '../world/tables.ts'
import type { World } from '../world/world.ts'
import type { Scenario } from './schema.ts'
import type { Step } from './timeline.ts'

/** A step as it is written into a scenario file. */
interface RecordedStep {
  at: string
  do?: readonly unknown[]
  request?: { key: string; method: string; path: string; body?: unknown }
}

/** What was written down of a live session. */
export interface Recording {
  steps: { atMs: number; step: RecordedStep }[]
  /** Why it cannot be played again to the same world; null when it can. */
  gap: string | null
}

/** The most steps that a recording holds. */
const mostSteps = 10_000

/**
 * Begins to write down what changes a world: actions, and the requests of clients that wrote something. `storyMs` tells how far its
 * story is.
 */
export function startRecording(world: World, storyMs: () => number): Recording {
  const recording: Recording = { steps: [], gap: null }
  const add = (step: Omit<RecordedStep, 'at'>, atMs: number) => {
    if (recording.steps.length >= mostSteps) recording.gap ??= `it stopped after ${mostSteps} steps`
    else recording.steps.push({ atMs, step: { at: `${atMs}ms`, ...step } })
  }
  world.recorder = {
    actions: (actions, run) => {
      world.settle()
      const atMs = storyMs()
      // Time goes on by itself: what moved the clock shows in the times of what follows.
      const done = actions.filter((action) => (action as { type?: unknown }).type !== 'clock.advance')
      return atOneMoment(world, run, () => {
        if (done.length > 0) add({ do: done }, atMs)
      })
    },
    request({ key, method, path, body }, run) {
      const atMs = storyMs()
      const before = tokensOf(world)
      return atOneMoment(world, run, () => {
        const after = tokensOf(world)
        if (after.every((token, index) => token === before[index])) return
        if (!path.startsWith('/v1/')) recording.gap ??= `${method} ${path.split('?', 1)[0]} wrote something and is no request of the API's`
        else add({ request: { key, method, path, ...(body === null ? {} : { body: JSON.parse(body) as unknown }) } }, atMs)
      })
    },
  }
  return recording
}

function atOneMoment<Result>({ clock }: World, run: () => Result, afterwards: () => void): Result {
  let result: { value: Result } | undefined
  clock.at(clock.now(), () => {
    result = { value: run() }
  })
  afterwards()
  return (result as unknown as { value: Result }).value
}

/** Drops what was recorded from that time on: the world went back to it. */
export function dropFrom({ steps }: Recording, atMs: number): void {
  while ((steps.at(-1)?.atMs ?? -1) >= atMs) steps.pop()
}

/** The recording as a scenario, ready to be written as YAML: what it was made from, and what was done. */
export function toScenario(
  { steps }: Recording,
  world: World,
  { source, told, name }: { source: string | Scenario; told: readonly Step[]; name: string },
): Record<string, unknown> {
  const credits = world.db.organisations
    .all()
    .flatMap(({ id, credits: left }) => (left === null ? [] : [{ type: 'credits.set', organisation: id, credits: left }]))
  const last = `${steps.at(-1)?.atMs ?? 0}ms`
  // What clients only read took credits too: what is left is set at the end.
  const end: RecordedStep[] = credits.length === 0 ? [] : [{ at: last, do: credits }]
  const base = typeof source === 'string' ? { extends: source } : source
  const recorded = steps.map(({ step }) => step)
  return {
    ...base,
    name,
    title: 'A recorded session',
    description: `Recorded on the scenario ${typeof source === 'string' ? source : source.name}.`,
    seed: world.options.seed,
    now: toIso(world.options.start),
    timeline: [...told, ...recorded, ...end],
  }
}

/** What changes with each write to a table; what credits cost is set at the end. */
function tokensOf({ db }: World): object[] {
  return tableNames.filter((name) => name !== 'organisations' && !derivedTables.includes(name)).map((name) => db[name].token)
}

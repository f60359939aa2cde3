import type { RecordedResponse, RecordedRequest } from '../world/recorder.ts'
import { parseJsonBody } from '../lib/parse-json-body.ts'
import { toIsoTime } from '../lib/time.ts'
import { derivedTables, tableNames } from '../resources/all-tables.ts'
import type { World } from '../resources/world.ts'
import type { Scenario } from './schema.ts'
import { stepMethods } from './timeline.ts'
import type { Step } from './timeline.ts'

/** A step in the format of scenario files. */
interface RecordedStep {
  at: string
  do?: readonly unknown[]
  request?: {
    key: string
    method: string
    path: string
    body?: unknown
    answered?: RecordedResponse
  }
}

/** The recording of a live session. */
export interface Recording {
  /** Start of the recording in sandbox time, RFC 3339. */
  since: string
  steps: { atMs: number; step: RecordedStep }[]
  /** Number of requests that were omitted because they wrote nothing. */
  leftOut: number
  /** Reason why a replay would not result in the same world. Null if it would. */
  gap: string | null
}

/** Maximum number of recorded steps that change the world. */
const maxSteps = 10_000
/** Maximum number of recorded requests that did not write anything. */
const maxOthers = 10_000
/**
 * Maximum lengths of the path and the body of a request that did not write anything, characters.
 */
const maxPathLength = 16_384
const maxBodyLength = 10_000

/**
 * Starts recording changes to a world: actions, and requests that write something. Other requests
 * are recorded only for the audit. `storyMs` returns the story time.
 */
export function startRecording(world: World, storyMs: () => number): Recording {
  const isTouched = world.changeLog.isTouched || world.faults.list().length > 0
  const gap = isTouched ? 'the world had been changed before the recording started' : null
  const recording: Recording = { since: world.clock.iso(), steps: [], leftOut: 0, gap }
  const written = new WeakSet<RecordedRequest>()
  let others = 0
  const add = (step: Omit<RecordedStep, 'at'>, atMs: number) => {
    if (recording.steps.length >= maxSteps)
      recording.gap ??= `the recording stopped after ${maxSteps} steps`
    else recording.steps.push({ atMs, step: { at: `${atMs}ms`, ...step } })
  }
  world.recorder = {
    actions: (actions, run) => {
      world.runDueEffects()
      const atMs = storyMs()
      // Omits clock changes, because the times of later steps already include them.
      const recorded = actions.filter(
        (action) => (action as { type?: unknown } | null | undefined)?.type !== 'clock.advance',
      )
      return runWithStoppedClock(world, run, () => {
        if (recorded.length > 0) add({ do: recorded }, atMs)
      })
    },
    request(request, run) {
      const { method, path } = request
      const atMs = storyMs()
      const before = listTableVersions(world)
      return runWithStoppedClock(world, run, () => {
        const after = listTableVersions(world)
        if (after.every((token, index) => token === before[index])) return
        written.add(request)
        if (!path.startsWith('/v1/'))
          recording.gap ??=
            `${method} ${path.split('?', 1)[0]} wrote something, but is not a ` +
            'request to the API'
        else add({ request: toRequest(request) }, atMs)
      })
    },
    onResponse(request, { isOpen, ...answer }) {
      if (written.has(request) || !stepMethods.includes(request.method)) return
      const isShort =
        request.path.length <= maxPathLength && (request.body?.length ?? 0) <= maxBodyLength
      others += 1
      if (others > maxOthers || !isShort || recording.steps.length >= maxSteps + maxOthers)
        recording.leftOut += 1
      else
        recording.steps.push({
          atMs: storyMs(),
          step: {
            at: `${storyMs()}ms`,
            request: {
              ...toRequest(request),
              ...(answer.status < 300 && !isOpen ? {} : { answered: answer }),
            },
          },
        })
    },
  }
  return recording
}

/**
 * Converts a request to a step. Omits a body that is not JSON, because the request was rejected.
 */
function toRequest({
  key,
  method,
  path,
  body: text,
}: RecordedRequest): NonNullable<RecordedStep['request']> {
  const body = parseJsonBody(text)
  return { key: key ?? '', method, path, ...(body === undefined ? {} : { body }) }
}

/** Stops the clock while a change runs, then calls `afterwards`. */
function runWithStoppedClock<Result>(
  { clock }: World,
  run: () => Result,
  afterwards: () => void,
): Result {
  let result: { value: Result } | undefined
  clock.at(clock.now(), () => {
    result = { value: run() }
  })
  afterwards()
  return (result as unknown as { value: Result }).value
}

/** Removes all steps at or after a story time. Called when the world is rewound to that time. */
export function removeStepsFrom({ steps }: Recording, atMs: number): void {
  while ((steps.at(-1)?.atMs ?? -1) >= atMs) steps.pop()
}

/**
 * Converts a recording to a scenario that can be written as YAML. The scenario extends or copies
 * `source`, with the fields in `moved` replaced. Its timeline contains the steps of `source`,
 * followed by the recorded steps.
 */
export function toRecordedScenario(
  { steps }: Recording,
  world: World,
  {
    source,
    sourceSteps,
    moved,
    name,
  }: {
    source: string | Scenario
    sourceSteps: readonly Step[]
    moved: Partial<Scenario>
    name: string
  },
): Record<string, unknown> {
  const credits = world.db.organisations
    .all()
    .flatMap(({ id, credits: left }) =>
      left === null ? [] : [{ type: 'credits.set', organisation: id, credits: left }],
    )
  const last = `${steps.at(-1)?.atMs ?? 0}ms`
  // Adds a last step that sets the remaining credits, because rejected requests cost credits but
  // are not replayed.
  const end: RecordedStep[] = credits.length === 0 ? [] : [{ at: last, do: credits }]
  const base = typeof source === 'string' ? { extends: source } : source
  const recorded = steps.map(({ step }) => step)
  return {
    ...base,
    ...moved,
    name,
    title: 'A recorded session',
    description: `Recorded with the scenario ${typeof source === 'string' ? source : source.name}.`,
    seed: world.options.seed,
    now: toIsoTime(world.options.start),
    timeline: [...sourceSteps, ...recorded, ...end],
  }
}

/**
 * Returns the versions of all stored tables. A table's version changes with each write. Omits
 * organisations, because each request changes their credits.
 */
function listTableVersions({ db }: World): object[] {
  return tableNames
    .filter((name) => name !== 'organisations' && !derivedTables.includes(name))
    .map((name) => db[name].version)
}

import type { RecordedResponse, RecordedRequest } from '../world/action-log.ts'
import { truncateForMessage } from '../errors.ts'
import { parseJsonBody } from '../lib/plain-json.ts'
import { toIsoTime } from '../lib/time.ts'
import { derivedTables, tableNames } from '../resources/all-tables.ts'
import type { World } from '../resources/world.ts'
import type { Scenario } from './schema.ts'
import { escapeTexts } from './texts.ts'
import {
  expandTimeline,
  maxBodyLength,
  maxFileSteps,
  maxPathLength,
  maxStepActions,
  stepMethods,
} from './expand-timeline.ts'
import type { Step } from './expand-timeline.ts'

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

/** Maximum length of the body of a request that did not write anything, characters. */
const maxReadBodyLength = 10_000

/**
 * Starts recording changes to a world: actions, and requests that write something. Other requests
 * are recorded only for the audit, and use at most half of the steps. `storyMs` returns the story
 * time, and `countSourceSteps` the number of steps of the scenario that the recording extends.
 */
export function startRecording(
  world: World,
  { storyMs, countSourceSteps }: { storyMs: () => number; countSourceSteps: () => number },
): Recording {
  const isTouched = world.changeLog.isTouched || world.faults.list().length > 0
  const gap = isTouched ? 'the world had been changed before the recording started' : null
  const recording: Recording = { since: world.clock.iso(), steps: [], leftOut: 0, gap }
  // Leaves one step for the remaining credits.
  const countFreeSteps = () => maxFileSteps - countSourceSteps() - 1
  const written = new WeakSet<RecordedRequest>()
  const add = (step: Omit<RecordedStep, 'at'>, atMs: number) => {
    if (recording.steps.length >= countFreeSteps())
      recording.gap ??= `the recording stopped after ${recording.steps.length} steps`
    else recording.steps.push({ atMs, step: { at: `${atMs}ms`, ...step } })
  }
  world.recorder = {
    actions(run) {
      world.runDueEffects()
      return world.clock.pauseDuring(() => {
        const done: { action: object; atMs: number }[] = []
        const result = run((action) => done.push({ action: copy(action), atMs: storyMs() }))
        for (const step of toActionSteps(done)) add({ do: step.actions }, step.atMs)
        return result
      })
    },
    request(request, run) {
      const { method, path, body } = request
      return world.clock.pauseDuring(() => {
        const atMs = storyMs()
        const before = listTableVersions(world)
        const result = run()
        const after = listTableVersions(world)
        if (after.every((token, index) => token === before[index])) return result
        written.add(request)
        const name = `${method} ${truncateForMessage(path.split('?', 1)[0] ?? '')}`
        if (!path.startsWith('/v1/'))
          recording.gap ??= `${name} wrote something, but is not a request to the API`
        else if (path.length > maxPathLength || (body?.length ?? 0) > maxBodyLength)
          recording.gap ??= `${name} wrote something, but is too long for a step`
        else add({ request: toRequest(request) }, atMs)
        return result
      })
    },
    onResponse(request, { isOpen, ...answer }) {
      if (written.has(request) || !stepMethods.includes(request.method)) return
      const isShort =
        request.path.length <= maxPathLength && (request.body?.length ?? 0) <= maxReadBodyLength
      if (!isShort || recording.steps.length >= countFreeSteps() / 2) recording.leftOut += 1
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

/**
 * Groups actions of the same time into steps. Omits clock changes, because the times of the later
 * actions already include them.
 */
function toActionSteps(
  done: readonly { action: object; atMs: number }[],
): { actions: object[]; atMs: number }[] {
  const steps: { actions: object[]; atMs: number }[] = []
  for (const { action, atMs } of done) {
    if ('type' in action && action.type === 'clock.advance') continue
    const last = steps.at(-1)
    if (last?.atMs === atMs && last.actions.length < maxStepActions) last.actions.push(action)
    else steps.push({ actions: [action], atMs })
  }
  return steps
}

/** Copies an action, because the caller may change it later. */
function copy(action: object): object {
  return JSON.parse(JSON.stringify(action)) as object
}

/** Removes all steps at or after a story time. Called when the world is rewound to that time. */
export function removeStepsFrom({ steps }: Recording, atMs: number): void {
  while ((steps.at(-1)?.atMs ?? -1) >= atMs) steps.pop()
}

/**
 * Converts a recording to a scenario that can be written as YAML. The scenario extends or copies
 * `source`, with the fields in `moved` replaced. Its timeline contains the steps of `source` and
 * the recorded steps, sorted by time.
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
  const { seed } = world.options
  const start = toIsoTime(world.options.start)
  const timeline = [...mergeSteps(sourceSteps, steps, { start, seed }), ...end]
  return {
    ...base,
    // The texts of the base are templates, but these are already filled in.
    ...escapeTexts(moved),
    name,
    title: 'A recorded session',
    description: `Recorded with the scenario ${typeof source === 'string' ? source : source.name}.`,
    seed,
    now: start,
    ...escapeTexts({ timeline }),
  }
}

/**
 * Sorts the steps of the source and the recorded steps by time. If recorded steps come before steps
 * of the source, each repetition of those becomes a step, because its jitter depends on the
 * position of the repeated step in the file.
 */
function mergeSteps(
  source: readonly Step[],
  recorded: Recording['steps'],
  options: { start: string; seed: number },
): readonly (Step | RecordedStep)[] {
  const planned = [...expandTimeline(source, options).steps]
  const isAfter = (recorded[0]?.atMs ?? Infinity) >= (planned.at(-1)?.atMs ?? 0)
  if (isAfter || planned.length + recorded.length >= maxFileSteps)
    return [...source, ...recorded.map(({ step }) => step)]
  const expanded = planned.map(({ atMs, chapter, note, actions, leapMs, request }) => {
    const leap = leapMs === 0 ? [] : [{ type: 'clock.advance', by: `${leapMs}ms` }]
    const step = { at: `${atMs}ms`, chapter, note, do: [...actions, ...leap], request }
    return { atMs, step: step as RecordedStep }
  })
  return [...expanded, ...recorded]
    .toSorted((one, other) => one.atMs - other.atMs)
    .map(({ step }) => step)
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

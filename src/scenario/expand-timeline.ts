import { z } from 'zod'
import { actions } from '../actions/all-actions.ts'
import type { ActionInput } from '../actions/all-actions.ts'
import { Heap } from './heap.ts'
import { createBoundedJsonSchema } from '../lib/schema-parts.ts'
import { LazyList } from '../lib/lazy-list.ts'
import { Random } from '../world/random.ts'
import { textFields } from './texts.ts'
import { durationForms, parseIso, parseDuration, parseRfc3339 } from '../lib/time.ts'
import { quoteText, SandboxError } from '../errors.ts'

export const duration = z
  .string()
  .max(200)
  .refine((text) => parseDuration(text) !== undefined, {
    error: `it must be a duration such as ${durationForms}`,
  })

const stepTime = z
  .string()
  .max(200)
  .refine(
    (text) =>
      parseDuration(text.replace(/^\+/, '')) !== undefined || parseRfc3339(text) !== undefined,
    {
      error:
        "it must be '+30s' (after the previous step), '2m' (after the start) or an RFC 3339 time",
    },
  )
  .describe(
    "Time of the step: '+30s' after the previous step, '2m' after the start, or an RFC 3339 time.",
  )

/** Maximum number of steps in a file. */
export const maxFileSteps = 10_000
/** Maximum number of actions in a step. */
export const maxStepActions = 100
/** Maximum lengths of the path and the body of a request in a step, characters. */
export const maxPathLength = 16_384
export const maxBodyLength = 1_048_576

type StepAction = ActionInput & Readonly<Record<string, unknown>>

/**
 * An action in a timeline: `type`, and the fields of that action. The schema is created on first
 * use, because most sandboxes do not parse scenarios.
 */
const StepAction = z.lazy(() => {
  const [first, ...others] = actions.map(({ type, schema }) => {
    const action = (schema as z.ZodLazy<z.ZodObject>).unwrap()
    return action.safeExtend({ ...allowTemplates(action), type: z.literal(type) })
  })
  return z.discriminatedUnion('type', [first, ...others] as [
    z.ZodObject<{ type: z.ZodLiteral }>,
  ]) as unknown as z.ZodType<StepAction>
})

/** Returns the text fields of an action, which in a file can also be templates. */
function allowTemplates({ shape }: z.ZodObject): Record<string, z.ZodType> {
  return Object.fromEntries(
    textFields
      .filter((field) => field in shape)
      .map((field) => {
        const schema = shape[field] as z.ZodType
        return [field, z.union([schema, template]).describe(schema.description ?? '')]
      }),
  )
}

const template = z
  .string()
  .max(10_000)
  .regex(/\{\{/, { error: 'it must be a template such as {{person.fullName}}' })

/** The actions of a step: a list in order, or a single action. */
const StepActions = z.preprocess(
  (value) => (Array.isArray(value) ? value : [value]),
  z.array(StepAction).max(maxStepActions),
) as unknown as z.ZodType<StepAction[], ActionInput | ActionInput[]>

/** HTTP methods that requests in a story can have. */
export const stepMethods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A recorded request from a client. `key` is the role of the API key that was sent. */
const StepRequest = z.lazy(() =>
  z
    .strictObject({
      key: z
        .string()
        .max(200)
        .describe(
          'The role of the key that was sent. Empty if the key was not issued by the sandbox.',
        ),
      method: z.enum(stepMethods as ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
      path: z.string().max(maxPathLength).startsWith('/'),
      body: createBoundedJsonSchema(maxBodyLength)
        .optional()
        .describe("The body. Times may be relative to the time of the step: '+2h', '-3d' or now."),
      shown: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe('What the request does, for an audience. The stage leaves out other requests.'),
      answered: z
        .strictObject({
          status: z.int().min(0).max(599),
          code: z
            .string()
            .max(100)
            .nullable()
            .describe(
              'The code of the error in docs/errors.md. null if the request succeeded, or if ' +
                'a fault set the response.',
            ),
        })
        .optional()
        .describe(
          'The recorded response. If it is set, the request is not sent again. It is only ' +
            'added to the journal, for the audit.',
        ),
    })
    .refine(({ path, answered }) => answered !== undefined || path.startsWith('/v1/'), {
      path: ['path'],
      error: 'it must start with /v1/',
    }),
)
export type StepRequest = z.infer<typeof StepRequest>

/** A step of a timeline. It is played at a given time, once or repeatedly. */
export const Step = z.lazy(() =>
  z
    .strictObject({
      at: stepTime.default('+0s'),
      chapter: z.string().min(1).max(80).optional().describe('Starts a chapter with this name.'),
      note: z.string().min(1).max(500).optional().describe('A caption for viewers.'),
      do: StepActions.default([]).describe('One action, or several in order.'),
      request: StepRequest.optional().describe('A request to send, from a recording.'),
      every: duration.optional().describe('Interval between repetitions. Requires `times`.'),
      times: z
        .int()
        .min(1)
        .max(10_000)
        .optional()
        .describe('Total number of repetitions. Requires `every`.'),
      jitter: duration
        .optional()
        .describe(
          'Maximum random shift of each repetition, earlier or later. The shift depends on ' +
            'the seed.',
        ),
    })
    .refine(({ every, times }) => (every === undefined) === (times === undefined), {
      error: 'every and times can only be used together',
      path: ['every'],
    })
    .refine(({ every, jitter }) => toMs(jitter) * 2 <= toMs(every), {
      error: 'it must be at most half of every',
      path: ['jitter'],
    }),
)
export type Step = z.infer<typeof Step>

/** A step with its time. A repeated step in a file becomes several planned steps. */
export interface PlannedStep {
  /** Story time, ms since the start. */
  atMs: number
  /** Clock time, ms since the start: the story time plus all time skipped by earlier steps. */
  clockMs: number
  /** Amount of time that the clock skips after the step, ms. */
  leapMs: number
  chapter?: string
  note?: string
  /** The caption that is visible after this step, from this or an earlier step. */
  caption: string | null
  actions: readonly StepAction[]
  request?: StepRequest
  /** The step's path in the scenario file, such as `timeline[3]`. */
  path: string
}

/** A timeline that is ready to play. */
export interface ScenarioTimeline {
  /** Steps sorted by time. They are generated on demand. */
  steps: LazyList<PlannedStep>
  chapters: readonly { name: string; atMs: number }[]
  durationMs: number
  /**
   * Indexes in the file of steps that are out of order: their time is before that of a previous
   * step.
   */
  misplaced: readonly number[]
}

/** Maximum number of steps in a timeline, including repetitions. */
export const maxTimelineSteps = 100_000
/** Maximum number of actions in a timeline, including repetitions. */
export const maxTimelineActions = 1_000_000

/** Thrown if a timeline's steps are valid individually, but not together. */
export class TimelineError extends SandboxError {
  readonly path: readonly (string | number)[]
  /** The problem at `path`, without a full stop. */
  readonly problem: string

  constructor(path: readonly (string | number)[], problem: string) {
    super(`Failed to read the timeline (${path.join('.')}): ${problem}.`)
    this.path = path
    this.problem = problem
  }
}

/**
 * Expands the repetitions of a file's steps and sorts them by time. Steps at the same time keep the
 * order of the file. `start` is the start time of the scenario's clock. Only counts the steps now.
 * They are generated on demand.
 * @throws {TimelineError}
 */
export function expandTimeline(
  steps: readonly Step[],
  { start, seed }: { start: string; seed: number },
): ScenarioTimeline {
  const plans: Plan[] = []
  const misplaced: number[] = []
  const chapters: { name: string; atMs: number }[] = []
  const names = new Set<string>()
  let [previous, latest, stepCount, actionCount] = [0, 0, 0, 0]
  for (const [index, step] of steps.entries()) {
    const fail = (field: keyof Step, problem: string) =>
      new TimelineError(['timeline', index, field], problem)
    const atMs = toOffset(step.at, previous, start)
    if (atMs < 0) throw fail('at', `it is before the start of the scenario (${start})`)
    previous = atMs
    if (atMs < latest) misplaced.push(index)
    latest = Math.max(latest, atMs)
    if (step.chapter !== undefined) {
      if (names.has(step.chapter))
        throw fail(
          'chapter',
          `the chapter ${quoteText(step.chapter)} already exists; use another name`,
        )
      names.add(step.chapter)
      chapters.push({ name: step.chapter, atMs })
    }
    const { times = 1 } = step
    stepCount += times
    actionCount += times * step.do.length
    if (stepCount > maxTimelineSteps)
      throw fail(
        'times',
        `with all repetitions, the timeline has more than ${maxTimelineSteps} steps`,
      )
    if (actionCount > maxTimelineActions)
      throw fail(
        'times',
        `with all repetitions, the timeline has more than ${maxTimelineActions} actions`,
      )
    plans.push({ step, index, atMs, seed: seed * 1009 + index })
  }
  const inOrder = plans.toSorted((a, b) => a.atMs - b.atMs || a.index - b.index)
  return {
    steps: new LazyList(stepCount, () => play(inOrder)),
    chapters: chapters.toSorted((a, b) => a.atMs - b.atMs),
    durationMs: plans.reduce((last, plan) => Math.max(last, getLastRepetitionTime(plan)), 0),
    misplaced,
  }
}

/** A step in a file, with the time of its first repetition. */
interface Plan {
  step: Step
  /** Index in the file. */
  index: number
  atMs: number
  /** Random seed for the jitter. */
  seed: number
}

/**
 * The state of a repeated step during playback: its next repetition, and an iterator over the later
 * ones.
 */
interface StartedStep {
  index: number
  next: PlannedStep
  others: Iterator<PlannedStep>
}

/**
 * Merges the repetitions of all steps by time. Keeps only one repetition of each step in memory.
 */
function* play(plans: readonly Plan[]): Generator<PlannedStep> {
  const playing = new Heap<StartedStep>(
    (a, b) => a.next.atMs < b.next.atMs || (a.next.atMs === b.next.atMs && a.index < b.index),
  )
  const addNext = (index: number, others: Iterator<PlannedStep>) => {
    const { value, done } = others.next()
    if (done !== true) playing.add({ index, next: value, others })
  }
  let [begun, leapt, caption] = [0, 0, null as string | null]
  for (;;) {
    for (
      let plan = plans[begun];
      plan !== undefined && plan.atMs <= (playing.first?.next.atMs ?? plan.atMs);
      plan = plans[begun]
    ) {
      begun += 1
      addNext(plan.index, repeat(plan))
    }
    const first = playing.pop()
    if (first === undefined) return
    caption = getLastCaption(first.next) ?? caption
    yield { ...first.next, clockMs: first.next.atMs + leapt, caption }
    leapt += first.next.leapMs
    addNext(first.index, first.others)
  }
}

/**
 * Returns the caption of a step: the text of its last note action, or else the note of the step
 * itself.
 */
function getLastCaption({ note, actions: stepActions }: PlannedStep): string | undefined {
  const last = stepActions.findLast(({ type }) => type === 'note')
  return last === undefined ? note : String(last['text'])
}

/** Converts the time of a step to ms since the start of the story. */
function toOffset(at: string, previous: number, start: string): number {
  if (at.startsWith('+')) return previous + (parseDuration(at.slice(1)) ?? 0)
  return parseDuration(at) ?? (parseRfc3339(at) ?? 0) - parseIso(start)
}

/** Generates the repetitions of a step. */
function* repeat({ step, index, atMs, seed }: Plan): Generator<PlannedStep> {
  const { times = 1, request } = step
  const jitterOf = createJitter(step, seed)
  const every = toMs(step.every)
  const leapMs = step.do.reduce((sum, action) => sum + getLeapMs(action), 0)
  const actions = step.do.filter((action) => getLeapMs(action) === 0)
  const path = `timeline[${index}]`
  for (let turn = 0; turn < times; turn += 1) {
    const heading = turn === 0 ? { chapter: step.chapter, note: step.note } : {}
    yield {
      atMs: atMs + turn * every + jitterOf(turn),
      clockMs: 0,
      leapMs,
      actions,
      request,
      path,
      caption: null,
      ...heading,
    }
  }
}

/**
 * Returns the time of a step's last repetition. Jitter is at most half of the interval, so it does
 * not change the order of repetitions.
 */
function getLastRepetitionTime({ step, atMs, seed }: Plan): number {
  const { times = 1 } = step
  const jitterOf = createJitter(step, seed)
  let jitter = 0
  if (toMs(step.jitter) > 0) for (let turn = 0; turn < times; turn += 1) jitter = jitterOf(turn)
  return atMs + (times - 1) * toMs(step.every) + jitter
}

/**
 * Creates a function that picks a random jitter for a repetition, ms. Call the function for the
 * repetitions in order.
 */
function createJitter(step: Step, seed: number): (turn: number) => number {
  const jitter = toMs(step.jitter)
  if (jitter === 0) return () => 0
  const random = new Random(seed)
  return (turn) => (turn === 0 ? 0 : random.integer(-jitter, jitter))
}

function toMs(text: string | undefined): number {
  return text === undefined ? 0 : (parseDuration(text) ?? 0)
}

/**
 * Returns the amount of time that an action skips, ms. `clock.advance` moves the clock, but not the
 * story time.
 */
function getLeapMs(action: StepAction): number {
  if (action.type !== 'clock.advance') return 0
  const { by } = action
  return typeof by === 'number' ? by : (parseDuration(String(by)) ?? 0)
}

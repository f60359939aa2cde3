import { z } from 'zod'
import { actions } from '../control/actions/index.ts'
import type { ActionInput } from '../control/actions/index.ts'
import { Random } from '../engine/random.ts'
import { fromIso, parseDuration, parseInstant } from '../engine/time.ts'

const duration = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, { error: "it must be a duration such as '90s' or '2m 30s'" })

const moment = z
  .string()
  .refine((text) => parseDuration(text.replace(/^\+/, '')) !== undefined || parseInstant(text) !== undefined, {
    error: "it must be '+30s' (after the step before), '2m' (after the start) or an RFC 3339 instant",
  })
  .describe("When: '+30s' after the step before, '2m' after the start, or an RFC 3339 instant. Default: with the step before.")

type StepAction = ActionInput & Readonly<Record<string, unknown>>

/** An action of a timeline: `type` and the fields of that action. The schema is built on first use, as most sandboxes read no scenario. */
const StepAction = z.lazy(() => {
  const [first, ...others] = actions.map(({ type, schema }) =>
    (schema as z.ZodLazy<z.ZodObject>).unwrap().safeExtend({ type: z.literal(type) }),
  )
  return z.discriminatedUnion('type', [first, ...others] as [z.ZodObject<{ type: z.ZodLiteral }>]) as unknown as z.ZodType<StepAction>
})

/** The actions of a step: a list in order, or a single action. */
const StepActions = z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(StepAction).max(100)) as unknown as z.ZodType<
  StepAction[],
  ActionInput | ActionInput[]
>

/** A recorded request of a client. The role stands for its key. */
const StepRequest = z.lazy(() =>
  z.strictObject({
    key: z.string().describe('The role whose key was sent.'),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path: z.string().startsWith('/v1/'),
    body: z.json().optional(),
  }),
)
export type StepRequest = z.infer<typeof StepRequest>

/** A step of a timeline: what happens at a time, once or repeatedly. */
export const Step = z.lazy(() =>
  z
    .strictObject({
      at: moment.default('+0s'),
      chapter: z.string().min(1).max(80).optional().describe('Begins a chapter of this name.'),
      note: z.string().min(1).max(500).optional().describe('A caption for the audience.'),
      do: StepActions.default([]).describe('An action, or several in order.'),
      request: StepRequest.optional().describe('A request to make, as a recording has it.'),
      every: duration.optional().describe('Repeat after this long, so many `times`.'),
      times: z.int().min(1).max(10_000).optional().describe('How often in all. Goes with every.'),
      jitter: duration.optional().describe('Each repetition comes up to this much earlier or later, by the seed.'),
    })
    .refine(({ every, times }) => (every === undefined) === (times === undefined), {
      error: 'it goes together with times',
      path: ['every'],
    })
    .refine(({ every, jitter }) => toMs(jitter) * 2 <= toMs(every), { error: 'it must be at most half of every', path: ['jitter'] }),
)
export type Step = z.infer<typeof Step>

/** One moment of a timeline. A repeated step becomes several moments. */
export interface Moment {
  /** The time of the story, ms since its start. */
  atMs: number
  /** The time of the world's clock, ms since its start: the time of the story and all leaps before. */
  clockMs: number
  /** How far the world's clock leaps after the moment, ms. */
  leapMs: number
  chapter?: string
  note?: string
  actions: readonly StepAction[]
  request?: StepRequest
  /** Where the step stands in the file, such as `timeline[3]`. */
  place: string
}

/** A timeline that is ready to play. */
export interface Timeline {
  moments: readonly Moment[]
  chapters: readonly { name: string; atMs: number }[]
  /** The captions for the audience, each with the index of its moment. */
  captions: readonly { index: number; text: string }[]
  durationMs: number
}

/** The most moments that the repetitions of a timeline may come to. */
export const mostMoments = 100_000

/** The error of a timeline whose steps are valid one by one, but not together. */
export class TimelineError extends Error {
  readonly path: readonly (string | number)[]

  constructor(path: readonly (string | number)[], message: string) {
    super(message)
    this.path = path
  }
}

/**
 * Expands steps to moments, in the order in which they play. Moments at equal times keep the order of the file. `start` is the clock start
 * of the scenario. @throws {TimelineError}
 */
export function expandTimeline(steps: readonly Step[], { start, seed }: { start: string; seed: number }): Timeline {
  const moments: Moment[] = []
  const chapters: { name: string; atMs: number }[] = []
  let previous = 0
  for (const [index, step] of steps.entries()) {
    const atMs = toOffset(step.at, previous, start)
    if (atMs < 0) throw new TimelineError(['timeline', index, 'at'], `it is before the start of the scenario (${start})`)
    previous = atMs
    if (step.chapter !== undefined) {
      if (chapters.some(({ name }) => name === step.chapter))
        throw new TimelineError(['timeline', index, 'chapter'], `there is a chapter ${JSON.stringify(step.chapter)} already`)
      chapters.push({ name: step.chapter, atMs })
    }
    moments.push(...repeat(step, { atMs, place: `timeline[${index}]`, random: new Random(seed * 1009 + index) }))
    if (moments.length > mostMoments)
      throw new TimelineError(['timeline', index, 'times'], `the repetitions come to more than ${mostMoments} moments`)
  }
  const inOrder = moments
    .map((each, index) => ({ each, index }))
    .toSorted((a, b) => a.each.atMs - b.each.atMs || a.index - b.index)
    .map(({ each }) => each)
  let leapt = 0
  for (const each of inOrder) {
    each.clockMs = each.atMs + leapt
    leapt += each.leapMs
  }
  const captions = inOrder.flatMap((each, index) => captionsOf(each).map((text) => ({ index, text })))
  return { moments: inOrder, chapters: chapters.toSorted((a, b) => a.atMs - b.atMs), captions, durationMs: inOrder.at(-1)?.atMs ?? 0 }
}

/** The captions of a moment: its own note, and those of its actions. */
function captionsOf({ note, actions: momentActions }: Moment): string[] {
  const ofActions = momentActions.flatMap(({ type, text }) => (type === 'note' ? [String(text)] : []))
  return note === undefined ? ofActions : [note, ...ofActions]
}

/** The time of a step in ms since the start of the story. `previous` is the time of the step before. */
function toOffset(at: string, previous: number, start: string): number {
  if (at.startsWith('+')) return previous + (parseDuration(at.slice(1)) ?? 0)
  return parseDuration(at) ?? (parseInstant(at) ?? 0) - fromIso(start)
}

function* repeat(step: Step, { atMs, place, random }: { atMs: number; place: string; random: Random }): Generator<Moment> {
  const { times = 1, request } = step
  const every = toMs(step.every)
  const jitter = toMs(step.jitter)
  const leapMs = step.do.reduce((sum, action) => sum + leapOf(action), 0)
  const actions = step.do.filter((action) => leapOf(action) === 0)
  for (let turn = 0; turn < times; turn += 1) {
    const sway = turn === 0 || jitter === 0 ? 0 : random.integer(-jitter, jitter)
    const heading = turn === 0 ? { chapter: step.chapter, note: step.note } : {}
    yield { atMs: atMs + turn * every + sway, clockMs: 0, leapMs, actions, request, place, ...heading }
  }
}

function toMs(text: string | undefined): number {
  return text === undefined ? 0 : (parseDuration(text) ?? 0)
}

/** How far an action leaps, ms. A `clock.advance` moves the world's clock on, while the time of the story stays where it is. */
function leapOf(action: StepAction): number {
  if (action.type !== 'clock.advance') return 0
  const { by } = action
  return typeof by === 'number' ? by : (parseDuration(String(by)) ?? 0)
}

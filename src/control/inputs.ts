import { z } from 'zod'
import { lazyStrictObject } from '../lib/fields.ts'
import { momentForms, parseClockStart } from '../world/real-time.ts'
import { worldNameForm, worldNameRule } from '../world/world-name.ts'
import { durationForms, latestTime } from '../lib/time.ts'
import { ScenarioName } from '../scenario/schema.ts'
import { maxYamlLength } from '../scenario/scenario-yaml.ts'

/** A change to the clock: advance it by a duration, move it to a later time, or switch its mode. */
export const ClockChange = z.lazy(() =>
  z
    .strictObject({
      advance: z
        .union([z.string().max(200), z.number().max(Number.MAX_VALUE)], {
          error: `it must be milliseconds, or a duration such as ${durationForms}`,
        })
        .optional()
        .describe("Time to advance: a duration such as '2h 1s', or milliseconds."),
      set: z
        .union([z.string().max(100), z.number().min(0).max(latestTime)], {
          error: `it must be ${momentForms}`,
        })
        .optional()
        .describe('The time to advance to: RFC 3339, epoch ms, or now for the real time.'),
      mode: z
        .enum(['frozen', 'running'])
        .optional()
        .describe('frozen: the time changes only if you move it. running: the clock runs.'),
      rate: z
        .number()
        .positive()
        .max(1_000_000)
        .optional()
        .describe('If mode is running: sandbox seconds per real second.'),
    })
    .refine(
      ({ advance, set, mode }) =>
        [advance, set, mode].filter((part) => part !== undefined).length === 1,
      { error: 'it needs exactly one of advance, set and mode' },
    )
    .refine(({ mode, rate }) => rate === undefined || mode === 'running', {
      error: 'rate needs mode: running',
    }),
)
export type ClockChange = z.infer<typeof ClockChange>

/** A scenario to load, by name or as YAML. */
export const ScenarioChoice = z.lazy(() =>
  z
    .strictObject({
      name: z
        .string()
        .max(200)
        .optional()
        .describe('The name of a scenario in GET /_sandbox/scenarios.'),
      yaml: z
        .string()
        .max(maxYamlLength)
        .optional()
        .describe('A scenario in YAML. Use either yaml or name.'),
      seed: z.int().optional().describe('Random seed. Default: the seed of the scenario.'),
      now: z
        .union([z.string().max(100), z.number().min(0).max(latestTime)])
        .refine((given) => parseClockStart(given) !== undefined, {
          error: `it must be ${momentForms}`,
        })
        .optional()
        .describe(
          'The start time of the clock: RFC 3339, epoch ms, now (the current UTC minute) or ' +
            'today (00:00 UTC). Default: the start time in the scenario. On a server, this default ' +
            'applies only if it has a timeline or an anchor. Otherwise, the default is now.',
        ),
      cue: z
        .boolean()
        .optional()
        .describe(
          'true: the story waits at its start until you play it. Default: the story follows the ' +
            'clock of the sandbox. With replay --paused, the default is true.',
        ),
    })
    .refine(({ name, yaml }) => (name === undefined) !== (yaml === undefined), {
      error: 'it needs either name or yaml',
    }),
)
export type ScenarioChoice = z.infer<typeof ScenarioChoice>

/** Selects journal entries. */
export const RequestFilter = lazyStrictObject(() => ({
  route: z
    .string()
    .optional()
    .describe(
      'Method and path as in the list of routes; the string `null`: requests without a ' +
        'matching route.',
    ),
  status: z.int().optional(),
  status_class: z
    .literal([2, 3, 4, 5])
    .optional()
    .describe('Only statuses that start with this digit.'),
  path: z.string().optional().describe('Only paths that contain this text, ignoring case.'),
  account: z.int().optional(),
  method: z.string().max(20).optional().describe('Only requests with this method.'),
  asked_by: z
    .enum(['client', 'story', 'console', 'docs'])
    .optional()
    .describe(
      'Only requests from this source: clients, the story, the console or the API ' +
        'reference (docs).',
    ),
  contains: z
    .string()
    .max(200)
    .optional()
    .describe('Only requests whose path or bodies contain this text, ignoring case.'),
  limit: z
    .int()
    .min(0)
    .optional()
    .describe('Maximum number of requests. Default: all requests in the journal.'),
  before: z.int().min(0).optional().describe('Only requests with an id below this value.'),
  since_checkpoint: z
    .boolean()
    .optional()
    .describe('true: only requests since the last checkpoint.'),
}))
export type RequestFilter = z.infer<typeof RequestFilter>

/** Selects requests with a larger id. */
export const Since = lazyStrictObject(() => ({ since: z.int().min(0).optional() }))
/**
 * Selects requests with an id larger than `since`. Default: the requests after the checkpoint, or
 * all requests in the journal if there is no checkpoint.
 */
export type Since = z.infer<typeof Since>

/** Selects the requests to audit. */
export const AuditQuery = lazyStrictObject(() => ({
  since: z.int().min(0).optional(),
  of: z.enum(['client', 'story']).optional(),
}))
/**
 * Selects the requests to audit. `since` selects requests with a larger id, as in `Since`. `of`
 * selects the sender.
 * @default `of`: clients
 */
export type AuditQuery = z.infer<typeof AuditQuery>

/** Selects applied actions. */
export const HappeningFilter = lazyStrictObject(() => ({ after: z.int().min(0).optional() }))

/** The name of an isolated world. */
export const WorldName = z.lazy(() =>
  z.string().max(40).regex(worldNameForm, { error: worldNameRule }),
)

/** Options for a new isolated world. */
export const WorldChoice = lazyStrictObject(() => ({
  name: WorldName.optional().meta({
    description: 'The name of the world. Default: w1, w2, ….',
    examples: ['worker-3'],
  }),
  fork: z
    .boolean()
    .optional()
    .describe(
      'true: create a copy of the current state of this world, which a reset restores. ' +
        'Default: the seeded state.',
    ),
}))
export type WorldChoice = z.infer<typeof WorldChoice>

/** The name of a scenario to write. */
export const ScenarioNaming = lazyStrictObject(() => ({ name: ScenarioName.optional() }))
export type ScenarioNaming = z.infer<typeof ScenarioNaming>

/** Content of a snapshot: the whole world, or only its changes since the data was loaded. */
export const SnapshotForm = z.strictObject({
  form: z
    .enum(['whole', 'changes'])
    .optional()
    .describe(
      'changes: only the changes since the data was loaded. A snapshot with only the changes ' +
        'can be restored only with the same version, scenario, seed and start. Default: `whole`.',
    ),
})
export type SnapshotForm = z.input<typeof SnapshotForm>

/**
 * Names of states, in addition to snapshots, with which `changes` can compare the current records.
 */
export const comparedStates = ['checkpoint', 'load', 'request'] as const

/** Name of a snapshot, and an optional note. */
export const SnapshotNaming = z.strictObject({
  name: z
    .string()
    .max(64)
    .regex(/^[\w.-]+$/, {
      error: 'it may have only letters, digits, dots, hyphens and underscores',
    })
    .refine((name) => !(comparedStates as readonly string[]).includes(name), {
      error: `it must not be ${comparedStates.join(', ')}, which have a meaning in the list of changes`,
    })
    .optional()
    .describe(
      '1 to 64 letters, digits, dots, hyphens or underscores. Default: `auto-1`, `auto-2`, …. ' +
        'Only the last five snapshots with a default name are kept.',
    ),
  note: z.string().max(200).optional().describe('A note to show in lists of snapshots.'),
})
export type SnapshotNaming = z.input<typeof SnapshotNaming>

/** Selects the state with which `changes` compares the current records. */
export const ChangesQuery = z.strictObject({
  since: z
    .string()
    .max(64)
    .optional()
    .meta({
      examples: ['load'],
      description:
        '`checkpoint`; `load`, when the data was loaded; `request`, before the last request to ' +
        'a route that needs a key; the name of a snapshot; or a sandbox time such as ' +
        '`2026-10-01T09:30:00Z`, for only the changes at or after it. Default: the checkpoint ' +
        'if there is one, otherwise the loading of the data.',
    }),
})
export type ChangesQuery = z.input<typeof ChangesQuery>

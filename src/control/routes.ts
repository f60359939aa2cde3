import { z } from 'zod'
import { FaultInput } from '../world/fault.ts'
import { jsonSize } from '../lib/json-size.ts'
import { maxRecordCharacters } from '../world/snapshot/snapshot.ts'
import { ScenarioName } from '../scenario/name.ts'
import type { ActionInput } from './actions/index.ts'
import { UnknownError } from './check.ts'
import { ClockChange, ScenarioChoice, WorldChoice } from './control.ts'
import type { Control } from './control.ts'
import { ReplayCommand } from './replay.ts'
import type { SeriesQuery } from './series.ts'
import { TextAnswer } from './text-answer.ts'
import { quote } from '../errors.ts'

/** A route of the control plane: its input, and the call of the control that answers it. */
export interface ControlRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path under `/_sandbox`; its last two segments may be `:parameters`. */
  path: string
  summary: string
  query: z.ZodType
  /** Null when the route takes no body. */
  body: z.ZodType | null
  /** Whether there need be no body. @default false */
  isBodyOptional?: boolean
  /** Whether the body may be as large as a snapshot. */
  isLarge: boolean
  /** What the world is busy with meanwhile, where it takes long. */
  doing?: string
  /** Whether it does not wait for its turn: it shows what is known, or its call waits by itself. */
  entersAtOnce?: boolean
  /** Whether its result is the bytes of its answer, in pieces. */
  answersBytes?: boolean
  /**
   * Set where it answers text of which a sandbox by itself has none: its type, and an example for
   * the documentation.
   */
  text?: { contentType: string; example: string }
  /** May return work, which a server does in slices. */
  run: (control: Control, input: ControlInput<never, never>) => unknown
}

interface ControlInput<Query, Body> {
  /** The parameter of the path; empty when the path has none. */
  id: string
  /** The second parameter; empty when the path has none. */
  item: string
  query: Query
  body: Body
}

interface ControlDefinition<Query extends z.ZodType, Body extends z.ZodType> extends Omit<
  ControlRoute,
  'query' | 'body' | 'isLarge' | 'run'
> {
  query?: Query
  body?: Body
  isLarge?: boolean
  run: (control: Control, input: ControlInput<z.output<Query>, z.output<Body>>) => unknown
}

const nothing = z.strictObject({})
const number = (min: number, max: number) =>
  z
    .string({ error: 'it must be given once' })
    .max(2_000)
    .refine((text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `it must be an integer from ${min} to ${max}`,
    })
    .transform(Number)
    .register(z.globalRegistry, { type: 'integer', minimum: min, maximum: max })
const text = z.string({ error: 'it must be given once' }).max(2_000)
const handmade = z
  .record(z.string().max(200), z.unknown())
  .refine((fields) => jsonSize(fields, maxRecordCharacters) <= maxRecordCharacters, {
    error: `a record has at most ${maxRecordCharacters} characters as JSON`,
  })
  .meta({ 'x-max-characters': maxRecordCharacters })
  .describe('Fields of the record, as `GET /_sandbox/data/{table}` shows them.')
const sinceId = number(0, Number.MAX_SAFE_INTEGER)
  .optional()
  .describe(
    'Only requests after the one of this id. Absent: those after the checkpoint, or all that ' +
      'the journal has.',
  )

/**
 * The route of server-sent events. The control plane answers it with a stream instead of calling
 * `run`.
 */
export const eventsRoute = define({
  method: 'GET',
  path: '/events',
  summary: 'Server-sent events: clock, requests, actions',
  run: (control) => control.pulse(),
})

/** Every route of the control plane. */
export const controlRoutes: readonly ControlRoute[] = [
  eventsRoute,
  define({
    method: 'GET',
    path: '/metrics',
    summary:
      'What a server that was started with --metrics counted, in the text format of Prometheus ' +
      '(docs/scale.md)',
    entersAtOnce: true,
    text: {
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      example:
        'sandbox_requests_total{route="GET /v1/:account_id/posts",status="200"} ' +
        '2\nsandbox_worlds 1\n',
    },
    run: (control) => control.served.metrics(),
  }),
  define({
    method: 'GET',
    path: '/state',
    summary: 'Scenario, clock, organisations, keys, accounts, and how many records there are',
    entersAtOnce: true,
    run: (control) => control.state(),
  }),
  define({
    method: 'GET',
    path: '/data',
    summary: 'The tables, and how many records each has',
    run: (control) => ({ tables: control.tables() }),
  }),
  define({
    method: 'GET',
    path: '/data/:table',
    summary: 'Raw records of a table; any field filters',
    query: z
      .object({
        limit: number(1, 10_000).default(100).describe('How many at most, up to 10,000.'),
        offset: number(0, 1e15).default(0).describe('How many to leave out first.'),
        contains: text
          .optional()
          .describe('Only records that hold this text somewhere, in any case.'),
        sort: text
          .optional()
          .describe('The field to sort by, with `:desc` the largest first. Absent: by id.'),
        pictures: z
          .enum(['true', 'false'])
          .optional()
          .describe('true: with the addresses of their pictures, relative to `/_sandbox/`.'),
      })
      .catchall(text)
      .meta({ maxProperties: 1000 })
      .refine((query) => Object.keys(query).length <= 1000, {
        error: 'it must have at most 1000 filters',
      })
      .describe("Any field of the table's records: only records whose field is this."),
    run: (control, { id, query: { limit, offset, contains, sort, pictures, ...filters } }) =>
      control.data(id, { limit, offset, contains, sort, pictures: pictures === 'true', filters }),
  }),
  define({
    method: 'GET',
    path: '/data/:table/:id',
    summary: 'A record, what it names, and what names it',
    run: (control, { id, item }) => control.record(id, item),
  }),
  define({
    method: 'POST',
    path: '/data/:table',
    summary:
      'Add a record by hand, through the rules of the model; what is left out gets a believable ' +
      'value',
    body: handmade,
    run: (control, { id, body }) => control.insertRecord(id, body),
  }),
  define({
    method: 'PATCH',
    path: '/data/:table/:id',
    summary: 'Change some fields of a record',
    body: handmade,
    run: (control, { id, item, body }) => control.updateRecord(id, item, body),
  }),
  define({
    method: 'DELETE',
    path: '/data/:table/:id',
    summary: 'Remove a record that no other one names',
    run(control, { id, item }) {
      control.removeRecord(id, item)
      return { removed: 1 }
    },
  }),
  define({
    method: 'POST',
    path: '/changes',
    summary: 'Remember the records as they are, to tell later what changed',
    run: (control) => ({ since: control.remember() }),
  }),
  define({
    method: 'GET',
    path: '/changes',
    summary:
      'What was added, changed (field by field) and removed since the records were remembered',
    run: (control) => control.changes(),
  }),
  define({
    method: 'POST',
    path: '/reset',
    summary: 'Go back to the seeded state: data, windows, faults, sessions, clock, journal',
    entersAtOnce: true,
    run: (control) => control.reset().then(() => control.state()),
  }),
  define({
    method: 'POST',
    path: '/clock',
    summary: 'Move the clock',
    body: ClockChange,
    doing: 'advancing',
    run: (control, { body }) => control.served.clock(body),
  }),
  define({
    method: 'POST',
    path: '/actions',
    summary: 'Do an action, or several in order: all or none',
    body: z.unknown().describe('An action, or an array of up to 1,000.'),
    doing: 'acting',
    // The control checks each action with its own schema.
    run: (control, { body }) => control.act(body as ActionInput),
  }),
  define({
    method: 'GET',
    path: '/actions',
    summary: 'What can be done: every action with the schema of its fields',
    run: (control) => control.actions(),
  }),
  define({
    method: 'GET',
    path: '/happenings',
    summary: 'The last actions, oldest first',
    query: z.strictObject({
      after: number(0, Number.MAX_SAFE_INTEGER)
        .optional()
        .describe('Only those after the one of this id.'),
    }),
    run: (control, { query }) => control.happenings(query),
  }),
  define({
    method: 'POST',
    path: '/check',
    summary:
      'Whether the records agree with one another: what always holds, with the first ten ' +
      'records that break it',
    run: (control) => control.check(),
  }),
  define({
    method: 'GET',
    path: '/replay',
    summary: 'How far the story of the scenario is',
    run: (control) => control.replay(),
  }),
  define({
    method: 'GET',
    path: '/story',
    summary: 'What the story is about: title, chapters, and how the figures went that it watches',
    run: (control) => control.story(),
  }),
  define({
    method: 'POST',
    path: '/replay',
    summary: 'Direct the story of the scenario',
    body: ReplayCommand,
    doing: 'seeking',
    run: (control, { body }) => control.served.replay(body),
  }),
  define({
    method: 'GET',
    path: '/pulse',
    summary: 'What changes as time goes on: clock, story, windows, sessions',
    run: (control) => control.pulse(),
  }),
  define({
    method: 'GET',
    path: '/faults',
    summary: 'The faults in force',
    run: (control) => control.faults.list(),
  }),
  define({
    method: 'POST',
    path: '/faults',
    summary: 'Put a fault in force',
    body: FaultInput,
    run: (control, { body }) => control.faults.add(body),
  }),
  define({
    method: 'DELETE',
    path: '/faults',
    summary: 'Lift all faults',
    run: (control) => ({ removed: control.faults.clear() }),
  }),
  define({
    method: 'DELETE',
    path: '/faults/:id',
    summary: 'Lift a fault',
    run: (control, { id }) => removeFault(control, id),
  }),
  define({
    method: 'GET',
    path: '/requests',
    summary: 'The last requests, newest first',
    query: z.strictObject({
      route: text
        .optional()
        .describe(
          'Method and path as the route list has them; `null`: those that no route answered.',
        ),
      status: number(0, 599).optional().describe('Only this status; 0: connections that were cut.'),
      status_class: z
        .enum(['2', '3', '4', '5'])
        .transform((digit) => Number(digit) as 2 | 3 | 4 | 5)
        .optional()
        .describe('Only statuses that begin with this digit.'),
      path: text.optional().describe('Only paths that contain this, in any case.'),
      account: number(0, Number.MAX_SAFE_INTEGER)
        .optional()
        .describe('Only requests for this account.'),
      method: text.optional().describe('Only this method, such as `POST`.'),
      asked_by: z
        .enum(['client', 'story', 'console', 'docs'])
        .optional()
        .describe('Only requests of clients, of the story, or of a page of the server.'),
      contains: text
        .optional()
        .describe('Only requests whose path or bodies contain this, in any case.'),
      limit: number(1, 1_000_000)
        .optional()
        .describe('How many at most. Absent: all that the journal has.'),
      before: number(1, Number.MAX_SAFE_INTEGER)
        .optional()
        .describe('Only requests made before the one of this id.'),
      brief: z
        .enum(['true', 'false'])
        .optional()
        .describe('true leaves out what was sent and answered.'),
      format: z
        .enum(['json', 'har'])
        .default('json')
        .describe('har: as the archive that the tools of browsers read.'),
    }),
    async run(control, { query: { brief, format, ...filter } }) {
      if (format === 'har') return (await import('./har.ts')).toHar(control.requests(filter))
      return brief === 'true' ? control.requestRows(filter) : control.requests(filter)
    },
  }),
  define({
    method: 'DELETE',
    path: '/requests',
    summary: 'Empty the journal',
    run: (control) => ({ removed: control.clearRequests() }),
  }),
  define({
    method: 'GET',
    path: '/audit',
    summary: 'What clients do wrong, what it cost, and what they never met (docs/audit.md)',
    query: z.strictObject({
      since: sinceId,
      of: z
        .enum(['client', 'story'])
        .optional()
        .describe('Who sent the requests: clients, or the story of a recording. Default: client.'),
      format: z.enum(['json', 'text', 'markdown']).default('json').describe('How to write it.'),
    }),
    async run(control, { query: { format, ...heard } }) {
      const audit = await control.audit(heard)
      if (format === 'json') return audit
      const { formatAudit } = await import('../audit/format.ts')
      return new TextAnswer(
        `text/${format === 'text' ? 'plain' : format}; charset=utf-8`,
        formatAudit(audit, format),
      )
    },
  }),
  define({
    method: 'GET',
    path: '/cost',
    summary: 'What clients spent: credits, requests, bytes and pages, in all and by route',
    query: z.strictObject({ since: sinceId }),
    run: (control, { query }) => control.cost(query),
  }),
  define({
    method: 'POST',
    path: '/checkpoint',
    summary: 'Let audit and cost begin behind the last request',
    run: (control) => ({ last_request: control.checkpoint() }),
  }),
  define({
    method: 'GET',
    path: '/series',
    summary: 'Revenue, subscribers and requests over sandbox time',
    query: z.strictObject({
      span: text
        .optional()
        .describe('How far back, such as `30d`. Absent: since the scenario began.'),
      account: number(0, Number.MAX_SAFE_INTEGER).optional().describe('Only this account.'),
      buckets: number(2, 500).optional().describe('The most points, 2 to 500. Absent: 60.'),
    }),
    // The control checks the query with its own schema.
    run: (control, { query }) => control.series(query satisfies SeriesQuery),
  }),
  define({
    method: 'GET',
    path: '/routes',
    summary: 'The routes of the API by name',
    run: (control) => control.routes(),
  }),
  define({
    method: 'GET',
    path: '/snapshot',
    summary: 'The whole world as JSON',
    doing: 'saving',
    answersBytes: true,
    run: (control) => control.served.snapshot(),
  }),
  define({
    method: 'PUT',
    path: '/snapshot',
    summary: 'Go back to a snapshot',
    body: z.unknown().describe('What `GET /_sandbox/snapshot` answered.'),
    isLarge: true,
    entersAtOnce: true,
    run: (control, { body }) => control.restore(body).then(() => control.state()),
  }),
  define({
    method: 'GET',
    path: '/scenario',
    summary: 'The present world as a scenario, as YAML: started, it has these records',
    query: z.strictObject({
      name: ScenarioName.optional().describe('What to call it. Default: `present`.'),
    }),
    run: (control, { query }) => control.presentScenario(query),
  }),
  define({
    method: 'GET',
    path: '/recording',
    summary: 'Whether what is done is recorded, since when, and how many steps that came to',
    run: (control) => control.recording(),
  }),
  define({
    method: 'POST',
    path: '/recording',
    summary: 'Record from now on what is done, by actions and by clients',
    run: (control) => control.startRecording(),
  }),
  define({
    method: 'DELETE',
    path: '/recording',
    summary:
      'End the recording: what was done as a scenario, as YAML, which plays to the same world',
    query: z.strictObject({
      name: ScenarioName.optional().describe('What to call it. Default: `recorded`.'),
    }),
    run: (control, { query }) => control.stopRecording(query),
  }),
  define({
    method: 'GET',
    path: '/scenarios',
    summary: 'The scenarios that can be loaded by name',
    run: (control) => control.scenarios(),
  }),
  define({
    method: 'PUT',
    path: '/scenario',
    summary: 'Put another scenario in place of the present one',
    body: ScenarioChoice,
    entersAtOnce: true,
    run: (control, { body }) => control.loadScenario(body).then(() => control.state()),
  }),
  define({
    method: 'GET',
    path: '/worlds',
    summary: 'The isolated worlds',
    run: (control) => control.worlds(),
  }),
  define({
    method: 'POST',
    path: '/worlds',
    summary: 'Make an isolated world in the seeded state',
    body: WorldChoice,
    isBodyOptional: true,
    run: (control, { body }) => control.createWorld(body),
  }),
  define({
    method: 'DELETE',
    path: '/worlds/:id',
    summary: 'Remove an isolated world',
    run(control, { id }) {
      control.removeWorld(id)
      return { removed: 1 }
    },
  }),
]

function define<Query extends z.ZodType = typeof nothing, Body extends z.ZodType = typeof nothing>({
  query,
  body,
  isLarge = false,
  ...route
}: ControlDefinition<Query, Body>): ControlRoute {
  return { ...route, query: query ?? nothing, body: body ?? null, isLarge }
}

function removeFault(control: Control, id: string): { removed: number } {
  if (!/^\d{1,15}$/.test(id) || !control.faults.remove(Number(id))) {
    throw new UnknownError(
      `Failed to remove the fault ${quote(id, 80)}: there is none of that id. GET ` +
        `/_sandbox/faults lists them.`,
    )
  }
  return { removed: 1 }
}

import { z } from 'zod'
import { quoteText } from '../../errors.ts'
import { NotFoundError } from '../../api/check-input.ts'
import { RequestFilter } from '../inputs.ts'
import type { SeriesQuery } from '../series.ts'
import { TextResponse } from '../json-pieces.ts'
import { toJournalQuery } from '../journal-query.ts'
import { readRowsOfAllWorlds } from '../world-list.ts'
import { createIntegerSchema, defineControlRoute, flag, integer, text } from './route.ts'

const sinceId = integer.describe(
  'Only requests with an id above this value. Default: the requests after the checkpoint, or ' +
    'all requests if there is no checkpoint.',
)

function toRequestId(id: string): number {
  if (/^[1-9]\d{0,14}$/.test(id)) return Number(id)
  throw new NotFoundError(
    `Failed to read the request ${quoteText(id, 80)}: it must be the id of a request in the journal, ` +
      `such as 12. GET /_sandbox/requests lists them.`,
  )
}

/** Routes that read the journal: requests, audit, cost and time series. */
export const journalRoutes = [
  defineControlRoute({
    id: 'GET /requests',
    summary: 'List the latest requests, newest first',
    query: z.strictObject({
      route: text.describe(
        'Method and path as in the list of routes; `null`: requests without a matching route.',
      ),
      status: createIntegerSchema(0, 599)
        .optional()
        .describe('Only requests with this status. Use 0 for connections that a fault closed.'),
      status_class: z
        .enum(['2', '3', '4', '5'])
        .transform((digit) => Number(digit) as 2 | 3 | 4 | 5)
        .optional()
        .describe('Only statuses that start with this digit.'),
      path: text.describe('Only paths that contain this text, ignoring case.'),
      account: integer.describe('Only requests for this account.'),
      method: text.describe('Only requests with this method, such as `POST`.'),
      asked_by: RequestFilter.unwrap().shape.asked_by,
      contains: text.describe('Only requests with this text in the path or a body, ignoring case.'),
      limit: integer.describe('Maximum number of requests. Default: all requests in the journal.'),
      before: integer.describe('Only requests with an id below this value.'),
      since_checkpoint: flag.describe('true: only requests since the last checkpoint.'),
      brief: flag.describe('true: without the bodies.'),
      all_worlds: flag.describe(
        'true: requests of the main world and all isolated worlds, sorted by real time, each ' +
          'with its `world`. `before` and `brief` have no effect.',
      ),
      format: z
        .enum(['json', 'har'])
        .default('json')
        .describe('har: an HTTP archive, for the developer tools of browsers.'),
    }),
    async run(_control, { served, query: { brief, format, all_worlds: isOfAll, ...filter } }) {
      const { host } = served
      if (isOfAll === true) return served.slice(readRowsOfAllWorlds(host, filter))
      const { journal } = host.use()
      const query = toJournalQuery(filter, host.routeNames)
      if (brief === true && format === 'json') return served.slice(journal.readRows(query))
      const entries = await served.slice(journal.readEntries(query))
      return format === 'har' ? (await import('../har.ts')).toHttpArchive(entries) : entries
    },
  }),
  defineControlRoute({
    id: 'GET /requests/:id',
    summary: 'Read a request. For a list route, also explains why the list is empty or short',
    // Waits in the queue only to copy the world.
    skipsQueue: true,
    run: (control, { id }) => control.request(toRequestId(id)),
  }),
  defineControlRoute({
    id: 'DELETE /requests',
    summary: 'Clear the journal',
    run: (control) => ({ removed: control.clearRequests() }),
  }),
  defineControlRoute({
    id: 'GET /audit',
    summary: 'List client mistakes, the cost of requests, and untested situations (docs/audit.md)',
    query: z.strictObject({
      since: sinceId,
      of: z
        .enum(['client', 'story'])
        .optional()
        .describe(
          'Source of the requests: clients, or the replay of a recording. Default: client.',
        ),
      format: z
        .enum(['json', 'text', 'markdown'])
        .default('json')
        .describe('The format of the response.'),
    }),
    async run(control, { query: { format, ...heard } }) {
      const audit = await control.audit(heard)
      if (format === 'json') return audit
      const { formatAudit } = await import('../../audit/format-audit.ts')
      return new TextResponse(
        `text/${format === 'text' ? 'plain' : format}; charset=utf-8`,
        formatAudit(audit, format),
      )
    },
  }),
  defineControlRoute({
    id: 'GET /cost',
    summary:
      'Read the cost of client requests: credits, requests, bytes and pages, in total and by route',
    query: z.strictObject({ since: sinceId }),
    run: (control, { query }) => control.cost(query),
  }),
  defineControlRoute({
    id: 'POST /checkpoint',
    summary:
      'Set a checkpoint. The audit, the cost and `since_checkpoint` then cover only later ' +
      'requests, and the changes only later changes',
    run: (control) => ({ last_request: control.checkpoint() }),
  }),
  defineControlRoute({
    id: 'GET /series',
    summary: 'Read revenue, subscribers and requests over sandbox time',
    query: z.strictObject({
      span: text.describe(
        'How far to look back, such as `30d`. Default: since the start of the scenario.',
      ),
      account: integer.describe('Only this account.'),
      buckets: createIntegerSchema(2, 500)
        .optional()
        .describe('Maximum number of points, 2 to 500. Default: 60.'),
    }),
    // Accepts any query here, because `control` validates it with its own schema.
    run: (control, { query }) => control.series(query satisfies SeriesQuery),
  }),
  defineControlRoute({
    id: 'GET /routes',
    summary: 'List the API routes by id',
    query: z.strictObject({
      summaries: flag.describe('true: list each route as an object with its id and its summary.'),
    }),
    run: (control, { query: { summaries } }) =>
      summaries === true ? control.routeSummaries() : control.routes(),
  }),
]

import { defineControlRoute } from './route.ts'

/**
 * Route for server-sent events. The control plane opens a stream for it instead of calling `run`.
 */
export const eventsRoute = defineControlRoute({
  id: 'GET /events',
  summary: 'Stream server-sent events: clock, requests, actions, and problem if a read fails',
  run: (control) => control.pulse(),
})

/** Routes that read the state of the server. */
export const serverRoutes = [
  eventsRoute,
  defineControlRoute({
    id: 'GET /metrics',
    summary:
      'Read the metrics of a server that was started with --metrics, in the text format of ' +
      'Prometheus (docs/scale.md)',
    skipsQueue: true,
    uses: () => [],
    text: {
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      example:
        'sandbox_requests_total{route="GET /v1/:account_id/posts",status="200"} ' +
        '2\nsandbox_worlds 1\n',
    },
    run: (_, { served }) => served.writeMetrics(),
  }),
  defineControlRoute({
    id: 'GET /state',
    summary: 'Read the scenario, clock, organisations, keys, accounts and record counts',
    skipsQueue: true,
    run: (control) => control.state(),
  }),
]

import type { IncomingMessage, ServerResponse } from 'node:http'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { nodePace } from '../pace.ts'
import { TextResponse } from '../../control/json-pieces.ts'
import { controlPrefix } from '../../control/control-plane.ts'
import { splitUrl } from '../../lib/url.ts'
import { matchRoute } from '../../sandbox/served-routes.ts'
import type { ServedSandbox } from '../../sandbox/served-sandbox.ts'

/** Metrics of a server. */
export interface Metrics {
  /** Called with each request. Counts it after its response has been sent. */
  observe: (request: IncomingMessage, response: ServerResponse) => void
  /** Writes the metrics in the Prometheus text format. */
  write: () => Promise<TextResponse>
}

/** Upper bounds of the response-time histogram, seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/**
 * Creates the metrics of a server. prom-client adds process metrics. docs/scale.md lists all names.
 */
export function createMetrics(served: ServedSandbox): Metrics {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const registers = [register]
  const requests = new Counter({
    name: 'sandbox_requests_total',
    help:
      'Requests by route and status. Status 0 means that the connection was closed before ' +
      'the end of the response.',
    labelNames: ['route', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'sandbox_answer_seconds',
    help:
      'Time from receiving the request headers to the end of the response, by route. ' +
      'Excludes event streams.',
    labelNames: ['route'],
    buckets,
    registers,
  })
  const addGauge = (name: string, help: string, read: () => number | undefined) => {
    const gauge: Gauge = new Gauge({ name, help, registers, collect: () => set(gauge, read()) })
  }
  addGauge('sandbox_worlds', 'Isolated worlds in memory.', () => served.usage().worlds.open)
  addGauge(
    'sandbox_worlds_leased',
    'Worlds that this server owns in a shared store, including the main world.',
    () => served.usage().worlds.leased,
  )
  addGauge(
    'sandbox_worlds_limit',
    'Maximum number of isolated worlds (--max-worlds).',
    () => served.usage().worlds.most,
  )
  const evicted: Counter = new Counter({
    name: 'sandbox_worlds_evicted_total',
    help: 'Number of isolated worlds that were evicted: saved with --state, otherwise lost.',
    labelNames: ['to'],
    registers,
    collect() {
      evicted.reset()
      const { stored, dropped } = served.usage().worlds
      evicted.inc({ to: 'folder' }, stored)
      evicted.inc({ to: 'nowhere' }, dropped)
    },
  })
  addGauge(
    'sandbox_memory_used_bytes',
    'Memory growth of the process since its start, or the memory counted by the sandbox if ' +
      'that is higher.',
    () => served.usage().memory?.used,
  )
  addGauge(
    'sandbox_memory_limit_bytes',
    'Memory limit (--max-memory).',
    () => served.usage().memory?.limit,
  )
  addGauge(
    'sandbox_journal_requests',
    'Requests in the journals of all worlds.',
    () => served.usage().journal,
  )
  return {
    observe(request, response) {
      const start = nodePace.now()
      const route = getRouteName(request)
      response.once('close', () => {
        requests.inc({ route, status: response.writableFinished ? response.statusCode : 0 })
        if (!isStream(response)) seconds.observe({ route }, (nodePace.now() - start) / 1000)
      })
    },
    write: async () => new TextResponse(register.contentType, await register.metrics()),
  }
}

function set(gauge: Gauge, value: number | undefined): void {
  if (value !== undefined) gauge.set(value)
}

/**
 * Returns the route name, as in faults and the journal. Groups unknown paths by kind, because each
 * distinct name creates a new time series.
 */
function getRouteName({ method = '', url = '' }: IncomingMessage): string {
  const { path } = splitUrl(url)
  if (path === controlPrefix || path.startsWith(`${controlPrefix}/`)) return 'control plane'
  return matchRoute(method, path).route?.id ?? 'other'
}

function isStream(response: ServerResponse): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream')
}

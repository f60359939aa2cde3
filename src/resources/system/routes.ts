import { z } from 'zod'
import { markAsInferred } from '../../lib/fields.ts'
import { createRouteDefiner } from '../define.ts'

const defineRoute = createRouteDefiner({ group: 'System', kind: 'service' })

const readHealth = defineRoute({
  id: 'GET /health',
  permission: null,
  source: 'reference §4 Other routes',
  summary: 'Check that the service is up',
  rules: [
    'Needs no key and no credits. The response has no envelope.',
    'HEAD returns the same status and headers, without a body.',
    'While a server creates its data, the response also has `"ready": false`. With the query ' +
      'parameter `ready`, the server responds only when its data is complete.',
    'With `--state`, the response also has `"state": "failing since …"` while worlds cannot be ' +
      'saved.',
    'The response of a server also has `digest`, a hash of its version, scenario, seed, clock ' +
      'start and options. Servers with the same digest have the same data. The digest does not ' +
      'depend on the keys.',
    'Requests with `?ready`, such as those of load balancers, are not recorded in the journal.',
  ],
  accessChecks: 'none',
  isPrompt: true,
  isProbe: ({ rawQuery }) => new URLSearchParams(rawQuery).has('ready'),
  head: true,
  data: markAsInferred(
    z.object({
      status: z.literal('ok'),
      ready: z.literal(false).optional(),
      state: z.string().optional(),
      digest: z.string().optional(),
    }),
  ),
  handle: ({ world }) => ({ status: 'ok' as const, ...world.options.conditions }),
})

export const systemRoutes = [readHealth]

import { z } from 'zod'
import { inferred } from '../../lib/fields.ts'
import { defineRoute } from '../define.ts'

const readHealth = defineRoute({
  method: 'GET',
  path: '/health',
  group: 'System',
  permission: null,
  kind: 'service',
  source: 'reference §4 Other routes',
  summary: 'Check that the service is up',
  rules: [
    'No key, no envelope, no credits.',
    'HEAD is answered like GET, without the body.',
    'A server that still makes its data says `"ready": false` as well. With the parameter ' +
      '`ready` it answers once all are there.',
    'With `--state` it also says `"state": "failing since …"` while worlds cannot be saved.',
    'A server also says `digest`, of its version, scenario, seed, clock start and options: ' +
      'servers with the same digest hold the same ' +
      'data. It tells nothing of the keys.',
    'With `?ready`, as load balancers ask, the request is kept in no journal.',
  ],
  gate: 'none',
  isPrompt: true,
  isProbe: ({ rawQuery }) => new URLSearchParams(rawQuery).has('ready'),
  head: true,
  data: inferred(
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

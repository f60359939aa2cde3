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
    'Needs no key, has no envelope, costs no credits.',
    'HEAD works like GET, without the body.',
    'While the server creates its data, the response has `"ready": false`. With the parameter ' +
      '`ready`, it answers only when all data is ready.',
    'With `--state`, the response has `"state": "failing since …"` while the file cannot be ' +
      'written.',
    'A server also returns `digest`, a hash of its version, scenario, seed, clock start and ' +
      'options. Servers with the same digest have the same data. It does not reveal keys.',
    'Requests with `?ready`, as from load balancers, are not in the journal.',
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

import { z } from 'zod'
import { inferred } from '../../engine/fields.ts'
import { defineRoute } from '../../world/define.ts'

const readHealth = defineRoute({
  method: 'GET',
  path: '/health',
  group: 'System',
  permission: null,
  kind: 'service',
  source: 'reference §4 Other routes',
  summary: 'Tell that the service is up',
  rules: [
    'No key, no envelope, no credits.',
    'HEAD is answered like GET, without the body.',
    'A server that is still being seeded says `"ready": false` as well. With the parameter `ready` it answers once it is ready.',
    'With `--state` it also says `"state": "failing since …"` while the file cannot be written.',
  ],
  gate: 'none',
  isPrompt: true,
  head: true,
  data: inferred(z.object({ status: z.literal('ok'), ready: z.literal(false).optional(), state: z.string().optional() })),
  handle: ({ world }) => ({ status: 'ok' as const, ...world.options.conditions }),
})

export const systemRoutes = [readHealth]

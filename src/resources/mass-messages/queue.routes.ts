import { z } from 'zod'
import { pathId, Success } from '../../lib/fields.ts'
import { defineRoute } from '../define.ts'
import { requireMassMessage } from './mass-messages.ts'
import { MassMessageChanges, MassMessageDetails, MassMessageQueue } from './schemas.ts'
import { toDetails, toQueueItem } from './view.ts'
import { cancelMassMessage, updateMassMessage } from './writes.ts'

const ofQueue = { group: 'Mass Messages', kind: 'relay', source: 'inferred' } as const
const queueParams = () => z.object({ queue_id: pathId })

const listQueue = defineRoute({
  ...ofQueue,
  method: 'GET',
  path: '/v1/:account_id/mass-messages/queue',
  permission: 'api_mass_messages_list_queue',
  source: 'published',
  evidence: 'path by a link alone; permission by analogy, rows as a sibling service shows them',
  summary: 'List the mass messages that have yet to go out',
  rules: ['The whole queue, soonest first.'],
  data: MassMessageQueue,
  handle: ({ world, account }) => ({
    list: world.db.massMessages
      .in('queued', account.id)
      .slice()
      .map((item) => world.json(toQueueItem, item)),
    hasMore: false,
  }),
})

const readItem = defineRoute({
  ...ofQueue,
  method: 'GET',
  path: '/v1/:account_id/mass-messages/queue/:queue_id',
  permission: 'api_mass_messages_read',
  source: 'published',
  summary: 'Read a mass message',
  rules: ['One that went out or was cancelled can be read, too.'],
  params: queueParams,
  data: MassMessageDetails,
  handle: ({ world, account, params }) =>
    world.json(toDetails, requireMassMessage(world, account, params.queue_id)),
})

const updateItem = defineRoute({
  ...ofQueue,
  method: 'PUT',
  path: '/v1/:account_id/mass-messages/queue/:queue_id',
  permission: 'api_mass_messages_update',
  source: 'published',
  summary: 'Edit or reschedule a queued mass message',
  rules: [
    'What is left out stays, and is not looked into: scheduledDate alone reschedules.',
    'One that went out or was cancelled is 403.',
    'What is given must fit together, and with the rest, as for a new one. filters and ' +
      'recommenders are taken and narrow nothing.',
  ],
  params: queueParams,
  body: () => MassMessageChanges,
  data: MassMessageDetails,
  handle({ world, account, params, body }) {
    const item = requireMassMessage(world, account, params.queue_id)
    return toDetails(world, updateMassMessage(world, account, { item, changes: body }))
  },
})

const cancelItem = defineRoute({
  ...ofQueue,
  method: 'DELETE',
  path: '/v1/:account_id/mass-messages/queue/:queue_id',
  permission: 'api_mass_messages_cancel_queue',
  evidence: "named in the service's own older reference; by analogy with its other deletes",
  summary: 'Cancel a mass message',
  rules: [
    'A queued one leaves the queue and never goes out.',
    'One that went out within the last 24 hours is taken back from all who have not bought it, ' +
      'or were paid back; ' +
      'it stays in the statistics as cancelled, with its views and purchases.',
    'One that was cancelled already, or went out earlier, is 403.',
  ],
  params: queueParams,
  data: Success,
  handle({ world, account, params }) {
    cancelMassMessage(world, requireMassMessage(world, account, params.queue_id))
    return { success: true as const }
  },
})

export const massMessageQueueRoutes = [listQueue, readItem, updateItem, cancelItem]

import { z } from 'zod'
import { pathId, Success } from '../../lib/fields.ts'
import { defineRoute } from '../define.ts'
import { requireMassMessage } from './mass-messages.ts'
import { MassMessageChanges, MassMessageDetails, MassMessageQueue } from './schemas.ts'
import { toMassMessageDetails, toQueueItem } from './view.ts'
import { cancelMassMessage, updateMassMessage } from './writes.ts'

const ofQueue = { group: 'Mass Messages', kind: 'relay', source: 'inferred' } as const
const queueParams = () => z.object({ queue_id: pathId })

const listQueue = defineRoute({
  ...ofQueue,
  method: 'GET',
  path: '/v1/:account_id/mass-messages/queue',
  permission: 'api_mass_messages_list_queue',
  source: 'published',
  evidence: 'path known only from a link; permission by analogy, rows as in a sibling service',
  summary: 'List the queued mass messages',
  rules: [
    'Returns the whole queue, soonest first. If the last list of recipients of a queued message, ' +
      'or the media that it needs, are deleted, the message is cancelled and has hasError true.',
  ],
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
  errors: ['mass_message_unknown'],
  rules: ['Sent and cancelled mass messages can also be read.'],
  params: queueParams,
  data: MassMessageDetails,
  handle: ({ world, account, params }) =>
    world.json(toMassMessageDetails, requireMassMessage(world, account, params.queue_id)),
})

const updateItem = defineRoute({
  ...ofQueue,
  method: 'PUT',
  path: '/v1/:account_id/mass-messages/queue/:queue_id',
  permission: 'api_mass_messages_update',
  source: 'published',
  summary: 'Edit or reschedule a queued mass message',
  errors: ['mass_message_unknown', 'mass_message_final'],
  rules: [
    'Omitted fields keep their values and are not validated again. Send only scheduledDate ' +
      'to reschedule.',
    'Returns 403 if the mass message was sent or cancelled.',
    'The given fields must be consistent with each other and with the stored fields. filters ' +
      'and recommenders have no effect.',
  ],
  params: queueParams,
  body: () => MassMessageChanges,
  data: MassMessageDetails,
  handle({ world, account, params, body }) {
    const item = requireMassMessage(world, account, params.queue_id)
    return toMassMessageDetails(world, updateMassMessage(world, account, { item, changes: body }))
  },
})

const cancelItem = defineRoute({
  ...ofQueue,
  method: 'DELETE',
  path: '/v1/:account_id/mass-messages/queue/:queue_id',
  permission: 'api_mass_messages_cancel_queue',
  evidence: "named in the service's own older reference; by analogy with its other deletes",
  summary: 'Cancel a mass message',
  errors: ['mass_message_unknown', 'mass_message_final'],
  rules: [
    'A queued mass message is removed from the queue and not sent.',
    'A message that was sent within the last 24 hours is removed for all fans who did not buy it ' +
      'or got a refund. The statistics still include the message, marked as cancelled, with ' +
      'its views and purchases.',
    'Returns 403 if the message is already cancelled or was sent more than 24 hours ago.',
  ],
  params: queueParams,
  data: Success,
  handle({ world, account, params }) {
    cancelMassMessage(world, requireMassMessage(world, account, params.queue_id))
    return { success: true as const }
  },
})

export const massMessageQueueRoutes = [listQueue, readItem, updateItem, cancelItem]

import { z } from 'zod'
import { createTextSchema, markAsInferred } from '../../lib/fields.ts'
import { isTimeZone } from '../../lib/time-zone.ts'
import { toUtcDay } from '../../lib/time.ts'
import { createBodyFieldError } from '../../errors.ts'
import { createRouteDefiner } from '../define.ts'
import { summariseChat } from '../chats/chats.ts'
import {
  ChatSummary,
  ClaimedLinks,
  FanDisplayName,
  FanNotice,
  PrivateMetadata,
  PrivateName,
  PrivateNote,
  maxNoteLength,
} from '../fans/schemas.ts'
import type { LinkKind } from '../links/links.table.ts'
import { listClaimedLinks, getLinkName } from '../links/links.ts'
import { requireSubscription } from '../subscribers/find-subscription.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { requireNotDeleted } from '../users/marks.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import type { World } from '../world.ts'
import { toFanKey } from '../fans/fans.table.ts'
import type { FanRecord } from './fan-records.table.ts'

const named = 'named in reference §4 Routes named without shapes'
const evidence = `${named}; path and keys by analogy`
const documented = 'reference §4 Routes named without shapes'
const defineRoute = createRouteDefiner({ group: 'Fans', kind: 'service' })
const nullsRule =
  'All values are null for a user without notes, including unknown users. A read does not ' +
  'create a record. An empty string is stored as is, not converted to null.'
const firstWriteRule =
  'The first write creates the record, even if the user is not a fan of the account.'

const readName = defineRoute({
  id: 'GET /v1/:account_id/fm/fans/:fan_id/name',
  permission: 'api_fm_fans_read_name',
  evidence,
  summary: 'Read the private name of a fan',
  rules: [nullsRule],
  data: PrivateName,
  handle: ({ world, account, params }) => ({
    name: readFanNotes(world, account, params.fan_id).name,
  }),
})

const writeName = defineRoute({
  id: 'PATCH /v1/:account_id/fm/fans/:fan_id/name',
  permission: 'api_fm_fans_update_name',
  source: documented,
  summary: 'Set the private name of a fan',
  rules: ["Does not change the platform's display name.", firstWriteRule],
  body: () => PrivateName,
  data: PrivateName,
  handle: ({ world, account, params, body }) => ({
    name: updateFanNotes(world, account, { fanId: params.fan_id, name: body.name }).name,
  }),
})

const readNote = defineRoute({
  id: 'GET /v1/:account_id/fm/fans/:fan_id/note',
  permission: 'api_fm_fans_read_note',
  evidence,
  summary: 'Read the private note on a fan',
  rules: [nullsRule],
  data: PrivateNote,
  handle: ({ world, account, params }) => ({
    note: readFanNotes(world, account, params.fan_id).note,
  }),
})

const writeNote = defineRoute({
  id: 'PATCH /v1/:account_id/fm/fans/:fan_id/note',
  permission: 'api_fm_fans_update_note',
  source: documented,
  summary: 'Set the private note on a fan',
  rules: ["Does not change the platform's subscriber note.", firstWriteRule],
  body: () => PrivateNote,
  data: PrivateNote,
  handle: ({ world, account, params, body }) => ({
    note: updateFanNotes(world, account, { fanId: params.fan_id, note: body.note }).note,
  }),
})

const readMetadata = defineRoute({
  id: 'GET /v1/:account_id/fm/fans/:fan_id/metadata',
  permission: 'api_fm_fans_read_metadata',
  evidence,
  summary: 'Read the private metadata of a fan',
  rules: [
    'All values are null for a user without notes, including unknown users. A read does not ' +
      'create a record.',
  ],
  data: PrivateMetadata,
  handle({ world, account, params }) {
    const { timezone, birthday, city } = readFanNotes(world, account, params.fan_id)
    return { timezone, birthday, city }
  },
})

function emptyToNull(text: z.ZodString) {
  return text
    .transform((value) => (value === '' ? null : value))
    .nullable()
    .optional()
}

const writeMetadata = defineRoute({
  id: 'PATCH /v1/:account_id/fm/fans/:fan_id/metadata',
  permission: 'api_fm_fans_update_metadata',
  evidence,
  summary: 'Update the private metadata of a fan',
  rules: [
    'Omitted keys keep their values, and null clears a value. An empty timezone or city ' +
      'becomes null.',
    'timezone is a name from the IANA database. birthday must not be in the future.',
    firstWriteRule,
  ],
  body: () =>
    z.object({
      timezone: emptyToNull(
        createTextSchema(100).refine((text) => text === '' || isTimeZone(text), {
          error: 'it must be a time zone from the IANA database, such as Europe/Berlin, or null',
        }),
      ),
      birthday: z.iso
        .date({ error: 'it must be a date as YYYY-MM-DD, or null' })
        .max(10)
        .nullable()
        .optional(),
      city: emptyToNull(createTextSchema(200)),
    }),
  data: PrivateMetadata,
  handle({ world, account, params, body }) {
    if (body.birthday != null && body.birthday > toUtcDay(world.clock.now()))
      throw createBodyFieldError({ birthday: body.birthday }, 'it must not be in the future')
    const { timezone, birthday, city } = updateFanNotes(world, account, {
      fanId: params.fan_id,
      ...body,
    })
    return { timezone, birthday, city }
  },
})

const readLinks = defineRoute({
  id: 'GET /v1/:account_id/fm/fans/:fan_id/links',
  permission: 'api_fm_fans_read_links',
  evidence,
  summary: 'List the links that a fan joined through',
  rules: ['Includes finished trial links, but excludes deleted links.'],
  data: ClaimedLinks,
  handle({ world, account, params }) {
    const claimed = listClaimedLinks(world, account.id, params.fan_id)
    const linksOf = (kind: LinkKind) =>
      claimed
        .filter(({ link }) => link.kind === kind)
        .map(({ link, at }) => ({ id: link.id, name: getLinkName(link), claimed_at: at }))
    return { tracking_links: linksOf('tracking'), trial_links: linksOf('trial') }
  },
})

const readChatSummary = defineRoute({
  id: 'GET /v1/:account_id/fm/fans/:fan_id/chat-summary',
  permission: 'api_fm_fans_read_chat_summary',
  evidence,
  summary: 'Read the automatic summary of the chat with a fan',
  rules: ['Generated from the messages. All values are null if there are no messages.'],
  data: ChatSummary,
  handle: ({ world, account, params }) => summariseChat(world, account, params.fan_id),
})

const writeNotice = defineRoute({
  id: 'PUT /v1/:account_id/fans/:user_id/notes',
  permission: 'api_fans_update_notes',
  kind: 'relay',
  source: documented,
  summary: "Set the platform's subscriber note on a fan",
  errors: ['fan_unknown', 'fan_deleted'],
  rules: ['An empty string clears the note. Does not change the private note.'],
  body: () => z.object({ notice: markAsInferred(createTextSchema(maxNoteLength)) }),
  data: FanNotice,
  handle({ world, account, params, body }) {
    const { id, fanId } = requireChangeableFan(world, account, params.user_id)
    return { id: fanId, notice: world.db.subscriptions.update(id, { notice: body.notice }).notice }
  },
})

const deleteNotice = defineRoute({
  id: 'DELETE /v1/:account_id/fans/:user_id/notes',
  permission: 'api_fans_delete_notes',
  kind: 'relay',
  evidence,
  summary: "Clear the platform's subscriber note on a fan",
  errors: ['fan_unknown', 'fan_deleted'],
  handle({ world, account, params }) {
    world.db.subscriptions.update(requireChangeableFan(world, account, params.user_id).id, {
      notice: '',
    })
  },
})

const writeDisplayName = defineRoute({
  id: 'PUT /v1/:account_id/fans/:user_id/display-name',
  permission: 'api_fans_update_display_name',
  kind: 'relay',
  source: documented,
  summary: "Set the platform's display name of a fan",
  errors: ['fan_unknown', 'fan_deleted'],
  rules: [
    'At most 100 characters. An empty string clears the name. Does not change the private name.',
  ],
  body: () => z.object({ displayName: markAsInferred(z.string().max(100)) }),
  data: FanDisplayName,
  handle({ world, account, params, body }) {
    const { id, fanId } = requireChangeableFan(world, account, params.user_id)
    return {
      id: fanId,
      displayName: world.db.subscriptions.update(id, { displayName: body.displayName }).displayName,
    }
  },
})

/** @throws {ApiError} fan_unknown, fan_deleted */
function requireChangeableFan(world: World, account: Account, fanId: number): Subscription {
  const subscription = requireSubscription(world, account, fanId)
  requireNotDeleted(world, account.id, fanId)
  return subscription
}

export const fanRecordRoutes = [
  readName,
  writeName,
  readNote,
  writeNote,
  readMetadata,
  writeMetadata,
  readLinks,
  readChatSummary,
  writeNotice,
  deleteNotice,
  writeDisplayName,
]

/** The fields of a fan record that contain notes. */
type FanNotes = Omit<FanRecord, 'id' | 'accountId' | 'fanId'>

const emptyNotes: FanNotes = { name: null, note: null, timezone: null, birthday: null, city: null }

/**
 * Returns the notes about the fan, without creating a record. All notes are null if there is no
 * record.
 */
function readFanNotes(world: World, account: Account, fanId: number): FanNotes {
  return world.db.fanRecords.get(toFanKey(account.id, fanId)) ?? emptyNotes
}

/**
 * Updates the given notes about the fan. Creates the record if needed, even for a user who is not a
 * fan of the account.
 */
function updateFanNotes(
  world: World,
  account: Account,
  { fanId, ...notes }: { fanId: number } & Partial<FanNotes>,
): FanNotes {
  const id = toFanKey(account.id, fanId)
  return world.db.fanRecords.put({
    ...readFanNotes(world, account, fanId),
    ...notes,
    id,
    accountId: account.id,
    fanId,
  })
}

import { z } from 'zod'
import * as envelope from '../engine/envelope.ts'
import * as common from '../engine/fields.ts'
import * as accounts from '../resources/accounts/schemas.ts'
import * as chats from '../resources/chats/schemas.ts'
import * as directMessages from '../resources/direct-messages/schemas.ts'
import * as earnings from '../resources/earnings/schemas.ts'
import * as fans from '../resources/fans/schemas.ts'
import * as gifs from '../resources/gifs/schemas.ts'
import * as highlights from '../resources/highlights/schemas.ts'
import * as links from '../resources/links/schemas.ts'
import * as massMessages from '../resources/mass-messages/schemas.ts'
import * as media from '../resources/media/schemas.ts'
import * as messages from '../resources/messages/schemas.ts'
import * as notifications from '../resources/notifications/schemas.ts'
import * as payouts from '../resources/payouts/schemas.ts'
import * as posts from '../resources/posts/schemas.ts'
import * as reach from '../resources/reach/schemas.ts'
import * as referrals from '../resources/referrals/schemas.ts'
import * as schedules from '../resources/schedules/schemas.ts'
import * as streaks from '../resources/streaks/schemas.ts'
import * as subscribers from '../resources/subscribers/schemas.ts'
import * as uploads from '../resources/uploads/schemas.ts'
import * as userLists from '../resources/user-lists/schemas.ts'
import * as users from '../resources/users/schemas.ts'
import * as vault from '../resources/vault/schemas.ts'

const modules = [earnings, payouts, referrals, accounts, chats, common, directMessages, envelope, fans, links, gifs, massMessages, media, uploads, messages, notifications, posts, schedules, subscribers, userLists, users, vault, highlights, reach, streaks]

/**
 * The schemas that stand under `components/schemas`, by name: whatever a file of `schemas/` exports under a PascalCase name.
 * They are not named by zod's own `.meta({ id })` because that registry is one for the whole process, the user's schemas included.
 */
export const schemaNames: ReadonlyMap<unknown, string> = new Map(modules.flatMap((module) => Object.entries(module).flatMap(toNamed)))

function toNamed([name, value]: [string, unknown]): [unknown, string][] {
  if (value === envelope.ErrorBody) return [[value, 'Error']]
  return /^[A-Z]/.test(name) && value instanceof z.ZodType ? [[value, name]] : []
}

import { z } from 'zod'
import * as accounts from '../schemas/accounts.ts'
import * as chats from '../schemas/chats.ts'
import * as common from '../schemas/common.ts'
import * as gifs from '../schemas/gifs.ts'
import * as uploads from '../schemas/uploads.ts'
import * as directMessages from '../schemas/direct-messages.ts'
import * as earnings from '../schemas/earnings.ts'
import * as envelope from '../schemas/envelope.ts'
import * as fans from '../schemas/fans.ts'
import * as links from '../schemas/links.ts'
import * as massMessages from '../schemas/mass-messages.ts'
import * as media from '../schemas/media.ts'
import * as messages from '../schemas/messages.ts'
import * as notifications from '../schemas/notifications.ts'
import * as highlights from '../schemas/highlights.ts'
import * as reach from '../schemas/reach.ts'
import * as streaks from '../schemas/streaks.ts'
import * as payouts from '../schemas/payouts.ts'
import * as posts from '../schemas/posts.ts'
import * as schedules from '../schemas/schedules.ts'
import * as referrals from '../schemas/referrals.ts'
import * as subscribers from '../schemas/subscribers.ts'
import * as userLists from '../schemas/user-lists.ts'
import * as users from '../schemas/users.ts'
import * as vault from '../schemas/vault.ts'

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

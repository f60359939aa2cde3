import { z } from 'zod'
import * as accounts from '../schemas/accounts.ts'
import * as common from '../schemas/common.ts'
import * as envelope from '../schemas/envelope.ts'
import * as fans from '../schemas/fans.ts'
import * as links from '../schemas/links.ts'
import * as media from '../schemas/media.ts'
import * as notifications from '../schemas/notifications.ts'
import * as posts from '../schemas/posts.ts'
import * as vault from '../schemas/vault.ts'

const modules = [accounts, common, envelope, fans, links, media, notifications, posts, vault]

/**
 * The schemas that stand under `components/schemas`, by name: whatever a file of `schemas/` exports under a PascalCase name.
 * They are not named by zod's own `.meta({ id })` because that registry is one for the whole process, the user's schemas included.
 */
export const schemaNames: ReadonlyMap<unknown, string> = new Map(modules.flatMap((module) => Object.entries(module).flatMap(toNamed)))

function toNamed([name, value]: [string, unknown]): [unknown, string][] {
  if (value === envelope.ErrorBody) return [[value, 'Error']]
  return /^[A-Z]/.test(name) && value instanceof z.ZodType ? [[value, name]] : []
}

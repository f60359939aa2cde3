import { z } from 'zod'
import { isLiveKey } from '../../api/admit.ts'
import { done, organisationsNamed } from '../../api/action.ts'
import type { ApiKey } from '../../world/tenancy/tenancy.table.ts'
import { withWorld } from '../../world/world-name.ts'
import { quote, SandboxError } from '../../errors.ts'
import { grantedPermissions } from '../../scenario/keys.ts'
import { defineAction } from '../../resources/define.ts'
import { allPermissions } from '../../resources/all-routes.ts'
import type { World } from '../../resources/world.ts'

const role = z.string().min(1).max(200)
const permissions = z
  .array(z.string().min(1).max(200))
  .max(1000)
  .describe(
    'Permissions, `*` for any text, `!` before what is taken from them, as in the roles of a ' +
      'scenario.',
  )

/** Revokes a key, or all keys of a role: requests with it answer 401. */
export const revokeKey = defineAction({
  type: 'key.revoke',
  summary: 'Revoke a key: requests with it answer 401',
  schema: z.lazy(() =>
    z.strictObject({
      key: z.string().min(1).max(500).describe('A key, or a role for all its keys.'),
    }),
  ),
  effect(world, { key }) {
    const revoked = keysNamed(world, key)
    for (const { id } of revoked) world.db.apiKeys.remove(id)
    return done(`${countKeys(revoked)} ${revoked.length === 1 ? 'was' : 'were'} revoked`, {
      apiKeys: revoked.map(({ id }) => id),
    })
  },
})

/** Makes a key of a role, a known one or a new one. */
export const createKey = defineAction({
  type: 'key.create',
  summary: 'Create a key of a role; ids.key is the key itself',
  schema: z.lazy(() =>
    z.strictObject({
      role: role.describe('A role, known or new.'),
      organisation: z
        .int()
        .optional()
        .describe(
          'The id of an organisation. Default: that of the other keys of the role, else the only ' +
            'one.',
        ),
      permissions: permissions
        .optional()
        .describe(
          `${permissions.description} Default: those of the other keys of the role; a new role ` +
            `needs them.`,
        ),
      key: z
        .string()
        .regex(/^[!-}]{1,200}$/, {
          error: 'it must be 1 to 200 visible ASCII characters other than ~',
        })
        .max(200)
        .optional()
        .describe('The text of the key, unique. Default: random.'),
    }),
  ),
  effect(world, { role: name, organisation, permissions: patterns, key: given }) {
    const [known] = keysOfRole(world, name)
    // In an isolated world, a key contains the name of the world.
    const text = given === undefined ? undefined : withWorld(given, world.id)
    if (text !== undefined && isLiveKey(world, text))
      throw new SandboxError(
        'key looks like one of a live service, which opens nothing here. Give another, or create ' +
          'the sandbox with allowLiveLookingKeys.',
      )
    if (text !== undefined && world.db.apiKeys.in('byKey', text).size > 0)
      throw new SandboxError(
        `key is ${quote(given ?? '', 80)}, but that key exists. Choose another, or revoke ` +
          `that one before.`,
      )
    if (known === undefined && patterns === undefined)
      throw new SandboxError(
        `role is ${quote(name, 80)}, and no key has that role. Give permissions too, or name ` +
          `one of ${rolesOf(world)}.`,
      )
    const { id, key } = world.make('apiKeys', {
      role: name,
      organisation: organisationNamed(world, organisation ?? known?.organisation),
      ...(patterns === undefined
        ? {}
        : { permissions: grantedPermissions(patterns, allPermissions) }),
      ...(text === undefined ? {} : { key: text }),
    })
    return done(`A key of the role ${name} was created`, { key, apiKey: id })
  },
})

/** Changes the permissions of the keys of a role. */
export const changeRole = defineAction({
  type: 'role.change',
  summary:
    'Change the permissions of a role immediately: its keys get 403 for routes without permission',
  schema: z.lazy(() =>
    z.strictObject({ role: role.describe('A role that a key has.'), permissions }),
  ),
  effect(world, { role: name, permissions: patterns }) {
    const keys = keysOfRole(world, name)
    if (keys.length === 0)
      throw new SandboxError(
        `role is ${quote(name, 80)}, but no key has that role. There are ${rolesOf(world)}.`,
      )
    const granted = grantedPermissions(patterns, allPermissions)
    for (const { id } of keys) world.db.apiKeys.update(id, { permissions: granted })
    const count = granted.length === 1 ? '1 permission' : `${granted.length} permissions`
    return done(`The role ${name} has ${count}`, { apiKeys: keys.map(({ id }) => id) })
  },
})

/**
 * Returns the key with that text, or the keys of the role with that name. @throws {SandboxError}
 */
function keysNamed(world: World, name: string): readonly ApiKey[] {
  const { apiKeys } = world.db
  const key =
    apiKeys.in('byKey', name).at(0) ?? apiKeys.in('byKey', withWorld(name, world.id)).at(0)
  if (key !== undefined) return [key]
  const keys = keysOfRole(world, name)
  // The message does not quote the text, which may be a real secret.
  if (keys.length === 0)
    throw new SandboxError(
      `key is neither a key nor a role. There are keys of the roles ${rolesOf(world)}.`,
    )
  return keys
}

function keysOfRole(world: World, name: string): readonly ApiKey[] {
  return world.db.apiKeys.where({ role: name })
}

function rolesOf({ db }: World): string {
  const roles = [...new Set(db.apiKeys.all().map((key) => key.role))]
  return roles.length === 0
    ? 'none'
    : `${roles.slice(0, 10).join(', ')}${roles.length > 10 ? ', …' : ''}`
}

function organisationNamed(world: World, id: number | undefined): number {
  const [first, ...others] = organisationsNamed(world, id)
  if (first !== undefined && others.length === 0) return first
  throw new SandboxError(
    `organisation is missing, and there are several. Name one of ` +
      `${[first, ...others].join(', ')}.`,
  )
}

function countKeys(keys: readonly ApiKey[]): string {
  const [first] = keys
  return keys.length === 1
    ? `The key of the role ${first?.role}`
    : `${keys.length} keys of the role ${first?.role}`
}

import { z } from 'zod'
import { lazyStrictObject } from '../lib/fields.ts'
import { looksLikeLiveKey } from '../api/admission.ts'
import { resolveOrganisationIds } from '../api/action.ts'
import type { ApiKey } from '../world/tenancy/tenancy.table.ts'
import { addWorldToKey } from '../world/world-name.ts'
import { createInputError, quoteText, SandboxError } from '../errors.ts'
import { findUnknownPermissions, listGrantedPermissions } from '../api/api-keys.ts'
import { defineAction } from '../resources/define.ts'
import { allPermissions } from '../resources/all-resources.ts'
import type { World } from '../resources/world.ts'

const role = z.string().min(1).max(200)
const permissions = z
  .array(z.string().min(1).max(200))
  .max(1000)
  .describe(
    'Permissions, as in the roles of a scenario. `*` matches any characters, and a leading `!` ' +
      'removes permissions.',
  )

/** Revokes one key or all keys of a role. Requests with a revoked key get 401. */
export const revokeKey = defineAction({
  type: 'key.revoke',
  summary: 'Revoke a key, so requests with this key get 401',
  schema: lazyStrictObject(() => ({
    key: z
      .string()
      .min(1)
      .max(500)
      .describe('An API key, or the name of a role to revoke all keys of that role.'),
  })),
  effect(world, { key }) {
    const revoked = findKeys(world, key)
    for (const { id } of revoked) world.db.apiKeys.remove(id)
    return {
      happened: `${countKeys(revoked)} ${revoked.length === 1 ? 'was' : 'were'} revoked`,
      ids: { apiKeys: revoked.map(({ id }) => id) },
    }
  },
})

/** Creates a key for an existing or a new role. */
export const createKey = defineAction({
  type: 'key.create',
  summary: 'Create a key for a role. The result contains the key in ids.key',
  schema: lazyStrictObject(() => ({
    role: role.describe('The name of an existing or new role.'),
    organisation: z
      .int()
      .optional()
      .describe(
        "The id of an organisation. Default: the organisation of the role's existing " +
          'keys, or the only organisation if the role has no keys.',
      ),
    permissions: permissions
      .optional()
      .describe(
        `${permissions.description} Default: the current permissions of the role. ` +
          'Required for a new role.',
      ),
    key: z
      .string()
      .regex(/^[!-}]{1,200}$/, {
        error: 'it must have 1 to 200 visible ASCII characters, without ~',
      })
      .max(200)
      .optional()
      .describe('The key, which must be unique. Default: random.'),
  })),
  effect(world, { role: name, organisation, permissions: patterns, key: given }) {
    const [known] = findKeysByRole(world, name)
    // In an isolated world, keys contain the world's name.
    const text = given === undefined ? undefined : addWorldToKey(given, world.id)
    if (text !== undefined && looksLikeLiveKey(world, text))
      throw new SandboxError(
        'key looks like a key of a live service, and the sandbox rejects such keys. Use another ' +
          'key, or create the sandbox with allowLiveLookingKeys.',
        { field: 'key' },
      )
    if (text !== undefined && world.db.apiKeys.in('byKey', text).size > 0)
      throw createInputError(
        { key: quoteText(given ?? '', 80) },
        'but that key exists. Use another key, or revoke the existing one first.',
      )
    if (known === undefined && patterns === undefined)
      throw createInputError(
        { role: quoteText(name, 80) },
        `but no key has that role. Set permissions to create the ` +
          `role, or use one of ${listRoles(world)}.`,
      )
    const { id, key } = world.make('apiKeys', {
      role: name,
      organisation: findOrganisation(world, organisation ?? known?.organisation),
      ...(patterns === undefined ? {} : { permissions: toGrantedPermissions(patterns) }),
      ...(text === undefined ? {} : { key: text }),
    })
    return { happened: `A key of the role ${name} was created`, ids: { key, apiKey: id } }
  },
})

/** Changes the permissions of a role's keys. */
export const changeRole = defineAction({
  type: 'role.change',
  summary: 'Change the permissions of a role, including the permissions of existing keys',
  schema: lazyStrictObject(() => ({
    role: role.describe('A role with at least one key.'),
    permissions,
  })),
  effect(world, { role: name, permissions: patterns }) {
    const keys = findKeysByRole(world, name)
    if (keys.length === 0)
      throw createInputError(
        { role: quoteText(name, 80) },
        `but no key has that role. The roles are ${listRoles(world)}.`,
      )
    const granted = toGrantedPermissions(patterns)
    for (const { id } of keys) world.db.apiKeys.update(id, { permissions: granted })
    const count = granted.length === 1 ? '1 permission' : `${granted.length} permissions`
    return {
      happened: `The role ${name} now has ${count}`,
      ids: { apiKeys: keys.map(({ id }) => id) },
    }
  },
})

/** Lists the permissions that patterns grant. @throws {SandboxError} if one matches none */
function toGrantedPermissions(patterns: readonly string[]): string[] {
  const [unknown] = findUnknownPermissions(patterns, allPermissions)
  if (unknown !== undefined)
    throw new SandboxError(
      `permissions contains ${quoteText(unknown.pattern, 80)}, which matches no permission. ` +
        `${unknown.nearest === undefined ? 'Use' : `Did you mean ${unknown.nearest}? Or use`} a ` +
        'pattern such as api_posts_*.',
      { field: 'permissions' },
    )
  return listGrantedPermissions(patterns, allPermissions)
}

/**
 * Returns the given key, or all keys of the role with that name.
 *
 * @throws {SandboxError}
 */
function findKeys(world: World, name: string): readonly ApiKey[] {
  const { apiKeys } = world.db
  const key =
    apiKeys.in('byKey', name).at(0) ?? apiKeys.in('byKey', addWorldToKey(name, world.id)).at(0)
  if (key !== undefined) return [key]
  const keys = findKeysByRole(world, name)
  // The message must not quote the input, which may be a real secret.
  if (keys.length === 0)
    throw new SandboxError(
      `key is neither a known key nor a role. The roles are ${listRoles(world)}.`,
      { field: 'key' },
    )
  return keys
}

function findKeysByRole(world: World, name: string): readonly ApiKey[] {
  return world.db.apiKeys.where({ role: name })
}

function listRoles({ db }: World): string {
  const roles = [...new Set(db.apiKeys.all().map((key) => key.role))]
  return roles.length === 0
    ? 'none'
    : `${roles.slice(0, 10).join(', ')}${roles.length > 10 ? ', …' : ''}`
}

function findOrganisation(world: World, id: number | undefined): number {
  const found = resolveOrganisationIds(world, id)
  const [first, ...others] = found
  if (first !== undefined && others.length === 0) return first
  const names = found.map((each) => `${each} (${world.db.organisations.get(each)?.name})`)
  throw createInputError(
    { organisation: 'missing' },
    `and there are several. Use one of ${names.join(', ')}.`,
  )
}

function countKeys(keys: readonly ApiKey[]): string {
  const [first] = keys
  return keys.length === 1
    ? `The key of the role ${first?.role}`
    : `${keys.length} keys of the role ${first?.role}`
}

import { worldNameForm, worldNameRule } from '../world/world-name.ts'
import { quoteText } from '../errors.ts'
import type { World } from '../world/world.ts'
import { findApiKey, looksLikeLiveKey } from './admission.ts'
import type { RequestState } from './request-state.ts'

/**
 * Explains why an API key led to a 401 or 403, for the journal. Returns undefined for other errors.
 * `sent` is the key in the request if the sandbox does not know it, and null otherwise.
 */
export function explainDeniedAccess(
  world: World,
  {
    code,
    sent,
    route,
    caller,
  }: { code: string | null; sent: string | null } & Pick<RequestState, 'route' | 'caller'>,
): string | undefined {
  if (sent !== null && looksLikeLiveKey(world, sent)) return liveKeyNote
  if (code === 'key_missing') return `No key was sent. ${howToSend}`
  if (code === 'permission_missing')
    return explainMissingPermission(world, {
      permission: route?.permission ?? null,
      organisation: caller?.organisation.id ?? 0,
    })
  return code === 'key_unknown' && sent !== null ? explainUnknownKey(world, sent) : undefined
}

const howToSend =
  'Send Authorization: Bearer KEY, or X-API-Key: KEY. The keys are in sandbox.keys, in GET ' +
  '/_sandbox/state, and in the output of the server at start.'

const liveKeyNote =
  'The key looks like a live API key, so it was rejected and not stored. Use a key of the ' +
  'sandbox. If your test keys look like live keys, set --allow-live-looking-keys.'

/** Maximum number of keys of the organisation that are searched for a permission. */
const maxSearchedKeys = 1000
/** Maximum number of roles that the explanation names. */
const maxNamedRoles = 5

/** Names the roles of the organisation's keys that have the permission. */
function explainMissingPermission(
  { db }: World,
  { permission, organisation }: { permission: string | null; organisation: number },
): string {
  const keys = db.apiKeys
    .in('byOrganisation', organisation)
    .slice(0, maxSearchedKeys)
    .filter(({ permissions }) => permission !== null && permissions.includes(permission))
  const roles = [...new Set(keys.map(({ role }) => role))]
  if (roles.length === 0)
    return (
      'No key of the organisation has the permission. Add the permission to a role with the ' +
      'action role.change.'
    )
  const named =
    roles.slice(0, maxNamedRoles).join(', ') + (roles.length > maxNamedRoles ? ', …' : '')
  const holders =
    roles.length === 1
      ? `The role ${named} has the permission. Use its key`
      : `These roles have the permission: ${named}. Use the key of one of them`
  return `${holders}, or add the permission to this key's role with the action role.change.`
}

function explainUnknownKey(world: World, sent: string): string {
  const at = sent.lastIndexOf('~')
  const [key, name] = [sent.slice(0, at), sent.slice(at + 1)]
  if (at > 0 && findApiKey(world.db, key) !== undefined && !worldNameForm.test(name))
    return (
      `The key is valid, but ${quoteText(name, 80)} is not a valid world name: ` +
      `${worldNameRule}.`
    )
  if (sent.startsWith('sk_sandbox_'))
    return `The key belongs to another sandbox or was revoked. ${howToSend}`
  return `The key does not belong to this sandbox. ${howToSend}`
}

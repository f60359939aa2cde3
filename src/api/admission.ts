import { createApiError, createInvalidParameterError } from '../errors.ts'
import { usualForms, decodeUtf8 } from '../lib/credentials.ts'
import { parseId } from '../lib/fields.ts'
import type { Call, Match, Route } from './route.ts'
import type { Account, ApiKey, Organisation } from '../world/tenancy/tenancy.table.ts'
import type { World } from '../world/world.ts'

/** An API key and the organisation that owns it. */
export interface Caller {
  key: ApiKey
  organisation: Organisation
}

/**
 * Reads the API key from the headers of a request. `Authorization: Bearer` takes precedence over
 * `X-API-Key`. Returns null if the request has neither.
 */
export function readApiKey(call: Pick<Call, 'header'>): string | null {
  // Splits only at plain spaces. The byte of a no-break space (A0) can be part of a UTF-8
  // character.
  const bearer = /^Bearer +([^ \t]+) *$/i.exec(call.header('authorization') ?? '')
  return bearer?.[1] ?? call.header('x-api-key')
}

/** Finds the key that the client sent. Tries the string as sent, then decoded as UTF-8. */
export function findApiKey(
  { apiKeys }: Pick<World['db'], 'apiKeys'>,
  sent: string,
): ApiKey | undefined {
  return apiKeys.in('byKey', sent).at(0) ?? apiKeys.in('byKey', decodeUtf8(sent)).at(0)
}

/** True if a key looks like a key for a live service. The sandbox always rejects these keys. */
export function looksLikeLiveKey({ options }: Pick<World, 'options'>, sent: string): boolean {
  return (options.credentials ?? usualForms).refuses(sent)
}

/**
 * Finds the key that the client sent. Returns undefined if the key is unknown or looks like a key
 * for a live service.
 */
export function findAcceptedKey(
  world: Pick<World, 'db' | 'options'>,
  sent: string,
): ApiKey | undefined {
  return looksLikeLiveKey(world, sent) ? undefined : findApiKey(world.db, sent)
}

/** Step 1: finds the key and its organisation. @throws {ApiError} key_missing, key_unknown */
export function authenticate(world: World, call: Call): Caller {
  const sent = readApiKey(call)
  if (sent === null || sent === '') throw createApiError('key_missing')
  const key = findAcceptedKey(world, sent)
  const organisation = key && world.db.organisations.get(key.organisation)
  if (key === undefined || organisation === undefined) throw createApiError('key_unknown')
  return { key, organisation }
}

/**
 * Step 2: rejects the request if the organisation has reached a rate limit.
 * @throws {ApiError} minute_limit, day_limit
 */
export function throttle({ limits, clock }: World, { organisation }: Caller): void {
  const exceeded = limits.exceeded(organisation, clock.now())
  if (exceeded === undefined) return
  // Explains that the rate limit does not reset while the clock is frozen, so waiting does not
  // help.
  const stands =
    `; the clock of the sandbox is frozen at ${clock.iso()}, so the limit is not reset until you ` +
    'move it'
  throw createApiError(`${exceeded}_limit`, {
    limit: organisation.limits[exceeded],
    clock: clock.mode === 'frozen' ? stands : '',
  })
}

/**
 * Between steps 3 and 4: counts the request in the rate windows and deducts one credit. Returns
 * false if the organisation had no credits left. Pass the result to `requireCredit`.
 */
export function chargeRequest(world: World, { organisation }: Caller): boolean {
  world.limits.count(organisation, world.clock.now())
  if (organisation.credits === null) return true
  if (organisation.credits === 0) return false
  const before = world.changeCount
  // Bypasses the change log, so that it does not get an entry for each request.
  const credits = organisation.credits - 1
  world.changeLog.runWithoutLogging(() =>
    world.db.organisations.update(organisation.id, { credits }),
  )
  world.journal.charges += world.changeCount - before
  return true
}

/**
 * Step 4: rejects the request if the subscription is inactive or no credit could be deducted.
 * @throws {ApiError} subscription_inactive, credits_exhausted
 */
export function requireCredit({ organisation }: Caller, hasCredit: boolean): void {
  if (!organisation.isSubscriptionActive) throw createApiError('subscription_inactive')
  if (!hasCredit) throw createApiError('credits_exhausted')
}

/**
 * Steps 6 and 7: requires the key to have the permission that the route needs, and finds the
 * account whose id is in the path, if any.
 * @throws {ApiError} permission_missing, parameter_invalid, account_unknown
 */
export function authorize(
  world: World,
  { key, organisation }: Caller,
  { route: { permission }, params }: { route: Route; params: Match['params'] },
): Account | undefined {
  if (permission !== null && !key.permissions.includes(permission))
    throw createApiError('permission_missing', { role: key.role, permission })
  const accountId = params['account_id']
  if (accountId === undefined) return undefined
  const id = parseId(accountId)
  if (id === undefined)
    throw createInvalidParameterError(
      'Path parameter',
      'account_id',
      accountId,
      'it must be an integer',
    )
  return requireOwnAccount(world, organisation, id)
}

/**
 * Finds a connected account of an organisation by its id.
 * @throws {ApiError} account_unknown
 */
export function requireOwnAccount(
  world: World,
  organisation: Organisation,
  accountId: number,
): Account {
  const account = world.db.accounts.get(accountId)
  if (account === undefined || account.organisation !== organisation.id || !account.connected) {
    throw createApiError('account_unknown', { account_id: accountId })
  }
  return account
}

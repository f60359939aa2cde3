import { apiError, invalidParameter } from '../../errors.ts'
import type { Call, Route } from '../route.ts'
import type { Account, ApiKey, Organisation } from '../tenancy/tenancy.table.ts'
import { ownedAccount } from '../tenancy/tenancy.ts'
import type { World } from '../world.ts'

/** Who calls: the key and its organisation. */
export interface Caller {
  key: ApiKey
  organisation: Organisation
}

/** The key as sent: `Authorization: Bearer` wins over `X-API-Key`; null when there is none. */
export function sentKey(call: Call): string | null {
  const bearer = /^Bearer +(\S+) *$/i.exec(call.header('authorization') ?? '')
  return bearer?.[1] ?? call.header('x-api-key')
}

/** Step 1: finds the key and its organisation. @throws {ApiError} key_missing, key_unknown */
export function authenticate(world: World, call: Call): Caller {
  const sent = sentKey(call)
  if (sent === null || sent === '') throw apiError('key_missing')
  const key = world.db.apiKeys.in('byKey', sent).at(0)
  const organisation = key && world.db.organisations.get(key.organisation)
  if (key === undefined || organisation === undefined) throw apiError('key_unknown')
  return { key, organisation }
}

/** Step 2: holds the organisation to its windows. @throws {ApiError} minute_limit, day_limit */
export function throttle(world: World, { organisation }: Caller): void {
  const exceeded = world.limits.exceeded(organisation, world.clock.now())
  if (exceeded !== undefined) throw apiError(`${exceeded}_limit`, { limit: organisation.limits[exceeded] })
}

/** Between steps 3 and 4: the request counts in the windows and takes its credit. Whether the organisation could pay is for `requireCredit`. */
export function charge(world: World, { organisation }: Caller): boolean {
  world.limits.count(organisation, world.clock.now())
  if (organisation.credits === null) return true
  if (organisation.credits === 0) return false
  world.db.organisations.update(organisation.id, { credits: organisation.credits - 1 })
  return true
}

/** Step 4: an organisation without a subscription or credits gets nothing. @throws {ApiError} subscription_inactive, credits_exhausted */
export function requireCredit({ organisation }: Caller, isPaid: boolean): void {
  if (!organisation.isSubscriptionActive) throw apiError('subscription_inactive')
  if (!isPaid) throw apiError('credits_exhausted')
}

/** Step 6: the key's role must grant the permission. @throws {ApiError} permission_missing */
export function authorize({ key }: Caller, { permission }: Route): void {
  if (permission !== null && !key.permissions.includes(permission)) throw apiError('permission_missing', { role: key.role, permission })
}

/** Step 7: the account of the path, where the path has one. @throws {ApiError} parameter_invalid, account_unknown */
export function resolveAccount(world: World, { organisation }: Caller, accountId: string | undefined): Account | undefined {
  if (accountId === undefined) return undefined
  const id = readAccountId(accountId)
  if (id === undefined) throw invalidParameter('Path parameter', 'account_id', accountId, 'it must be an integer')
  return ownedAccount(world, organisation, id)
}

/** The account that a path names; undefined when it is no plain decimal integer that a number can hold. */
export function readAccountId(text: string): number | undefined {
  return /^(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined
}

/** Step 10: a relay route needs the account's upstream session. @throws {ApiError} session_lapsed */
export function requireSession({ kind }: Route, account: Account | undefined): void {
  if (kind === 'relay' && account?.session === 'lapsed') throw apiError('session_lapsed', { account_id: account.id })
}

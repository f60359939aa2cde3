import { createApiError } from '../../errors.ts'
import type { World } from '../world.ts'
import type { Organisation, Account } from './tenancy.table.ts'

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

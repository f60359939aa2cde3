import type { Rows } from '../../seed/seeding.ts'

/**
 * Accounts with at most this many fans count as small. Their creators know all fans: they thank for
 * nearly every tip, and write to all fans at once.
 */
export const mostFansOfSmallAccount = 25

/** True if the account has few fans. */
export function isSmallAccount({ subscriptions }: Pick<Rows, 'subscriptions'>): boolean {
  return subscriptions.length <= mostFansOfSmallAccount
}

import { dayMs, parseIso } from '../../lib/time.ts'
import type { Mutable, SeedContext } from '../../seed/seeding.ts'
import { createDeletedUser } from './deleted-user.ts'
import type { Fan } from './fans.table.ts'

/** One in this many former fans has a closed profile. */
const closedEach = 45
/** Closed profiles were last seen at least this many days ago. */
const leastDays = 30

/**
 * Closes the profiles of a few fans who left long ago, and deletes the first of these profiles.
 * Skips fans who follow several accounts.
 */
export function seedClosedProfiles({ rows, now }: SeedContext): void {
  const left = new Set(rows.subscriptions.filter((row) => row.isExpired).map(({ fanId }) => fanId))
  const gone = (rows.fans as Mutable<Fan>[]).filter(
    ({ id, lastSeen, subscribePrice }) =>
      left.has(id) && subscribePrice === 0 && parseIso(lastSeen) < now - leastDays * dayMs,
  )
  // The choice is not random, so that small accounts also have one deleted and one closed profile.
  for (const [place, fan] of gone.entries()) {
    if (place === 0) Object.assign(fan, createDeletedUser(fan.id))
    else if (place % closedEach === 1) Object.assign(fan, { isActive: false })
  }
}

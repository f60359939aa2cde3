import { hourMs, parseIso, toIsoTime, dayMs } from '../../lib/time.ts'
import type { AccountPlan, Mutable, SeedContext } from '../seeding.ts'
import { createLatestActivityLookup } from '../subscribers/find-subscription.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { Fan } from './fans.table.ts'
import { defineFactory } from '../define-factory.ts'
import { createTextSources, requireTexts } from '../../seed/texts.ts'
import { createLateNameSource } from './names.ts'
import { createRandomFan, createUsernameReserver } from './new-fan.ts'

/** A fan views a message within this time. */
const longestUnviewedMs = 20 * hourMs

/**
 * Sets the time when each fan of the account was last seen to the fan's last activity:
 * subscription, payment, comment, or a message that the fan wrote or viewed. Automatic renewals do
 * not count. Copies this time to the subscriptions. Runs after these records are seeded. A fan of
 * several accounts keeps a later time that is already set.
 */
export function seedLastSeen(seeding: SeedContext, { account }: AccountPlan): void {
  const { random, rows } = seeding
  const lastActiveAt = createLatestActivityLookup(seeding, account)
  const fans = new Map<number, Mutable<Fan>>()
  for (const fan of rows.fans) fans.set(fan.id, fan)
  const note = (fanId: number, at: string | null) => {
    const fan = fans.get(fanId)
    if (fan !== undefined && at !== null && at > fan.lastSeen) fan.lastSeen = at
  }
  for (const { fanId, subscribedAt } of rows.subscriptions) note(fanId, subscribedAt)
  for (const { fanId, category, transaction_created_at: at } of rows.transactions) {
    if (category !== 'recurring_subscription') note(fanId, at)
  }
  for (const { fanId, isFromFan, isViewed, createdAt } of rows.messages) {
    if (isFromFan) note(fanId, createdAt)
    else if (isViewed && createdAt > (fans.get(fanId)?.lastSeen ?? createdAt)) {
      const at = parseIso(createdAt)
      const left = Math.min(longestUnviewedMs, lastActiveAt(fanId) - at)
      note(fanId, toIsoTime(Math.floor(at + left * random.next())))
    }
  }
  for (const { fanId, postedAt } of rows.comments) note(fanId, postedAt)
  for (const subscription of rows.subscriptions as Mutable<Subscription>[]) {
    subscription.lastActivity = fans.get(subscription.fanId)?.lastSeen ?? subscription.lastActivity
  }
}

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

/** Returns the record of a user who deleted their profile. */
function createDeletedUser(
  id: number,
): Pick<Fan, 'name' | 'username' | 'avatar' | 'isActive' | 'hidesLastSeen'> {
  return {
    name: 'Deleted user',
    username: `u${id}`,
    avatar: null,
    isActive: false,
    hidesLastSeen: true,
  }
}

/** Fills in missing fields of platform users. By default, users have no subscription. */
export const fanFactory = defineFactory({
  name: 'fan',
  table: 'fans',
  time: 'lastSeen',
  complete: (_, context) =>
    createRandomFan(createTextSources(context), {
      id: () => context.id,
      lastSeen: () => context.iso,
      reserve: createUsernameReserver(context.world),
      name: createLateNameSource(requireTexts(context.world)),
    }),
})

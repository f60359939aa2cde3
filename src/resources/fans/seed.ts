import { compareIds } from '../../data/rows.ts'
import { hourMs, parseIso, toIsoTime, dayMs } from '../../lib/time.ts'
import { appendRows } from '../seeding.ts'
import type { AccountPlan, Mutable, SeedContext } from '../seeding.ts'
import { createLatestActivityLookup } from '../subscribers/find-subscription.ts'
import type { SubscriberSizes, Subscription } from '../subscribers/subscriptions.table.ts'
import { createDeletedFields } from './fans.table.ts'
import type { Fan } from './fans.table.ts'
import { defineFactory } from '../define.ts'
import { createTextSources, requireTexts } from '../../seed/texts.ts'
import { createLateNameSource, createRandomFan, createUsernameReserver } from './names.ts'

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
 * Closes the profiles of a few fans who left long ago. The first of them also has no name. Skips
 * fans who follow several accounts.
 */
export function seedClosedProfiles({ rows, now }: SeedContext): void {
  const left = new Set(rows.subscriptions.filter((row) => row.isExpired).map(({ fanId }) => fanId))
  const gone = (rows.fans as Mutable<Fan>[]).filter(
    ({ id, lastSeen, subscribePrice }) =>
      left.has(id) && subscribePrice === 0 && parseIso(lastSeen) < now - leastDays * dayMs,
  )
  // The choice is not random, so that small accounts also have one profile of each kind.
  for (const [place, fan] of gone.entries()) {
    if (place === 0) Object.assign(fan, createNamelessFields(fan.id))
    else if (place % closedEach === 1) Object.assign(fan, { isActive: false })
  }
}

/** Returns the fields of a closed profile of which the platform shows no name. */
function createNamelessFields(
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

/**
 * Deletes the profiles of the fans who left first, of those who paid, chatted and commented. Runs
 * last and draws no random numbers, so all other records stay the same.
 */
export function seedDeletedFans(
  { rows }: SeedContext,
  { sizes }: AccountPlan<SubscriberSizes>,
): void {
  if (sizes.deletedFans === 0) return
  const listFanIds = (of: readonly { fanId: number }[]) => new Set(of.map(({ fanId }) => fanId))
  const [paid, wrote, commented] = [
    listFanIds(rows.transactions.filter(({ status }) => status === 'done')),
    listFanIds(rows.messages.filter(({ isFromFan }) => isFromFan)),
    listFanIds(rows.comments),
  ]
  const kept = new Set(rows.userMarks.map(({ userId }) => userId))
  for (const { fanId, isMuted } of rows.chats) if (isMuted) kept.add(fanId)
  const subscriptions = new Map<number, Mutable<Subscription>>()
  for (const row of rows.subscriptions) if (row.isExpired) subscriptions.set(row.fanId, row)
  const left = (rows.fans as Mutable<Fan>[]).filter(
    ({ id }) =>
      subscriptions.has(id) && paid.has(id) && wrote.has(id) && commented.has(id) && !kept.has(id),
  )
  const deleted = left
    .toSorted((a, b) => compareIds(a.lastSeen, b.lastSeen))
    .slice(0, sizes.deletedFans)
  for (const fan of deleted) {
    Object.assign(fan, createDeletedFields(fan.id))
    Object.assign(subscriptions.get(fan.id) ?? {}, { isDeleted: true, notice: '', displayName: '' })
  }
  const members = rows.userListMembers.splice(0)
  appendRows(
    rows.userListMembers,
    members.filter(({ userId }) => !deleted.some(({ id }) => id === userId)),
  )
}

/** Fills in missing fields of platform users. By default, users have no subscription. */
export const fanFactory = defineFactory({
  name: 'fan',
  table: 'fans',
  time: 'lastSeen',
  complete({ isDeleted }, context) {
    const fan = createRandomFan(createTextSources(context), {
      id: () => context.id,
      lastSeen: () => context.iso,
      reserve: createUsernameReserver(context.world),
      name: createLateNameSource(requireTexts(context.world)),
    })
    return isDeleted === true ? { ...fan, ...createDeletedFields(fan.id) } : fan
  },
})

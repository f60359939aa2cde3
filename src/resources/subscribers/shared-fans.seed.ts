import { dayMs, minuteMs, toIsoTime } from '../../lib/time.ts'
import { getTimeDaysAgo, pickTimeBetween } from '../../seed/seeding.ts'
import type { OrganisationPlan, SeedContext } from '../../seed/seeding.ts'
import { createRandomFan } from '../fans/new-fan.ts'
import { createNameSource } from '../fans/names.ts'

/** One in this many fans is also a fan of another account. */
export const sharedEach = 11
/** Index of the first shared fan among the fans of an account. */
export const firstShared = 7
/** Possible maximum ages of a fan's last visit, days. One is picked at random for each fan. */
const seenDays = [1, 3, 30]
/** One in this many shared fans subscribes to three accounts. */
const ofThreeEach = 9

/**
 * Seeds the fans who subscribe to two or three accounts of an organisation. They are created before
 * all accounts, so that each account can be seeded independently. Also picks a random time, some
 * days ago, when each of these fans was last seen. All their activity is before this time.
 */
export function seedSharedFans(seeding: SeedContext, { accounts }: OrganisationPlan): void {
  const { rows, sharedFans } = seeding
  const seen = seeding.branch('seen')
  const wanted = accounts.map(({ id, fans }) => ({
    id,
    left: Math.floor((fans + sharedEach - 1 - firstShared) / sharedEach),
  }))
  for (let place = 0; ; place += 1) {
    const members = wanted.toSorted((a, b) => b.left - a.left).filter(({ left }) => left > 0)
    if (members.length < 2) return
    const fan = createRandomFan(seeding, {
      reserve: seeding.reserveUsername,
      name: createNameSource(seeding.texts, seeding.fakers),
      id: () => seeding.nextUserId(seeding.now - seen.random.integer(760 * dayMs, 2600 * dayMs)),
      lastSeen: () =>
        toIsoTime(
          pickTimeBetween(
            seen,
            getTimeDaysAgo(seeding, seen.random.pick(seenDays)),
            seeding.now - minuteMs,
          ),
        ),
    })
    rows.fans.push(fan)
    for (const member of members.slice(0, place % ofThreeEach === ofThreeEach - 1 ? 3 : 2)) {
      member.left -= 1
      sharedFans.set(member.id, [...(sharedFans.get(member.id) ?? []), fan])
    }
  }
}

import { findBroken } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'
import { fromIso } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { followedData } from '../subscribers/data.ts'
import { userOf } from './marks.ts'

/** What always holds of users, and of whom accounts follow. */
export const userInvariants: readonly Invariant<World>[] = [
  { name: 'the people of release forms can be looked up', check: findStrangers },
  { name: 'what was paid for following a creator was paid by now', check: findLaterPeriods },
]

/** The people of release forms are users, as the routes that show the forms say. */
function findStrangers(world: World): string[] {
  return findBroken(world.db.releaseForms.all(), ({ id, user }) =>
    userOf(world, user.id) === undefined
      ? [`The release form ${id} names the user ${user.id}, whom nobody knows.`]
      : [],
  )
}

function findLaterPeriods(world: World): string[] {
  const now = world.clock.now()
  return findBroken(world.db.follows.all(), (follow) => {
    const { renewedAt, subscribes } = followedData(world, follow)
    const later = [
      renewedAt,
      ...subscribes.flatMap(({ date, startDate }) => [date, startDate]),
    ].find((time) => time !== null && fromIso(time) > now)
    return later === undefined
      ? []
      : [`The follow ${follow.id} has a period of ${later}, but it is ${world.clock.iso()}.`]
  })
}

import type { Invariant } from '../../engine/invariant.ts'
import { fromIso } from '../../engine/time.ts'
import type { World } from '../../world/world.ts'
import { followedData } from '../subscribers/data.ts'
import { userOf } from './marks.ts'

/** What always holds of users, and of whom accounts follow. */
export const userInvariants: readonly Invariant<World>[] = [
  { name: 'the people of release forms can be looked up', check: findStrangers },
  { name: 'what was paid for following a creator was paid by now', check: findLaterPeriods },
]

/** The people of release forms are users, as the routes that show the forms say. */
function* findStrangers(world: World): Generator<string> {
  for (const { id, user } of world.db.releaseForms.all())
    if (userOf(world, user.id) === undefined)
      yield `The release form ${id} names the user ${user.id}, whom nobody knows.`
}

function* findLaterPeriods(world: World): Generator<string> {
  const now = world.clock.now()
  for (const follow of world.db.follows.all()) {
    const { renewedAt, subscribes } = followedData(world, follow)
    const later = [
      renewedAt,
      ...subscribes.flatMap(({ date, startDate }) => [date, startDate]),
    ].find((time) => time !== null && fromIso(time) > now)
    if (later !== undefined)
      yield `The follow ${follow.id} has a period of ${later}, but it is ${world.clock.iso()}.`
  }
}

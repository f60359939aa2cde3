import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'
import { parseIso } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { toFollowedData } from '../subscribers/subscriber-data.ts'
import { findUser } from './marks.ts'

export const userInvariants: readonly Invariant<World>[] = [
  { name: 'users in release forms exist', check: findUnknownUsers },
  { name: 'no period of a follow begins in the future', check: findFuturePeriods },
  { name: 'each username belongs to one user', check: findSharedUsernames },
]

function findUnknownUsers(world: World): string[] {
  return findViolations(world.db.releaseForms.all(), ({ id, user }) =>
    findUser(world, user.id) === undefined
      ? [`The release form ${id} refers to user ${user.id}, who does not exist.`]
      : [],
  )
}

function findSharedUsernames({ db }: World): string[] {
  const owners = new Map<string, number>()
  const users = [...db.accounts.all(), ...db.fans.all().filter(({ id }) => !db.accounts.get(id))]
  return findViolations(users, ({ id, username }) => {
    const key = username.toLowerCase()
    const other = owners.get(key)
    owners.set(key, id)
    return other === undefined
      ? []
      : [`The users ${other} and ${id} have the same username ${username}.`]
  })
}

function findFuturePeriods(world: World): string[] {
  const now = world.clock.now()
  return findViolations(world.db.follows.all(), (follow) => {
    const { renewedAt, subscribes } = toFollowedData(world, follow)
    const later = [
      renewedAt,
      ...subscribes.flatMap(({ date, startDate }) => [date, startDate]),
    ].find((time) => time !== null && parseIso(time) > now)
    return later === undefined
      ? []
      : [
          `The follow ${follow.id} has a period that starts at ${later}, but the time is ` +
            `only ${world.clock.iso()}.`,
        ]
  })
}

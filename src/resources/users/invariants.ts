import type { Invariant } from '../../engine/invariant.ts'
import { fromIso } from '../../engine/time.ts'
import type { World } from '../../world/world.ts'
import { followedData } from '../subscribers/data.ts'
import { userOf } from './marks.ts'

/** What always holds of users, and of whom accounts follow. */
export const userInvariants: readonly Invariant<World>[] = [
  { name: 'every user that a record names can be looked up', check: findStrangers },
  { name: 'what was paid for following a creator was paid by now', check: findLaterPeriods },
]

/** The users that the records of a table name. */
const usersIn: readonly ((world: World) => Iterable<{ record: string; userId: number | null }>)[] = [
  function* subscriptions({ db }) {
    for (const { id, fanId } of db.subscriptions.all()) yield { record: `subscription ${id}`, userId: fanId }
  },
  function* follows({ db }) {
    for (const { id, userId } of db.follows.all()) yield { record: `follow ${id}`, userId }
  },
  function* marks({ db }) {
    for (const { id, userId } of db.userMarks.all()) yield { record: `mark ${id}`, userId }
  },
  function* chats({ db }) {
    for (const { id, fanId } of db.chats.all()) yield { record: `chat ${id}`, userId: fanId }
  },
  function* comments({ db }) {
    for (const { id, fanId } of db.comments.all()) yield { record: `comment ${id}`, userId: fanId }
  },
  function* transactions({ db }) {
    for (const { id, fanId } of db.transactions.all()) yield { record: `transaction ${id}`, userId: fanId }
  },
  function* referrals({ db }) {
    for (const { id, userId } of db.referrals.all()) yield { record: `referral ${id}`, userId }
  },
  function* releaseForms({ db }) {
    for (const { id, user } of db.releaseForms.all()) yield { record: `release form ${id}`, userId: user.id }
  },
]

function* findStrangers(world: World): Generator<string> {
  for (const usersOf of usersIn) {
    for (const { record, userId } of usersOf(world))
      if (userId !== null && userOf(world, userId) === undefined) yield `The ${record} names the user ${userId}, whom nobody knows.`
  }
}

function* findLaterPeriods(world: World): Generator<string> {
  const now = world.clock.now()
  for (const follow of world.db.follows.all()) {
    const { renewedAt, subscribes } = followedData(world, follow)
    const later = [renewedAt, ...subscribes.flatMap(({ date, startDate }) => [date, startDate])].find(
      (time) => time !== null && fromIso(time) > now,
    )
    if (later !== undefined) yield `The follow ${follow.id} has a period of ${later}, but it is ${world.clock.iso()}.`
  }
}

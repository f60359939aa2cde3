import { findBroken } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'
import type { World } from '../world.ts'

/** What always holds of mass messages. */
export const massMessageInvariants: readonly Invariant<World>[] = [
  { name: 'mass messages went out by now', check: findLater },
  { name: 'no two mass messages of an account went out at one instant', check: findTwins },
]

function findLater({ db, clock }: World): string[] {
  const now = clock.iso()
  return findBroken(db.massMessages.all(), ({ id, sentAt }) =>
    sentAt !== null && sentAt > now
      ? [`The mass message ${id} went out at ${sentAt}, but it is ${now}.`]
      : [],
  )
}

function findTwins({ db }: World): string[] {
  const known = new Map<string, number>()
  return findBroken(db.massMessages.all(), ({ id, accountId, sentAt }) => {
    if (sentAt === null) return []
    const key = `${accountId} ${sentAt}`
    const twin = known.get(key)
    known.set(key, id)
    return twin === undefined
      ? []
      : [`The mass messages ${twin} and ${id} both went out at ${sentAt}.`]
  })
}

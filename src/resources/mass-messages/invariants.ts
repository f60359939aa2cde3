import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'
import type { World } from '../world.ts'

export const massMessageInvariants: readonly Invariant<World>[] = [
  { name: 'no mass message was sent in the future', check: findFuture },
  { name: 'mass messages of an account have distinct send times', check: findSameTimes },
]

function findFuture({ db, clock }: World): string[] {
  const now = clock.iso()
  return findViolations(db.massMessages.all(), ({ id, sentAt }) =>
    sentAt !== null && sentAt > now
      ? [`Mass message ${id} was sent at ${sentAt}, but the current time is ${now}.`]
      : [],
  )
}

function findSameTimes({ db }: World): string[] {
  const known = new Map<string, number>()
  return findViolations(db.massMessages.all(), ({ id, accountId, sentAt }) => {
    if (sentAt === null) return []
    const key = `${accountId} ${sentAt}`
    const twin = known.get(key)
    known.set(key, id)
    return twin === undefined
      ? []
      : [`The mass messages ${twin} and ${id} were both sent at ${sentAt}.`]
  })
}
